/** Who hears of a decision by which channel: all channels of a `via` at once, one message for each room. */
import type { Decision } from "../model/decision-types.ts";
import type { ChannelKind, Missed, NewNotice, Notice, NoticeReason } from "../model/reach-types.ts";
import type { Person, ReachConfig } from "./config-types.ts";
import { peopleOf } from "./who.ts";

/** A channel, as far as it matters for who hears by it. */
export interface Way {
  name: string;
  kind: ChannelKind;
  /** If it writes to one room for everybody: that room. */
  room: string | null;
  /** It hears of every decision, whatever the routes say. */
  hearsAll: boolean;
  /** It is used only where a `via` names it. */
  onlyIfNamed: boolean;
  /** Why nothing can be sent by it; null if it can. */
  trouble: string | null;
  addressOf(person: Person): string | null;
}

/** Whom to tell, by which channels (null: every one that the person has), and why. */
export interface Telling {
  names: readonly string[];
  via: readonly string[] | null;
  reason: NoticeReason;
}

export type Draft = Omit<NewNotice, "key">;

export interface Plan {
  notices: readonly Draft[];
  missed: readonly Missed[];
}

export interface World {
  config: ReachConfig;
  ways: readonly Way[];
  at_ms: number;
  /** When a message to this address goes out as part of a digest; undefined: at once, by itself. */
  digestAt(way: Way, to: string, people: readonly Person[]): number | undefined;
}

/** The notices for these people. Whoever can't be reached by what is named is told by their next channel. */
export function planFor({ names, via, reason }: Telling, world: World): Plan {
  const { config, at_ms } = world;
  const people = peopleOf(config, names, at_ms);
  const named = via === null ? null : new Set(via);
  const wanted = (way: Way) => (named ? named.has(way.name) || named.has(way.kind) : !way.onlyIfNamed);
  const plan = gather(world);
  for (const person of people) {
    const own = world.ways.filter((it) => !it.hearsAll && wanted(it) && reaches(it, person));
    for (const way of own.filter((it) => it.trouble === null)) plan.add(way, person, reason);
    const failed = own.filter((it) => it.trouble !== null);
    const used = new Set(own.map((it) => it.name));
    for (const way of failed) standIn(way.name, way.trouble ?? "", person, used);
    if (own.length === 0) standIn(null, noWay(via, person), person, used);
  }
  if (people.length === 0) plan.miss(names.join(", ") || "nobody", "nobody has this name");
  return plan.made();

  function standIn(broken: string | null, why: string, person: Person, used: Set<string>): void {
    const next = nextWay(world.ways, person, used);
    plan.miss(person.name, broken === null ? why : `${broken}: ${why}`);
    if (!next) return;
    used.add(next.name);
    plan.add(next, person, "instead");
  }
}

/** What hears of every decision. */
export function planForAll(world: World): Plan {
  const hearing = world.ways.filter((it) => it.hearsAll && it.trouble === null);
  const notices = hearing.map(({ name, kind }): Draft => {
    return { channel: name, kind, person: null, names: [], to: name, reason: "asked", is_log: true };
  });
  return { notices, missed: [] };
}

/** A message did not get through: each person whom it was for is told by a channel that was not used for it yet. */
export function planInstead(
  { reach }: Pick<Decision, "reach">,
  failed: { key: string; names: readonly string[] },
  world: World,
): Plan {
  const plan = gather(world);
  const around = sameTelling(reach?.notices ?? [], failed.key);
  for (const person of peopleOf(world.config, failed.names, world.at_ms)) {
    const theirs = around.filter((it) => it.names.includes(person.name));
    const next = nextWay(world.ways, person, new Set(theirs.map((it) => it.channel)));
    if (next) plan.add(next, person, "instead", failed.key);
    else plan.miss(person.name, "there is no other channel");
  }
  return plan.made();
}

/**
 * What was said together with this message or since then. What stood in for an earlier one is long gone by the next
 * reminder, and may well bring that one, too.
 */
function sameTelling(notices: readonly Notice[], key: string): readonly Notice[] {
  let root = notices.find((it) => it.key === key);
  for (let before = root; before?.instead_of !== undefined; ) {
    const { instead_of } = before;
    before = notices.find((it) => it.key === instead_of);
    root = before ?? root;
  }
  if (!root) return notices;
  return [...notices.slice(notices.indexOf(root)), ...notices.filter((it) => it.reason === root.reason)];
}

function nextWay(ways: readonly Way[], person: Person, used: ReadonlySet<string>): Way | undefined {
  return ways.find((it) => {
    return (
      !it.hearsAll && !it.onlyIfNamed && it.trouble === null && !used.has(it.name) && reaches(it, person)
    );
  });
}

function reaches(way: Way, person: Person): boolean {
  return way.addressOf(person) !== null;
}

function noWay(via: readonly string[] | null, { name }: Person): string {
  return via === null ? `${name} has no channel` : `${name} has no address for ${via.join(", ")}`;
}

/** One message for each person and channel, or for each room. */
function gather(world: World) {
  const found = new Map<string, { way: Way; to: string; people: Person[]; draft: Draft }>();
  const missed: Missed[] = [];
  return {
    add(way: Way, person: Person, reason: NoticeReason, instead_of?: string) {
      const to = way.room ?? way.addressOf(person) ?? "";
      const id = JSON.stringify([way.name, to]);
      const entry = found.get(id);
      if (entry) entry.people.push(person);
      const more = instead_of === undefined ? {} : { instead_of };
      const { name: channel, kind } = way;
      const draft = { channel, kind, person: way.room ? null : person.name, names: [], to, reason, ...more };
      if (!entry) found.set(id, { way, to, people: [person], draft });
    },
    miss: (name: string, why: string) => missed.push({ name, why }),
    made(): Plan {
      const notices = [...found.values()].map(({ way, to, people, draft }): Draft => {
        const digest_at_ms = world.digestAt(way, to, people);
        const names = people.map((it) => it.name);
        if (digest_at_ms === undefined) return { ...draft, names };
        return { ...draft, names, reason: "digest", digest_at_ms };
      });
      return { notices, missed };
    },
  };
}
