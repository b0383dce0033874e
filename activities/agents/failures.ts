import type { Refusal } from './adapter.js';

/** What a provider or an agent said when it could not go on. */
export interface Complaint {
  agent: string;
  words: string;
  /** Of HTTP, where it is known. */
  status?: number | null;
  /** Epoch milliseconds, where a machine named it. */
  until?: number | null;
}

/**
 * `limited`: it goes on by itself, later; no attempt is used up. `refused`: a person has to do something first. `failed`:
 * the work itself ran into it, and its checks decide.
 */
export type Failure = { is: 'limited'; until: number | null; why: string } | ({ is: 'refused' } & Refusal) | { is: 'failed'; why: string };

const WORDS_CHARS_MAX = 300;

const BILLING =
  /insufficient[_ ]quota|exceeded your current quota|plan and billing|credit balance|billing_error|payment required|out of credits/i;
const USAGE_LIMIT =
  /usage.?limit|hit your [\w-]+(?: [\w-]+)? limit|limit reached|quota (?:has been )?(?:reached|exhausted)|exhausted your [\w ]*quota|daily quota|resource.exhausted/i;
const SIGNED_OUT =
  /not logged in|log ?in required|please run \/login|api key|x-api-key|unauthorized|unauthenticated|authenticat|oauth token|invalid auth method|no auth/i;
const NO_MODEL =
  /model\b.{0,80}(?:not found|not exist|not supported|unknown|unavailable|not available|no access)|unknown model|model_not_found|issue with the selected model/i;
const UNTRUSTED = /trusted director|untrusted|trust this folder|workspace trust/i;
const CONTEXT = /context (?:window|length)|prompt is too long|input_too_large|maximum context|too many tokens in|room in the model/i;
const SANDBOX = /sandbox required but unavailable/i;
const ROOT = /cannot be used with root/i;
const THROTTLED = /rate.?limit|too many requests|overloaded|at capacity|temporarily limiting|slow down/i;
const NO_ANSWER =
  /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|connection (?:refused|dropped|failed|error|closed|reset)|stream disconnected|cannot connect|network|request timed out|socket|error sending request/i;

/** What is limited is looked for first in words that only limits have: a 429 is also what some say for an empty account. */
export function failureOf(complaint: Complaint): Failure {
  const { agent, status = null, until = null } = complaint;
  const words = complaint.words.replace(/\s+/g, ' ').trim().slice(0, WORDS_CHARS_MAX);
  const limited = (why: string): Failure => ({ is: 'limited', until, why: words === '' ? why : `${why}: ${words}` });
  const refused = (blocker: string, userAction: string): Failure => ({ is: 'refused', why: `${agent}: ${words}`, blocker, userAction });
  if (status === 402 || BILLING.test(words))
    return refused('agent-billing', `See to the plan or the credit of the account that ${agent} uses, then resolve this blocker.`);
  if (USAGE_LIMIT.test(words) && !NOT_YOUR_LIMIT.test(words)) return limited('usage limit');
  if (until !== null) return limited('throttled');
  if (ROOT.test(words)) return refused('agent-full-as-root', `Run the worker as another user, or give ${agent} permissions: edit.`);
  if (SANDBOX.test(words)) return refused('agent-sandbox', 'Install bubblewrap and socat, then resolve this blocker.');
  if (UNTRUSTED.test(words)) return refused('agent-untrusted-folder', `Let ${agent} trust the workspace once, then resolve this blocker.`);
  if (NO_MODEL.test(words)) return refused('agent-model', `Name a model that ${agent} may use (agents.${agent}.model in donewhen.yaml).`);
  if (CONTEXT.test(words)) return { is: 'failed', why: words };
  if (status === 401 || status === 403 || SIGNED_OUT.test(words)) return refused('agent-not-signed-in', signIn(agent));
  if (status === 429 || status === 529 || status === 503 || THROTTLED.test(words)) return limited('throttled');
  if ((status !== null && status >= 500) || NO_ANSWER.test(words)) return limited('no answer from the provider');
  return { is: 'failed', why: words };
}

const NOT_YOUR_LIMIT = /not your usage limit/i;

function signIn(agent: string): string {
  return `Sign in to ${agent} on this machine, or pass its key (environment.pass in donewhen.yaml), then resolve this blocker.`;
}
