import { CHECK_CHARS_MAX, CHECK_KINDS, type Check, type CheckKind, type GitExpectation, type Read } from './check.js';
import { parseFileCheck, renderFileCheck } from './check-file.js';
import { withVisible } from './invisible.js';
import { oneLine } from './lines.js';
import { didYouMean } from './nearest.js';
import { pathProblem } from './paths.js';
import { errorAt, type Place, type Problem } from './problem.js';
import { quoted, quotedAt, unspanned } from './quoting.js';

export interface ParsedCheck {
  check: Check | null;
  problems: Problem[];
}

/** A check line, with or without its dash (docs/interface.md §4). What is not understood is an error, never a check that holds. */
export function parseCheck(text: string, place: Place): ParsedCheck {
  if (text.length > CHECK_CHARS_MAX)
    return refused(place, `a check is longer than ${CHECK_CHARS_MAX} characters; put the command into a script`);
  const line = unspanned(text.replace(/^\s*[-*+]\s+(\[[ xX]\]\s+)?/, '').trim());
  const match = /^([A-Za-z]+):\s*(.*)$/s.exec(line);
  const kind = CHECK_KINDS.find((known) => known === match?.[1]?.toLowerCase());
  if (match === null || kind === undefined) return refused(place, `"${shown(line)}" is no check${kindsHint(match?.[1])}`);
  const rest = (match[2] ?? '').trim();
  if (/[\0\n\r]/.test(rest)) return refused(place, `${kind}: a check is one line of text`);
  if (withVisible(rest) !== rest) return refused(place, `${kind}: it holds letters that nobody sees: ${shown(withVisible(rest))}`);
  const read = readKind(kind, rest);
  return 'check' in read ? { check: read.check, problems: [] } : refused(place, `${kind}: ${read.wrong}`);
}

/** The canonical text of a check, without the dash: what is compared, pinned and recorded. */
export function renderCheck(check: Check): string {
  switch (check.kind) {
    case 'run':
      return `run: ${check.command}${renderRunExpectation(check)}`;
    case 'file':
      return renderFileCheck(check);
    case 'http':
      return `http: GET ${check.url} => ${check.status}${check.contains === undefined ? '' : ` contains ${quoted(check.contains)}`}`;
    case 'git':
      return `git: ${renderGitExpectation(check.expect)}`;
    case 'human':
      return `human: ${check.question}`;
  }
}

function readKind(kind: CheckKind, rest: string): Read {
  switch (kind) {
    case 'run':
      return readRun(rest);
    case 'file':
      return parseFileCheck(rest);
    case 'http':
      return readHttp(rest);
    case 'git':
      return readGit(rest);
    case 'human':
      return rest === ''
        ? { wrong: 'has no question; write what the person is asked' }
        : { check: { kind: 'human', question: oneLine(rest) } };
  }
}

function refused(place: Place, message: string): ParsedCheck {
  return { check: null, problems: [errorAt(place, message)] };
}

function kindsHint(word: string | undefined): string {
  const near = word === undefined ? '' : didYouMean(word, CHECK_KINDS);
  return near === '' ? '; a check begins with run:, file:, http:, git: or human:' : `${near} (kinds: run, file, http, git, human)`;
}

