import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "vitest";
import type { Citizen } from "../../../test/fakes/crowd.ts";
import { citizen, idOf } from "../../../test/fakes/crowd.ts";
import { rule } from "../../../test/fakes/fake-client.ts";
import { about, brief, held, resolved } from "../../../test/fakes/inbox.ts";
import type { DecisionView } from "../../api/api.ts";
import type { DecisionFact, Event } from "../../core/model/events.ts";
import type { Effect } from "../../inbox/model.ts";
import type { Key } from "../base/keys.ts";
import { plain } from "../base/output.ts";
import type { DeskEffect } from "./desk.ts";
import { makeDesk } from "./desk.ts";

const SIZES = [
  [80, 24],
  [120, 40],
  [50, 14],
  [72, 18],
  [44, 11],
  [30, 8],
] as const;

const KEYS = [
  ..."jkgG112222JJKesMmmdutr!a?/pfRR33",
  "enter",
  "enter",
  "enter",
  "enter",
  "escape",
  "tab",
  "space",
];

/** What people do in a row; `draw` and `load` are what the machine does meanwhile, or has not done yet. */
const HABITS = [
  "1 enter",
  "1 draw enter draw enter",
  "2 enter draw enter",
  "load draw 1 enter draw enter",
  "load draw J draw J draw 1 enter",
  "load draw J draw J draw J draw J draw J draw J draw J draw J draw J draw J draw 1 enter",
  "load draw 1 enter load draw J draw J draw enter",
  "M draw m j 1 enter load draw enter",
  "1 enter load draw J draw J draw J draw J draw J draw J draw enter",
  "j load draw 1 enter",
  "j j load draw 1 enter load draw enter u",
  "e draw escape draw 1 enter",
  "J J J J J J draw 1 enter",
  "u draw",
  "f draw 1 enter enter draw f draw",
  "load draw R load draw 3 enter",
  "R load 2 enter",
  "load R draw load draw J draw J draw 2 draw enter draw enter",
  "R load draw J draw J draw J draw J draw J draw J draw J draw J draw J draw J draw 3 enter",
];

type Move =
  | { key: string }
  | { habit: string }
  | { type: string }
  | { arrive: number }
  | { settle: number; how: "withdrawn" | "answered" | "superseded" }
  | { change: number }
  | { resize: number }
  | { wait: number }
  | { draw: true }
  | { load: true };

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: fc.record({ key: fc.constantFrom(...KEYS) }) },
    { weight: 10, arbitrary: fc.record({ habit: fc.constantFrom(...HABITS) }) },
    { weight: 4, arbitrary: fc.record({ draw: fc.constant(true as const) }) },
    { weight: 2, arbitrary: fc.record({ load: fc.constant(true as const) }) },
    { weight: 2, arbitrary: fc.record({ arrive: fc.nat(6) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("job1", "k0", "nothing", "k2 bash") }) },
    {
      weight: 1,
      arbitrary: fc.record({
        settle: fc.nat(20),
        how: fc.constantFrom("withdrawn" as const, "answered" as const, "superseded" as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ change: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ resize: fc.nat(SIZES.length - 1) }) },
    { weight: 1, arbitrary: fc.record({ wait: fc.nat(900) }) },
  ),
  { minLength: 5, maxLength: 24 },
);

/** What a person at this terminal has had before their eyes, read from the screen alone. */
class Witness {
  private readonly seen = new Set<string>();
  private readonly opened = new Set<string>();
  private readonly cuts = new Set<string>();

  look(lines: readonly string[]): void {
    const text = lines.join("\n");
    for (const [token] of text.matchAll(/(?:k\d+v\d+|r\d+)l\d+\./g)) this.seen.add(token);
    const isWhole = (lines.at(-1) ?? "").startsWith("e, Esc or q back");
    for (const [, action] of text.matchAll(/(k\d+v\d+)l0\./g)) if (isWhole) this.opened.add(action ?? "");
    for (const [, hash] of text.matchAll(/characters, sha256 ([0-9a-f]{16})/g)) this.cuts.add(hash ?? "");
  }

