import { describe, expect, test } from 'vitest';
import { problemsOf, type ServerFacts, unreachable } from '../../client/server-facts.js';

const at = { address: 'cluster:7233', namespace: 'work' };
const sound: ServerFacts = { version: '1.32.0', isTooOld: false, namespace: 'there', attributes: { missing: [], wrong: [] } };

describe('what is wrong with a server', () => {
  test('is nothing where all is there, or where the service does not tell', () => {
    expect([problemsOf(sound, at), problemsOf({ ...sound, attributes: null }, at)]).toEqual([[], []]);
  });

  test('is its age', () => {
    expect(problemsOf({ ...sound, version: '1.24.2', isTooOld: true }, at)).toEqual([
      'the Temporal server at cluster:7233 is version 1.24.2, older than 1.28: upgrade it, or use another one (--address)',
    ]);
  });

  test('is that it does not answer, in the words that people know', () => {
    const cause = Object.assign(new Error('14 UNAVAILABLE'), {
      details: 'No connection established. Last error: Error: connect ECONNREFUSED 10.0.0.1:7233. Resolution note: ',
    });
    expect(unreachable('cluster:7233', cause)).toMatchObject({
      exitCode: 3,
      message:
        'no Temporal server answers at cluster:7233 (connect ECONNREFUSED 10.0.0.1:7233): start one there, or leave --address and TEMPORAL_ADDRESS out to use the embedded server',
    });
  });
});
