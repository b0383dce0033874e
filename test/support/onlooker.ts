import { Client, Connection } from '@temporalio/client';
import { identityOf } from '../../activities/process/identity.js';
import { readServerState, type ServerState } from '../../worker/server-state.js';
import { registerUser } from '../../worker/users.js';
import { type TestHome, until } from './homes.js';
import { SLOW_MS } from './stage.js';

/**
 * Looks at a run from outside. It is one more user of the home's server, so that it can look when the run is closed, but
 * brings no server back and hosts no worker: those that do are watched, not helped.
 */
export interface Onlooker {
  client: Client;
  update(name: string, input: unknown): Promise<unknown>;
  waiting(): Promise<{ task: string | null }[]>;
  /** How often an activity with this summary was scheduled. */
  scheduled(summary: string): Promise<number>;
  /** Until an activity is between two tries: its last one failed. */
  untilRetried(activity: string): Promise<void>;
  /** How activities ended otherwise than by completing: `failed WorkerLost`, `timed out`. */
  badEnds(): Promise<string[]>;
  close(): Promise<void>;
}

export function serverOf(home: TestHome): ServerState {
  const state = readServerState(home.path);
  if (state === null) throw new Error('no server.json');
  return state;
}

export function onlookerAt(home: TestHome, slug = 'demo'): Onlooker {
  const user = registerUser(home.path);
  const connection = Connection.lazy({ address: `127.0.0.1:${serverOf(home).port}` });
  const client = new Client({ connection });
  const handle = client.workflow.getHandle(`donewhen-${slug}`);
  const events = async () => (await handle.fetchHistory()).events ?? [];
  return {
    client,
    update: (name, input) => handle.executeUpdate(name, { args: [input] }),
    waiting: () => handle.query<{ task: string | null }[]>('waiting'),
    scheduled: async (summary) =>
      (await events()).filter((event) => event.activityTaskScheduledEventAttributes && summaryOf(event) === summary).length,
    untilRetried: (activity) =>
      until(
        `${activity} is tried again`,
        async () => {
          const { raw } = await handle.describe();
          return (raw.pendingActivities ?? []).some((one) => one.activityType?.name === activity && (one.attempt ?? 1) > 1);
        },
        SLOW_MS,
      ),
    badEnds: async () => (await events()).flatMap(badEnd),
    close: async () => {
      user.leave();
      await connection.close();
    },
  };
}

type HistoryEvent = NonNullable<Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']>[number];

function summaryOf(event: HistoryEvent): string {
  return JSON.parse(Buffer.from(event.userMetadata?.summary?.data ?? '""').toString('utf8'));
}

function badEnd(event: HistoryEvent): string[] {
  const failed = event.activityTaskFailedEventAttributes;
  if (failed) return [`failed ${failed.failure?.applicationFailureInfo?.type ?? 'untyped'}`];
  return event.activityTaskTimedOutEventAttributes ? ['timed out'] : [];
}

export async function untilGone(...pids: (number | null | undefined)[]): Promise<void> {
  await until(`processes ${pids.join(', ')} are gone`, () => pids.every((pid) => pid == null || identityOf(pid) === null), SLOW_MS);
}
