import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256Of } from '../../../activities/texts.js';
import { temporaryFolder } from '../../support/disks.js';
import { entryOf, recorder, worldIn } from '../../support/record-values.js';

test('a pinned file whose kept content was destroyed as well stays as it is, and the entry is recorded all the same', async () => {
  const workspace = temporaryFolder();
  const { place, planSha256 } = await worldIn(workspace, { pinned: [{ path: 'check.sh', content: 'test -f out\n' }] });
  writeFileSync(join(workspace, 'check.sh'), 'true\n');
  writeFileSync(join(place.folder, 'texts', sha256Of('test -f out\n')), 'true\n');
  await recorder(place).write({ is: 'entry', entry: entryOf('T1'), planSha256 }, ['check.sh']);
  expect([readFileSync(join(workspace, 'check.sh'), 'utf8'), existsSync(join(workspace, 'LEDGER.md'))]).toEqual(['true\n', true]);
});
