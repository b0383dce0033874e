import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of this machine, or null where it has none that we know of. */
export function findBrowser(): string | null {
  return PLACES.find((path) => existsSync(path)) ?? null;
}

const QUIET = [
  'no-sandbox',
  'disable-gpu',
  'disable-quic',
  'no-first-run',
  'disable-background-networking',
  'disable-component-update',
  'disable-sync',
];

/** Without a window, and without asking anybody on the network for anything. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: QUIET.map((flag) => `--${flag}`) });
}
