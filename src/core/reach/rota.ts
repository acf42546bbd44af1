/** Whose turn it is. Turns are counted on the wall clock, so they change at the same time of day all year. */
import type { Rota } from "./config-types.ts";
import { firstMoment, wallAt } from "./zone.ts";

export interface Turn {
  person: string;
  from_ms: number;
  until_ms: number;
}

/** Before its beginning, a rota is with its first person: somebody must hear. */
export function turnAt(rota: Rota, at_ms: number): Turn {
  const { zone, local } = rota.from;
  const begin = Date.parse(`${local}Z`);
  const startOf = (turn: number) => firstMoment(zone, begin + turn * rota.turn_ms);
  let turn = Math.floor((wallAt(zone, at_ms) - begin) / rota.turn_ms);
  // an hour that comes twice belongs to the turn that has begun in its first half
  while (startOf(turn + 1) <= at_ms) turn++;
  while (startOf(turn) > at_ms) turn--;
  const first = rota.people[0] ?? "";
  if (turn < 0) return { person: first, from_ms: -Infinity, until_ms: startOf(1) };
  const person = rota.people[turn % rota.people.length] ?? first;
  return { person, from_ms: startOf(turn), until_ms: startOf(turn + 1) };
}
