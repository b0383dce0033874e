import { parseSpec } from '../../documents/spec.js';
import type { ReportInput } from '../interface.js';
import { isDamaged } from '../texts.js';
import type { EntryLink, Link } from './chain.js';
import type { Session } from './session.js';

/** What each criterion says in words: of SPEC.md, or of the task that stated it. A criterion whose words are lost has none. */
export async function promiseWords(session: Session, links: Link[], report: ReportInput): Promise<Map<string, string>> {
  const words = new Map<string, string>();
  try {
    for (const [id, text] of await specWords(session)) words.set(id, text);
    for (const { id } of report.criteria) {
      if (words.has(id)) continue;
      const text = await doneWhenOf(session, links, { id, planSha256: report.run.plan.sha256 });
      if (text !== null) words.set(id, text);
    }
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  return words;
}

async function specWords({ texts, place }: Session): Promise<[string, string][]> {
  if (place.specSha256 === null) return [];
  const { spec } = parseSpec(await texts.text(place.specSha256), { file: 'SPEC.md' });
  return [...spec.criteria, ...spec.requirements].map(({ id, text }) => [id, text]);
}

async function doneWhenOf(session: Session, links: Link[], task: { id: string; planSha256: string }): Promise<string | null> {
  const link = links.findLast((one): one is EntryLink => one.is === 'entry' && one.entry.task === task.id);
  const plan = await session.plans(session.place, link?.planSha256 ?? task.planSha256);
  const planned = plan.tasks.find((one) => one.id === task.id)?.doneWhen;
  return planned ?? (await session.adopted())?.details.find((one) => one.task === task.id)?.doneWhen ?? null;
}