  /** The hash of a rule has a token for each of its lines. */
  knowsRule(hash: string): boolean {
    return hash.split(" ").every((it) => this.seen.has(it));
  }

  /** All of it was on the screen; or its cut was, with its hash, and it was opened. */
  knows({ view, tokens }: Citizen): boolean {
    const action = tokens[0]?.replace(/l0\.$/, "") ?? "";
    const hash = view.action?.sha256.slice(0, 16) ?? "";
    return tokens.every((it) => this.seen.has(it)) || (this.cuts.has(hash) && this.opened.has(action));
  }
}

function keyOf(name: string): Key {
  switch (name) {
    case "enter":
    case "escape":
      return { type: name };
    case "tab":
      return { type: "move", name } as Key;
    default:
      return { type: "text", text: name === "space" ? " " : name };
  }
}

const onHold = (view: DecisionView): DecisionView => ({
  ...view,
  held: {
    given: {},
    answer: { labels: ["Approve"], text: null },
    held_at_ms: 0,
    release_at_ms: 9e9,
  } as never,
});

/** Returns how many decisions were approved. */
function session(all: readonly Move[]): number {
  let now = 1_000_000;
  let size: readonly [number, number] = SIZES[0];
  const desk = makeDesk(() => now, plain);
  const witness = new Witness();
  const world = new Map<string, Citizen>();
  const pending = new Set<string>();
  const loads: string[] = [];
  const proposals: string[] = [];
  let next = 0;
  let rules = 0;
  let approved = 0;

  const hear = (...facts: DecisionFact[]) =>
    act(desk.put({ type: "events", events: facts.map((it) => ({ seq: 1, at_ms: now, ...it }) as Event) }));
  const arrive = (kind: number) => {
    const it = citizen(next, kind);
    next += 1;
    world.set(it.view.id, it);
    pending.add(it.view.id);
    return it;
  };

  /** The daemon's part; and every answer is held against what was on the screen. */
  function act(effects: readonly DeskEffect[]): void {
    for (const effect of effects) {
      if (effect.type === "load") loads.push(effect.id);
      else if (effect.type === "propose") proposals.push(effect.id);
      else if (effect.type === "remember") {
        assert.ok(witness.knowsRule(effect.body.hash), `the rule for ${effect.id} was on the screen`);
        answered([effect.id], { choices: [[1]] });
      } else if (effect.type === "resolve") answered([effect.id], effect.body);
      else if (effect.type === "resolve-all") answered(effect.ids, effect.body);
      else if (effect.type === "undo") {
        const results = effect.ids.map((id) => ({ id, decision: world.get(id)?.view as DecisionView }));
        for (const id of effect.ids) pending.add(id);
        hear(
          ...effect.ids.map((id) => ({ type: "decision:undone", ...about(id), by: "ana" }) as DecisionFact),
        );
        act(desk.put({ type: "taken-back", results }));
      }
    }
  }

  function answered(
    ids: readonly string[],
    { choices, option }: Extract<Effect, { type: "resolve" }>["body"],
  ): void {
    const approves = (choices?.flat().includes(1) ?? false) || option === "approve";
    assert.ok(approves || choices?.flat().includes(2) || option === "dismiss", "a choice");
    const kinds = new Set(ids.map((id) => world.get(id)?.view.action?.sha256));
    if (option === undefined) assert.equal(kinds.size, 1, "one answer goes to one action only");
    const { high, text } = desk.inbox().filter;
    for (const id of ids) {
      const it = world.get(id);
      assert.ok(it && pending.has(id), `${id} waits for an answer`);
      const { title, owner, urgency } = it.view;
      const words = `${id} ${title} ${owner.name} approval shop ${urgency}`.toLowerCase();
      assert.ok(!high || it.view.urgency === "high", `${id} is in the list`);
      assert.ok(
        text
          .toLowerCase()
          .split(" ")
          .every((word) => words.includes(word)),
        `${id} is in the list`,
      );
      if (approves) assert.ok(witness.knows(it), `all of ${id} was on the screen: ${it.tokens.length} lines`);
      pending.delete(id);
      if (approves) approved += 1;
    }
    const views = ids.map((id) => onHold(world.get(id)?.view as DecisionView));
    hear(...ids.map(held));
    if (views.length === 1) act(desk.put({ type: "answered", decision: views[0] as DecisionView }));
    else act(desk.put({ type: "answered-all", results: views.map((it) => ({ id: it.id, decision: it })) }));
  }

  const first = [0, 1, 1, 2, 3, 4, 4].map(arrive);
  act(desk.put({ type: "listed", briefs: first.map((it) => brief(it.view)) }));
  const draw = () => witness.look(desk.draw({ columns: size[0], rows: size[1], peeked: [] }));
  const load = () => {
    for (const id of proposals.splice(0)) {
      const lines = Array.from({ length: 1 + (rules % 40) }, (_, line) => `r${rules}l${line}.`);
      rules += 1;
      const found = rule(id, { text: lines.join("\n"), hash: lines.join(" ") });
      act(desk.put({ type: "proposed", found }));
    }
    for (const id of loads.splice(0)) {
      const view = world.get(id)?.view;
      if (view && pending.has(id)) act(desk.put({ type: "loaded", decision: view }));
    }
  };
  const press = (name: string) => {
    if (desk.inbox().mode.type === "write" && name.length === 1) return; // words are no keys
    act(desk.press(keyOf(name)));
  };
  for (const move of all) {
    if ("key" in move) press(move.key);
    else if ("habit" in move)
      for (const name of move.habit.split(" "))
        name === "draw" ? draw() : name === "load" ? load() : press(name);
    else if ("draw" in move) draw();
    else if ("load" in move) load();
    else if ("type" in move) {
      press("/");
      if (desk.inbox().mode.type === "filter") act(desk.put({ type: "filtered", text: move.type }));
    } else if ("arrive" in move) {
      const { view } = arrive(move.arrive);
      hear({ ...view, type: "decision:created" } as never as DecisionFact);
    } else if ("resize" in move) size = SIZES[move.resize] ?? size;
    else if ("wait" in move) now += move.wait;
    else {
      const ids = [...pending];
      const at = "settle" in move ? move.settle : move.change;
      const id = ids[at % Math.max(1, ids.length)];
      const it = id === undefined ? undefined : world.get(id);
      if (id === undefined || !it) continue;
      if ("change" in move) {
        // an action never changes under its id, but if it did, nothing of it would have been seen
        const changed = citizen(Number(id.slice(4)), it.kind, now);
        now += 1;
        world.set(id, { ...changed, view: { ...changed.view, title: it.view.title } });
        if (desk.inbox().details.has(id))
          act(desk.put({ type: "loaded", decision: world.get(id)?.view as DecisionView }));
        continue;
      }
      pending.delete(id);
      const to = ids.find((one) => one !== id) ?? idOf(99);
      if (move.how === "answered") hear(resolved(id));
      else if (move.how === "withdrawn")
        hear({ type: "decision:withdrawn", ...about(id), reason: "gone", by: "oj" } as DecisionFact);
      else hear({ type: "decision:superseded", ...about(id), superseded_by: to } as DecisionFact);
    }
  }
  return approved;
}

/** Many more in `npm run test:long`. */
const SESSIONS = Number(process.env.OJ_DESK_SESSIONS ?? 100);

it(`in ${SESSIONS} random sessions, no answer goes to what was not on the screen or not in the list`, () => {
  let approved = 0;
  const property = fc.property(moves, (all) => {
    approved += session(all);
  });
  fc.assert(property, { numRuns: SESSIONS });
  assert.ok(approved > SESSIONS / 4, `${approved} were approved`);
});
