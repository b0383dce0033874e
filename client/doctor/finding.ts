/** `ok`: there. `note`: not needed now, or will come by itself. `missing`: runs do not work, or not as they should. */
export type FindingStatus = 'ok' | 'note' | 'missing';

/** One thing that was looked at. */
export interface Finding {
  what: string;
  status: FindingStatus;
  /** In words, one line. */
  says: string;
  /** The way out, where there is something to do. */
  fix: string | null;
}

export function ok(what: string, says: string): Finding {
  return { what, status: 'ok', says, fix: null };
}

export function note(what: string, says: string, fix: string | null = null): Finding {
  return { what, status: 'note', says, fix };
}

export function missing(what: string, says: string, fix: string): Finding {
  return { what, status: 'missing', says, fix };
}

/** A line each, and one more with the way out where there is one. */
export function renderFindings(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length));
  return findings
    .flatMap(({ what, status, says, fix }) => [
      `${status.padEnd('missing'.length)}  ${what.padEnd(width)}  ${says}`,
      ...(fix === null ? [] : [`${' '.repeat('missing'.length + width + 4)}→ ${fix}`]),
    ])
    .join('\n');
}
