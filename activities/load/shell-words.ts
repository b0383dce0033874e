import { basename, isAbsolute, join, normalize } from 'node:path';

/**
 * The words of a command, near enough to how a shell cuts it to find the files that it names. A command is never run, and
 * never judged, by what is read here: a word too many costs a look at the disk.
 */

/** Shells, and programs that hand a command line on to one: it follows their `-c`. */
const GIVEN_A_SCRIPT = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'busybox', 'su', 'script', 'flock', 'runuser']);
/** Scripts within scripts; nobody writes deeper ones by hand. */
const DEPTH_MAX = 4;
/** No command that somebody wrote is longer; what follows is not read. */
const COMMAND_CHARS_MAX = 16 * 1024;
/** Nobody goes deeper. */
const FOLDER_CHARS_MAX = 1024;

/** Words up to the next operator, as one program gets them; or a subshell that begins or ends. */
type Part = { is: 'command'; words: string[]; within: string[] } | { is: 'opens' } | { is: 'closes' };

/** Paths that a command may name, from the folder that it is run in: `cd`, `sh -c '…'`, `$PWD` and `$(…)` are followed. */
export function pathsIn(command: string): string[] {
  return [...new Set(pathsFrom(command, { dir: '.', depth: 0 }))];
}

/** Files that a shell script reads in as a part of itself. `folder` is where it lies. */
export function sourcesIn(script: string, folder: string): string[] {
  const placed = script.replace(
    /\$\(dirname (?:-- )?"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?"?\)|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}/g,
    () => folder,
  );
  const found: string[] = [];
  let dir: string | null = '.';
  for (const part of partsOf(placed)) {
    if (part.is !== 'command') continue;
    const [program, file] = part.words;
    if ((program === '.' || program === 'source') && file !== undefined) found.push(at(dir, file));
    dir = folderAfter(part.words, dir);
  }
  return [...new Set(found)];
}

function pathsFrom(command: string, from: { dir: string | null; depth: number }): string[] {
  const outer: (string | null)[] = [];
  const paths: string[] = [];
  let { dir } = from;
  const into = (script: string) => (from.depth < DEPTH_MAX ? pathsFrom(script, { dir, depth: from.depth + 1 }) : []);
  for (const part of partsOf(command)) {
    if (part.is === 'opens') outer.push(dir);
    else if (part.is === 'closes') dir = outer.length > 0 ? (outer.pop() ?? null) : dir;
    else {
      paths.push(...part.words.flatMap((word) => namedBy(word, dir)), ...[...part.within, ...scriptsIn(part.words)].flatMap(into));
      dir = folderAfter(part.words, dir);
    }
  }
  return paths;
}

/** `--config=a.json` and `FILE=a.json` name a.json; an option names nothing. */
function namedBy(word: string, dir: string | null): string[] {
  const value = /^[^=]+=(.+)$/s.exec(word)?.[1];
  return [word, ...(value === undefined ? [] : [value])]
    .filter((name) => name !== '' && !name.startsWith('-') && !name.includes('\0'))
    .map((name) => at(dir, name));
}

function at(dir: string | null, name: string): string {
  return isAbsolute(name) || dir === null ? normalize(name) : join(dir, name);
}

/** `sh -c SCRIPT`, wherever in the words, and what `eval` is given. */
function scriptsIn(words: readonly string[]): string[] {
  const scripts: string[] = [];
  if (words[0] === 'eval') scripts.push(words.slice(1).join(' '));
  const program = words.findIndex((word) => GIVEN_A_SCRIPT.has(basename(word)));
  const option = program < 0 ? -1 : words.findIndex((word, index) => index > program && /^-[a-z]*c[a-z]*$/i.test(word));
  const script = option < 0 ? undefined : words[option + 1];
  return script === undefined ? scripts : [...scripts, script];
}

/** Where the shell stands after a command. null: nobody can tell from its text. */
function folderAfter(words: readonly string[], dir: string | null): string | null {
  const [program, ...rest] = words.filter((word) => !/^\w+=/.test(word));
  if (program !== 'cd' && program !== 'pushd') return dir;
  const folder = rest.find((word) => !/^-[-\w]+$/.test(word));
  if (folder === undefined || folder === '-' || /^~|[$*?]/.test(folder)) return null;
  const next = isAbsolute(folder) || dir !== null ? at(dir, folder) : null;
  return next === null || next.length > FOLDER_CHARS_MAX ? null : next;
}

const PIECE = /(\s+)|'([^']*)'?|"((?:[^"\\]+|\\[\s\S])*)"?|\\([\s\S]?)|([<>]+&?)|([;&|()`])|([^\s'"\\<>;&|()`]+)/g;

function partsOf(command: string): Part[] {
  const parts: Part[] = [];
  let words: string[] = [];
  let within: string[] = [];
  let word: string | null = null;
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0 || within.length > 0) parts.push({ is: 'command', words, within });
    [words, within] = [[], []];
  };
  for (const [, space, single, double, escaped, redirected, operator, bare] of inPlace(command.slice(0, COMMAND_CHARS_MAX)).matchAll(
    PIECE,
  )) {
    if (space !== undefined) space.includes('\n') ? endCommand() : endWord();
    else if (redirected !== undefined) endWord();
    else if (operator !== undefined) {
      endCommand();
      if (operator === '(') parts.push({ is: 'opens' });
      if (operator === ')') parts.push({ is: 'closes' });
    } else {
      if (double !== undefined && /`|\$\(/.test(double)) within.push(double);
      word = `${word ?? ''}${single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? bare ?? ''}`;
    }
  }
  endCommand();
  return parts;
}

/** The folder that a command stands in, however it is asked for, is `.`. */
function inPlace(command: string): string {
  return command.replace(/\$PWD(?!\w)|\$\{PWD\}|\$\(pwd\)|`pwd`/g, () => '.');
}
