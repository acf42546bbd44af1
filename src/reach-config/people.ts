/** People, groups and rotas as they are written in a person's config. */
import type { ChannelKind } from "../core/model/reach-types.ts";
import { CHANNEL_KINDS } from "../core/model/reach-types.ts";
import type { Person, Rota } from "../core/reach/config-types.ts";
import { parseBeginning, parseHours, parseTime } from "../core/reach/hours-text.ts";
import { nameProblem } from "../core/reach/who.ts";
import { parseDuration } from "../core/text/duration.ts";
import type { Problems, Table } from "./problems.ts";

/** A webhook is sent what it lists, not what concerns a person. */
const ADDRESSES = CHANNEL_KINDS.filter((it) => it !== "webhook");

/** What an address must look like, where every address of the kind does. */
const FORMS: Partial<Record<ChannelKind, { form: RegExp; words: string }>> = {
  mail: { form: /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/, words: 'an address, like "ana@example.com"' },
  slack: { form: /^\w+$/, words: 'a member ID of Slack, like "U012AB3CD"' },
  ntfy: { form: /^[-\w]{1,64}$/, words: "a topic of up to 64 letters, digits, dashes and underscores" },
  telegram: { form: /^-?\d+$/, words: 'a numeric ID as a text, like "123456789"' },
};

export function readPeople(section: unknown, problems: Problems): Map<string, Person> {
  const people = new Map<string, Person>();
  for (const [name, value] of Object.entries(problems.table("person", section))) {
    const key = `person.${name}`;
    if (problems.name(key, name)) people.set(name, readPerson(name, problems.table(key, value), problems));
  }
  return people;
}

function readPerson(name: string, table: Table, problems: Problems): Person {
  const key = `person.${name}`;
  problems.keys(key, table, [...ADDRESSES, "hours", "digest"]);
  const addresses: Partial<Record<ChannelKind, string>> = {};
  for (const kind of ADDRESSES) {
    const address = problems.text(`${key}.${kind}`, table[kind]);
    const wanted = FORMS[kind];
    if (address === null) continue;
    if (wanted && !wanted.form.test(address)) problems.add(`${key}.${kind}`, `must be ${wanted.words}`);
    addresses[kind] = address;
  }
  const hoursText = problems.text(`${key}.hours`, table.hours);
  const hours = hoursText === null ? null : parseHours(hoursText);
  if (hours && "problem" in hours) problems.add(`${key}.hours`, hours.problem);
  const digestText = problems.text(`${key}.digest`, table.digest);
  const digest = digestText === null ? null : parseTime(digestText);
  if (digestText !== null && digest === null)
    problems.add(`${key}.digest`, 'must be a time of day, like "08:30"');
  return { name, addresses, hours: hours && "zone" in hours ? hours : null, digest };
}

export function readGroups(
  section: unknown,
  people: ReadonlyMap<string, Person>,
  problems: Problems,
): Map<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(problems.table("group", section))) {
    const key = `group.${name}`;
    if (!problems.name(key, name)) continue;
    if (people.has(name)) problems.add(key, `has the name of a person; choose another`);
    groups.set(name, knownPeople(key, value, people, problems));
  }
  return groups;
}

export function readRotas(
  section: unknown,
  people: ReadonlyMap<string, Person>,
  problems: Problems,
): Map<string, Rota> {
  const rotas = new Map<string, Rota>();
  for (const [name, value] of Object.entries(problems.table("rota", section))) {
    const key = `rota.${name}`;
    if (!problems.name(key, name)) continue;
    const rota = readRota(key, problems.table(key, value), people, problems);
    if (rota) rotas.set(name, rota);
  }
  return rotas;
}

function readRota(
  key: string,
  table: Table,
  people: ReadonlyMap<string, Person>,
  problems: Problems,
): Rota | null {
  problems.keys(key, table, ["people", "turn", "from"]);
  const members = knownPeople(`${key}.people`, table.people, people, problems);
  const turn_ms = turnIn(table.turn);
  if (turn_ms === null) problems.add(`${key}.turn`, 'must be at least a minute, like "1w" or "12h"');
  const text = typeof table.from === "string" ? table.from : "";
  const from = parseBeginning(text);
  if ("problem" in from) problems.add(`${key}.from`, from.problem);
  if (turn_ms === null || "problem" in from || members.length === 0) return null;
  return { people: members, turn_ms, from };
}

/** Weeks are only written here: nothing else takes turns. */
function turnIn(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const [, weeks] = /^(\d{1,3})w$/.exec(value) ?? [];
  const ms = parseDuration(weeks === undefined ? value : `${Number(weeks) * 7}d`);
  return ms !== null && ms >= 60_000 ? ms : null;
}

function knownPeople(
  key: string,
  value: unknown,
  people: ReadonlyMap<string, Person>,
  problems: Problems,
): string[] {
  const names = problems.texts(key, value) ?? [];
  if (names.length === 0) problems.add(key, 'must name people, like ["ana", "ben"]');
  const nobodyElse = { people, groups: new Map(), rotas: new Map() };
  for (const name of names) {
    const wrong = nameProblem(nobodyElse, name);
    if (wrong !== null) problems.add(key, `names an ${wrong.replace("person or group", "person")}`);
  }
  return names;
}
