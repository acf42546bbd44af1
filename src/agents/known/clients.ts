/** Which client an agent belongs to, and what the rules are told about it. */
import type { Agent } from "../../core/model/agent-types.ts";
import type { AgentKind, Clients } from "../../core/model/clients.ts";
import type { AgentClient } from "../client.ts";
import { program } from "../program/client.ts";
import { startedBy } from "../run-line.ts";
import type { SessionDoor } from "../session-door.ts";
import * as list from "./list.ts";

const known: readonly AgentClient[] = Object.values(list);

/** A client that only a newer oj knows is treated as any other program. */
export function agentClientOf({ kind }: Pick<Agent, "kind">): AgentClient {
  return known.find((it) => it.kind === kind) ?? program;
}

/**
 * The client that a `run` line starts, and the words after its name. For another program there are none, because we
 * know nothing about them.
 */
export function clientLine(run: string): { kind: AgentKind; args: string[] } {
  const started = startedBy(run, (word, args) => known.find((it) => it.isStartedBy(word, args)));
  return started ? { kind: started.found.kind, args: started.args } : { kind: program.kind, args: [] };
}

export const clients: Clients = {
  kindOf: (run) => clientLine(run).kind,
  endsWithTurn: (kind, run) => agentClientOf({ kind }).endsWithTurn(clientLine(run).args),
  hasHooks: (kind) => agentClientOf({ kind }).hooks.length > 0,
};

/** The ways into sessions that oj did not start. */
export const sessionDoors: readonly SessionDoor[] = known.flatMap((it) => it.session ?? []);
