export type AgentName = 'claude' | 'codex' | 'gemini' | 'opencode';

export const AGENTS: Readonly<Record<AgentName, { package: string; version: string }>>;
/** The folder with the program of this agent, for PATH; null: it is not installed. */
export function programsOf(name: AgentName): string | null;
/** Where agents are installed, and homes for them are made: outside of the temporary folder, which Codex does not trust. */
export function cacheFolder(): string;
