/** Who was told of a decision, in words. */
import type { DecisionView } from "../../api/api.ts";

type Notice = DecisionView["notices"][number];

/** "ana (slack, mail: mailbox full), ben (push, later)"; empty if nobody was to be told. */
export function toldWords({ notices }: Pick<DecisionView, "notices">): string {
  const people = new Map<string, string[]>();
  for (const it of notices) people.set(it.to, [...(people.get(it.to) ?? []), how(it)]);
  return [...people].map(([to, channels]) => `${to} (${channels.join(", ")})`).join(", ");
}

function how({ channel, state, error }: Notice): string {
  if (error !== null) return `${channel}: ${error}`;
  return state === "owed" ? `${channel}, later` : channel;
}
