/** What the rules ask of agent clients. The clients are in `agents/`; what they say arrives with the moment, as times and ids do. */

/** The client's name, as it is recorded. */
export type AgentKind = string;

/** No client that we know: any program in a terminal, and words go to it as they are. */
export const PROGRAM: AgentKind = "program";

export interface Clients {
  /** The client that a `run` line starts. */
  kindOf(run: string): AgentKind;
  /** Told this on its `run` line, it ends with its turn: it never waits for words, and a good end means that it is done. */
  endsWithTurn(kind: AgentKind, run: string): boolean;
  /** It tells of its dialogs by hooks: one that no hook told of may be nothing but a drawing. */
  hasHooks(kind: AgentKind): boolean;
}

export function endsWithTurn(
  { moment }: { moment: { clients: Clients } },
  { kind, def }: { kind: AgentKind; def: { run: string } },
): boolean {
  return moment.clients.endsWithTurn(kind, def.run);
}
