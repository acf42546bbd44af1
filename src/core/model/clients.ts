/**
 * What the rules need to know about agent clients. The clients are in
 * `agents/`; their answers arrive with the moment, as times and ids do.
 */

/** The client's name, as it is recorded. */
export type AgentKind = string;

/** Not a client that we know: any program in a terminal. Words are typed to it as they are. */
export const PROGRAM: AgentKind = "program";

export interface Clients {
  /** The client that a `run` line starts. */
  kindOf(run: string): AgentKind;
  /**
   * With this `run` line the client exits when its turn ends: it
   * never waits for words, and a clean exit means that it is done.
   */
  endsWithTurn(kind: AgentKind, run: string): boolean;
  /** The client reports its dialogs with hooks, so a dialog that no hook reported may be just text on the screen. */
  hasHooks(kind: AgentKind): boolean;
}

export function endsWithTurn(
  { moment }: { moment: { clients: Clients } },
  { kind, def }: { kind: AgentKind; def: { run: string } },
): boolean {
  return moment.clients.endsWithTurn(kind, def.run);
}
