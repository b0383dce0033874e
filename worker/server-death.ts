import { dirname } from 'node:path';

/** Why a server ended, as far as its last lines say. */
export type Death =
  | { is: 'database'; why: string } // it will not come up on this file, however often it is tried
  | { is: 'port'; why: string } // somebody else listens there
  | { is: 'other'; why: string };

const WHY_CHARS_MAX = 300;

/** Reads the cause of a server's end from the last lines of its output. */
export function causeOfDeath(lines: string[]): Death {
  const line = lines.findLast((text) => text.startsWith('Error: ')) ?? lines.at(-1) ?? 'it said nothing';
  const why = shortened(line.replace(/^Error: (failed starting server: )?/, ''));
  if (/address already in use/.test(line)) return { is: 'port', why };
  // SQLite's own words for a file that is none of its databases, is damaged, or was cut short while its tables were made.
  if (/file is not a database|database disk image is malformed|no such table/.test(line)) return { is: 'database', why };
  return { is: 'other', why };
}

/** One line with the way out, for the command that waits for this server. */
export function explainDeath(death: Death, places: { database: string; log: string; failures: number }): string {
  switch (death.is) {
    case 'database':
      return (
        `the embedded server cannot use its database ${places.database} (${death.why}): move it aside ` +
        // What was written last stands beside it (-wal), and a new database must not find that.
        `(mkdir '${dirname(places.database)}/broken' && mv '${places.database}'* '${dirname(places.database)}/broken/') and run again; ` +
        'a run that has a LEDGER.md goes on from it'
      );
    case 'port':
      return `the embedded server finds no free port (${death.why}): end what listens there and run again`;
    case 'other':
      return `the embedded server failed ${places.failures} times in a row (${death.why}): see ${places.log}`;
    default:
      return death satisfies never;
  }
}

// SQLite's reason stands at the end of the line, the statement before it may be long.
function shortened(text: string): string {
  return text.length <= WHY_CHARS_MAX ? text : `${text.slice(0, WHY_CHARS_MAX / 2)} … ${text.slice(-WHY_CHARS_MAX / 2)}`;
}
