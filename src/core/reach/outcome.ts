/** Who hears by mail what became of their question: the person who asked it, if it was one. */
import type { Decision } from "../model/decision-types.ts";
import type { Plan, World } from "./plan.ts";

type Asked = Pick<Decision, "source" | "requested_by" | "recipient" | "agent_id" | "session" | "asked_in">;

/** Owed from the beginning, so that nothing is forgotten; sent once it is settled. */
export function planForAsker(decision: Asked, { config, ways }: Pick<World, "config" | "ways">): Plan {
  const person = config.people.get(askerOf(decision) ?? "");
  if (!person) return NOBODY;
  const way = ways.find((it) => it.kind === "mail" && it.addressOf(person) !== null);
  const to = way?.addressOf(person) ?? null;
  if (!way || to === null) return NOBODY;
  const { name: channel, kind } = way;
  return {
    notices: [{ channel, kind, person: person.name, names: [], to, reason: "outcome" }],
    missed: [],
  };
}

const NOBODY: Plan = { notices: [], missed: [] };

/** Agents, sessions and steps of jobs get the answer itself; a person at a shell may have left. */
function askerOf({ source, requested_by, recipient, agent_id, session, asked_in }: Asked): string | null {
  const isPerson = recipient === null && agent_id === null && session === null && !asked_in;
  return source === "request" && isPerson ? requested_by : null;
}
