// The donewhen command as a child process.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../dist/client/main.js', import.meta.url));
const COMMAND_MS_MAX = 900_000;

/** Runs a verb to its end; resolves with its exit code, its JSON and the largest memory that it held, in MB. */
export function donewhen(args, env, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    let memoryMb = 0;
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const watching = setInterval(() => {
      memoryMb = Math.max(memoryMb, residentMb(child.pid));
    }, 500);
    const late = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS_MAX);
    options.started?.(child);
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(watching);
      clearTimeout(late);
      resolve({ code, json: parsed(stdout), stderr, memoryMb });
    });
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function residentMb(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
