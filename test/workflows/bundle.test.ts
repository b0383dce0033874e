import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** The bundle that ships: what it is made of stands in its source map. */
const BUNDLE = fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url));
/** Each cached run holds one in memory; zod and yaml alone were as large as all of this. */
const CODE_BYTES_MAX = 850_000;
const MAP_MARK = '//# sourceMappingURL=data:';

function readBundle(): { code: string; sources: string[] } {
  const text = readFileSync(BUNDLE, 'utf8');
  const at = text.lastIndexOf(MAP_MARK);
  const map = JSON.parse(Buffer.from(text.slice(text.indexOf('base64,', at) + 'base64,'.length), 'base64').toString('utf8'));
  return { code: text.slice(0, at), sources: map.sources };
}

/** `@temporalio/common` of a package, `core` of a folder of ours, nothing of what the bundler itself adds. */
function originOf(source: string): string[] {
  const path = source.replace(/^\.\//, '');
  const inPackage = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  const ours = /^dist\/([^/]+)\//.exec(path)?.[1];
  return [inPackage, ours].filter((one) => one !== undefined);
}

describe('the bundle of the workflows', () => {
  it('holds the rules, the shell and the SDK, and no text format, no Node module, no activity', () => {
    const { code, sources } = readBundle();
    expect([...new Set(sources.flatMap(originOf))].sort()).toEqual([
      '@temporalio/common',
      '@temporalio/workflow',
      'core',
      'long',
      'ms',
      'nexus-rpc',
      'workflows',
    ]);
    expect(code.match(/require\(["'](?:node:)?(?:fs|path|child_process|crypto|os|net|http|url)["']\)/g)).toEqual(null);
  });

  it('is small', () => {
    expect(Buffer.byteLength(readBundle().code)).toBeLessThanOrEqual(CODE_BYTES_MAX);
  });
});
