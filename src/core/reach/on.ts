/** Who is there now, and when that changes. */
import type { Person, ReachConfig } from "./config-types.ts";
import { closingOf, isWithin, nextOpening } from "./hours.ts";
import { turnAt } from "./rota.ts";

export interface PersonNow {
  name: string;
  /** The kinds of channel on which they have an address. */
  channels: string[];
  /** As they are written; null: always. */
  hours: string | null;
  is_on: boolean;
  /** When their hours begin or end; null: never. */
  changes_at_ms: number | null;
  /** Minutes after midnight; null: they get no digest. */
  digest: number | null;
}

export interface RotaNow {
  name: string;
  person: string;
  until_ms: number;
  next: string;
}

export function peopleNow({ people }: Pick<ReachConfig, "people">, at_ms: number): PersonNow[] {
  return [...people.values()].map((it) => ({
    name: it.name,
    channels: Object.keys(it.addresses),
    hours: it.hours?.text ?? null,
    ...onNow(it, at_ms),
    digest: it.digest,
  }));
}

function onNow({ hours }: Person, at_ms: number): Pick<PersonNow, "is_on" | "changes_at_ms"> {
  if (isWithin(hours, at_ms)) return { is_on: true, changes_at_ms: closingOf(hours, at_ms) };
  const opens = nextOpening(hours, at_ms);
  return { is_on: false, changes_at_ms: opens === Infinity ? null : opens };
}

export function rotasNow({ rotas }: Pick<ReachConfig, "rotas">, at_ms: number): RotaNow[] {
  return [...rotas].map(([name, rota]) => {
    const { person, until_ms } = turnAt(rota, at_ms);
    return { name, person, until_ms, next: turnAt(rota, until_ms).person };
  });
}

/** What is allowed but probably not meant. */
export function suggestionsFor({ people, channels, routes }: ReachConfig): string[] {
  const isConfigured = people.size > 0 || channels.size > 0;
  const lonely = [...people.values()].filter((it) => it.digest !== null && it.hours === null);
  return [
    ...(isConfigured && routes.length === 0
      ? ["there are people or channels, but no [[route]]: nobody is notified"]
      : []),
    ...lonely.map((it) => `person.${it.name} has a digest but no hours, so nothing waits for it`),
  ];
}
