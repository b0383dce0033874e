import { openSession } from '../connection.js';
import { askAgents, lookAtAgents } from '../doctor/agents.js';
import { type Finding, missing, renderFindings } from '../doctor/finding.js';
import { lookAtMachine } from '../doctor/machine.js';
import { lookAtService } from '../doctor/service.js';
import { UserError } from '../errors.js';
import { EXIT_BAD_INPUT, EXIT_NO_ANSWER, EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import type { CommonOptions } from '../world.js';

export interface DoctorOptions extends CommonOptions {
  live?: boolean;
}

/** Says what is there, what is missing and how to get it. Exit 0: nothing is missing; 2: something is; 3: no server. */
export async function doctorCommand(options: DoctorOptions, io: Io): Promise<number> {
  const machine = [...(await lookAtMachine(io.env, io.cwd)), ...(await lookAtAgents(io))];
  const live = options.live === true ? await askAgents(io) : [];
  const service = await serviceOrFault(options, io);
  const findings = [...machine, ...live, ...service.findings];
  const exit = service.is === 'silent' ? EXIT_NO_ANSWER : findings.some(({ status }) => status === 'missing') ? EXIT_BAD_INPUT : EXIT_OK;
  io.out(options.json ? JSON.stringify({ ok: exit === EXIT_OK, findings }, null, 2) : renderFindings(findings));
  return exit;
}

async function serviceOrFault(options: CommonOptions, io: Io): Promise<{ is: 'answers' | 'silent'; findings: Finding[] }> {
  try {
    const session = await openSession({ ...options, env: io.env, needWorkerless: true });
    try {
      return { is: 'answers', findings: await lookAtService(session) };
    } finally {
      await session.close();
    }
  } catch (error) {
    if (!(error instanceof UserError) || error.exitCode !== EXIT_NO_ANSWER) throw error;
    return { is: 'silent', findings: [silentFinding(error.message)] };
  }
}

/** Our errors end with the way out: after a colon, or on lines of their own. */
function silentFinding(message: string): Finding {
  const [first = '', ...rest] = message.split('\n');
  if (rest.length > 0) return missing('server', first, rest.map((line) => line.trim()).join('; '));
  const [says = '', fix = 'see server.log and warden.log in the home'] = first.split(/: (?=(?:start|set|move|end|see|install) )/);
  return missing('server', says, fix);
}
