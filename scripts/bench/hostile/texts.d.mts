/** Of each reader its texts by name. */
export const HOSTILE_TEXTS: Readonly<Record<string, Readonly<Record<string, () => string>>>>;
