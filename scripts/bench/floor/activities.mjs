// What the floor's activities do: three spawns of `true`, one fsynced append. Nothing is judged and nothing is kept.
import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

export function floorActivities(ledger) {
  const run = () =>
    new Promise((resolve, reject) => {
      spawn('true', { stdio: 'ignore' }).once('error', reject).once('close', resolve);
    });
  return {
    check: run,
    dispatch: run,
    verify: run,
    record: async (task) => {
      const file = openSync(ledger, 'a');
      writeSync(file, `## T${task} — Part T${task}  [done]\nVerification: verified\nGate: plan holds\n\n`);
      fsyncSync(file);
      closeSync(file);
    },
  };
}
