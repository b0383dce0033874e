import { STANDING_QUEUE } from '../../workflows/names.js';
import { openSession, type Session } from '../connection.js';
import { EXIT_INTERRUPTED } from '../exit-code.js';
import { hostHere } from '../host-here.js';
import type { Io } from '../io.js';
import { raised, untilSignalled } from '../until-signalled.js';
import type { CommonOptions } from '../world.js';

/** Holds the embedded server, or uses the one that is there, and serves its runs until Ctrl-C. Exit 130. */
export async function devCommand(options: CommonOptions, io: Io, signal: AbortSignal = untilSignalled()): Promise<number> {
  const session = await openSession({ ...options, env: io.env });
  try {
    const worker = await hostHere({ session, env: io.env, say: (line) => io.err(line), kind: 'standing', taskQueues: [STANDING_QUEUE] });
    show(session, worker.identity, options, io);
    await Promise.race([raised(signal), worker.failed]);
    io.err('ending: open runs are kept, and go on when a worker is there again');
    await worker.stop();
    return EXIT_INTERRUPTED;
  } finally {
    await session.close();
  }
}

function show(session: Session, identity: string, options: CommonOptions, io: Io): void {
  const { address, namespace, uiUrl, embedded, home } = session;
  if (options.json) {
    io.out(JSON.stringify({ address, namespace, uiUrl, embedded, home: home.path, worker: identity, taskQueue: STANDING_QUEUE }, null, 2));
    return;
  }
  io.out(`Temporal server  ${address}, namespace ${namespace}${embedded ? ` (embedded, ${home.path})` : ''}`);
  io.out(`Web UI           ${uiUrl ?? 'its address is not known here'}`);
  io.out(`worker           serves task queue ${STANDING_QUEUE}, and runs of this host that have lost their worker`);
  io.out('Ctrl-C ends it; open runs are kept.');
}
