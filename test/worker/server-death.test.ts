import { describe, expect, test } from 'vitest';
import { causeOfDeath, explainDeath } from '../../worker/server-death.js';

const places = { database: '/h/temporal-1.9.db', log: '/h/server.log', failures: 5 };

describe('the cause of a server’s end', () => {
  test.each([
    [
      'Error: failed starting server: failed creating namespaces: unable to create SQLite admin DB: file is not a database (26)',
      'database',
    ],
    [
      'Error: failed starting server: failed creating namespaces: unable to create SQLite admin DB: database disk image is malformed (11)',
      'database',
    ],
    [
      'Error: failed starting server: failed creating namespaces: error creating namespace "default": SQL logic error: no such table: namespaces (1)',
      'database',
    ],
    ["Error: can't set frontend port 7233: listen tcp 127.0.0.1:7233: bind: address already in use", 'port'],
    ['Error: failed starting server: failed checking dir for database file: stat /h: no such file or directory', 'other'],
  ])('is read from %j', (line, is) => {
    expect(causeOfDeath(['Temporal Server: localhost:7233', line]).is).toBe(is);
  });

  test('of a server that said nothing is that it said nothing', () => {
    expect(causeOfDeath([])).toEqual({ is: 'other', why: 'it said nothing' });
  });

  test('of a damaged database comes with the way out', () => {
    expect(explainDeath(causeOfDeath(['Error: x: file is not a database (26)']), places)).toBe(
      "the embedded server cannot use its database /h/temporal-1.9.db (x: file is not a database (26)): move it aside (mkdir '/h/broken' && mv '/h/temporal-1.9.db'* '/h/broken/') and run again; a run that has a LEDGER.md goes on from it",
    );
  });

  test('keeps the end of a long line, where the reason stands', () => {
    const { why } = causeOfDeath([`Error: statement ${'x'.repeat(5000)}: database or disk is full (13)`]);
    expect({ fits: why.length < 320, end: why.endsWith('database or disk is full (13)') }).toEqual({ fits: true, end: true });
  });
});
