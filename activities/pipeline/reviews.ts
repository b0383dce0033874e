import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from '../../core/methods/pipeline-values.js';
import { attemptPath } from '../attempt-folder.js';
import { type ReaderPorts, readingContext } from '../dispatch-reader.js';
import { whileBeating } from '../heartbeat.js';
import type { Dispatched, DispatchInput, Place } from '../interface.js';
import { someOf } from '../load/words.js';
import { keepBefore, seenOfReader, type Watched } from '../observe/reader.js';
import { isMatch } from './artifacts.js';

export type ReviewPorts = Pick<ReaderPorts, 'environment' | 'run'>;

/** Keeps what stands in the workspace before a review begins: it writes its artifacts and its report, nothing else. */
export function watchingReviews(
  dispatch: (input: DispatchInput) => Promise<Dispatched>,
  ports: ReviewPorts,
): (input: DispatchInput) => Promise<Dispatched> {
  return async (input) => {
    const { place, token, step } = input;
    if (step?.briefing.step.gate === 'review' && input.cut !== true) {
      const watched = watchedOf(place, token, { step: step.briefing.step, writes: [] });
      await whileBeating(async () => {
        mkdirSync(watched.dir, { recursive: true });
        await keepBefore(watched, await readingContext(place, ports));
      });
    }
    return dispatch(input);
  };
}

/** What a review changed beside what it writes is set aside, once a try; in words. null: nothing, or nobody kept what stood there. */
export async function setAsideOf(
  { place, token }: { place: Place; token: string },
  review: { step: Step; writes: readonly string[] },
  ports: ReviewPorts,
): Promise<string | null> {
  return seenOfReader(watchedOf(place, token, review), await readingContext(place, ports));
}

function watchedOf(place: Place, token: string, { step, writes }: { step: Step; writes: readonly string[] }): Watched {
  const words = writes.length === 0 ? 'only reads' : `writes ${someOf([...writes])}`;
  const write = (path: string) => writes.some((pattern) => isMatch(path, pattern.endsWith('/') ? `${pattern}**` : pattern));
  return { place, dir: join(place.folder, attemptPath(token)), role: `review of step ${step.step}`, may: { write, words } };
}
