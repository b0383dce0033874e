import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { identityOf, lifeOf, ownIdentity, parseIdentity } from '../../../activities/process/identity.js';

describe('the identity of a process', () => {
  test('says that this process lives', () => {
    expect(lifeOf(ownIdentity())).toBe('alive');
  });

  test('is not that of another process under the same pid', () => {
    expect(lifeOf({ ...ownIdentity(), start: '1' })).toBe('gone');
  });

  test('says that a process which has ended is gone', async () => {
    const child = spawn('sleep', ['60']);
    const identity = identityOf(child.pid ?? 0);
    const before = identity === null ? null : lifeOf(identity);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect({ before, after: identity === null ? null : lifeOf(identity) }).toEqual({ before: 'alive', after: 'gone' });
  });

  test('counts a zombie as gone: it acts no more', async () => {
    // The shell starts a child, becomes something that reaps nobody, and the child's end leaves a zombie.
    const parent = spawn('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const pid = Number(await new Promise<string>((resolve) => parent.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const identity = identityOf(pid);
    parent.kill('SIGKILL');
    expect(identity).toBe(null);
  });

  test('on another machine, or in another container, says nothing of life', () => {
    const own = ownIdentity();
    expect([lifeOf({ ...own, space: 'pid:[1]' }), lifeOf({ ...own, machine: 'another', boot: 'another' })]).toEqual([
      'elsewhere',
      'elsewhere',
    ]);
  });

  test('of before a restart of this machine is gone, whatever has its pid now', () => {
    expect(lifeOf({ ...ownIdentity(), boot: 'an earlier one' })).toEqual('gone');
  });

  test.each([[null], [{}], [{ pid: '1' }], [{ ...ownIdentity(), pid: -1 }], [{ ...ownIdentity(), start: 5 }]])(
    'is not read from %j',
    (value) => {
      expect(parseIdentity(value)).toBe(null);
    },
  );

  test('survives JSON', () => {
    expect(parseIdentity(JSON.parse(JSON.stringify(ownIdentity())))).toEqual(ownIdentity());
  });
});