function shown(text: string): string {
  const line = oneLine(text);
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

function readRun(rest: string): Read {
  const { command, expectation } = splitExpectation(rest);
  const bare = unspanned(command.trim());
  if (bare === '') return { wrong: 'has no command' };
  if (expectation === null) return { check: { kind: 'run', command: bare, expect: { is: 'exit', code: 0 } } };
  const exit = /^exit\s+(\d{1,3})$/.exec(expectation);
  if (exit !== null) {
    const code = Number(exit[1]);
    return code > 255
      ? { wrong: `exit ${code} cannot be; an exit status is 0 to 255` }
      : { check: { kind: 'run', command: bare, expect: { is: 'exit', code } } };
  }
  const prints = /^prints\s+(.*)$/.exec(expectation);
  const text = prints === null ? null : quotedAt(prints[1] ?? '');
  if (text === null || text.rest.trim() !== '' || text.value === '') {
    return { wrong: `"=> ${shown(expectation)}" is no expectation; write => exit 3 or => prints "text"` };
  }
  return { check: { kind: 'run', command: bare, expect: { is: 'prints', text: text.value } } };
}

/** At the last ` => ` outside the command's own quotes: a command may hold arrows of its own. */
function splitExpectation(rest: string): { command: string; expectation: string | null } {
  if (!rest.includes('=> ')) return { command: rest, expectation: null };
  let quote = '';
  let at = -1;
  for (let index = 0; index < rest.length; index++) {
    const letter = rest.charAt(index);
    if (letter === '\\' && quote !== "'") index++;
    else if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'" || letter === '`') quote = letter;
    else if (letter === '=' && rest.startsWith('=> ', index) && /\s/.test(rest.charAt(index - 1))) at = index;
  }
  // A quote that nothing closes (an apostrophe in a comment) must not hide the expectation.
  if (at < 0 && quote !== '') at = rest.search(/(?<=\s)=> (exit\s+\d+|prints\s+"[^"]*")\s*$/);
  return at < 0 ? { command: rest, expectation: null } : { command: rest.slice(0, at), expectation: rest.slice(at + 3).trim() };
}

function renderRunExpectation({ command, expect }: Extract<Check, { kind: 'run' }>): string {
  if (expect.is === 'prints') return ` => prints ${quoted(expect.text)}`;
  // Unsaid, an arrow of the command's own would be read as where the expectation begins.
  const isSaid = expect.code !== 0 || splitExpectation(command).expectation !== null;
  return isSaid ? ` => exit ${expect.code}` : '';
}

const HTTP_FORM = 'write http: GET https://host/path => 200, optionally with contains "text"';

function readHttp(rest: string): Read {
  const match = /^([A-Za-z]+)\s+(\S+)\s+=>\s+(\d{3})(?:\s+(\S.*))?$/.exec(rest);
  if (match === null) return { wrong: `"${shown(rest)}" is not understood; ${HTTP_FORM}` };
  const [, method = '', url = '', digits = '', more] = match;
  if (method.toUpperCase() !== 'GET') return { wrong: `${method} is not allowed, a look changes nothing; ${HTTP_FORM}` };
  const wrong = urlProblem(url);
  if (wrong !== null) return { wrong };
  const status = Number(digits);
  if (status < 100 || status > 599) return { wrong: `${status} is no HTTP status` };
  if (more === undefined) return { check: { kind: 'http', url, status } };
  const contains = /^contains\s+(.*)$/.exec(more);
  const text = contains === null ? null : quotedAt(contains[1] ?? '');
  if (text === null || text.rest.trim() !== '' || text.value === '') return { wrong: `"${shown(more)}" is not understood; ${HTTP_FORM}` };
  return { check: { kind: 'http', url, status, contains: text.value } };
}

function urlProblem(text: string): string | null {
  if (!URL.canParse(text)) return `"${shown(text)}" is no URL`;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `${url.protocol}// is not looked at; only http and https are`;
  // R16: a check is recorded as it stands.
  if (url.username !== '' || url.password !== '')
    return 'a URL holds a name or password, and checks are recorded; use a run: check that reads it from the environment';
  return null;
}

/** Never starting with a dash: git would read it as an option. */
const REVISION = /^[A-Za-z0-9_.@][A-Za-z0-9_./@^~{}-]*$/;

function readGit(rest: string): Read {
  if (rest === 'clean') return { check: { kind: 'git', expect: { is: 'clean' } } };
  const match = /^(commit|tracked)\s+(\S.*)$/.exec(rest);
  const operand = unspanned((match?.[2] ?? '').trim());
  if (match?.[1] === 'commit') {
    return REVISION.test(operand)
      ? { check: { kind: 'git', expect: { is: 'commit', rev: operand } } }
      : { wrong: `"${shown(operand)}" is no revision` };
  }
  if (match?.[1] === 'tracked') {
    const wrong = pathProblem(operand);
    return wrong === null ? { check: { kind: 'git', expect: { is: 'tracked', path: operand } } } : { wrong: `${shown(operand)} ${wrong}` };
  }
  return { wrong: `"${shown(rest)}" is not understood; write git: clean, git: commit <rev> or git: tracked <path>` };
}

function renderGitExpectation(expect: GitExpectation): string {
  switch (expect.is) {
    case 'clean':
      return 'clean';
    case 'commit':
      return `commit ${expect.rev}`;
    case 'tracked':
      return `tracked ${expect.path}`;
  }
}
