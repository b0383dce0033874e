import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWorkflows } from '../support/temporal-server.js';

/** Every cached run pays for what its bundle holds: parsing stays outside, in activities and the command. */
const BUNDLE_BYTES_MAX = 2_800_000;

let code: string;

beforeAll(async () => {
  code = (await bundleWorkflows()).code;
}, 120_000);

/** Paths of the modules in the bundle, as the bundler names them. */
function modules(): string[] {
  return [...code.matchAll(/^\/\*\*\*\/ "([^"]+)"$/gm)].map((match) => match[1] ?? '');
}

describe('the workflow bundle', () => {
  it('holds our core and workflows', () => {
    expect(modules().filter((path) => path.endsWith('core/run.ts'))).toHaveLength(1);
    expect(modules().filter((path) => path.endsWith('workflows/execute-plan.ts'))).toHaveLength(1);
  });

  it('holds no schema library, no YAML, no Node module, and nothing of documents, activities, worker or client', () => {
    const foreign = modules().filter((path) =>
      /node_modules\/(zod|yaml|ajv)\/|^node:|^\.\/(documents|activities|worker|client)\//.test(path),
    );
    expect(foreign).toEqual([]);
  });

  it('stays small', () => {
    expect(Buffer.byteLength(code)).toBeLessThan(BUNDLE_BYTES_MAX);
  });
});
