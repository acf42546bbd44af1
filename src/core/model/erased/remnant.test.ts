/** Erasing leaves the state that the log would have given if the texts had never been in it. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { randomHistory } from "../../../../test/fakes/histories.ts";
import { eraseTexts, remnantIn } from "../../control/erase.ts";
import type { Decision } from "../decision-types.ts";
import { Refusal } from "../errors.ts";
import type { Event } from "../events.ts";
import { apply, emptyState, replay } from "../state/state.ts";
import { encodeState } from "../state/state-text.ts";
import { eraserOf } from "./remnant.ts";
import { ERASED, keysOf, withoutTexts } from "./texts.ts";

/** The log after one decision was erased, and the event that says so; null: it may not be. */
function erased(events: readonly Event[], decision: Decision): { events: Event[]; by: Event } | null {
  const eraser = eraserOf(decision);
  const remnants = new Map<number, Event>();
  for (const event of events) {
    const left = eraser.remnantOf(event);
    if (left !== null) remnants.set(event.seq, left);
  }
  const { id, project } = decision;
  const records = [...remnants.values()].map(remnantIn);
  try {
    const what = { id, project, by: "root", via: "cli" as const, reason: null, records };
    const [fact] = eraseTexts(replay(events), what);
    const by = { seq: (events.at(-1)?.seq ?? 0) + 1, at_ms: 1, ...fact } as Event;
    return { events: events.map((it) => remnants.get(it.seq) ?? it), by };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

describe("what is left of events whose texts were erased", () => {
  it("folds to the same state as erasing them in it does, byte for byte", () => {
    let tried = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const { events, state } = randomHistory(seed, 300);
      for (const decision of [...state.decisions.values()].slice(0, 10)) {
        const done = erased(events, decision);
        if (done === null) continue;
        tried += 1;
        const live = replay(events);
        apply(live, done.by);
        const again = replay([...done.events, done.by]);
        assert.equal(encodeState(again), encodeState(live), `${seed} ${decision.id}`);
        assert.equal(live.decisions.get(decision.id)?.erased?.by, "root");
      }
    }
    assert.ok(tried > 10, `only ${tried} could be erased`);
  });

  it("keeps who, when and what was chosen, and loses every word", () => {
    const { events, state } = randomHistory(3, 300);
    const decision = [...state.decisions.values()].find((it) => erased(events, it) && it.answer?.message);
    assert.ok(decision);
    const before = decision.answer;
    const done = erased(events, decision);
    const own = done?.events.filter((it) => (it as { id?: string }).id === decision.id) ?? [];
    const text = JSON.stringify(own);
    for (const word of [
      decision.title,
      decision.answer?.message ?? "",
      ...decision.options.map((it) => it.label),
    ])
      assert.ok(!text.includes(JSON.stringify(word)), `${word} is still there`);
    const after = replay([...(done?.events ?? []), done?.by as Event]).decisions.get(decision.id);
    assert.deepEqual(
      [after?.answer?.by, after?.answer?.via, after?.answer?.chosen, after?.answer?.resolved_at_ms],
      [before?.by, before?.via, before?.chosen, before?.resolved_at_ms],
    );
    assert.equal(after?.title, ERASED);
  });

  it("is the same when it is erased again", () => {
    const { events, state } = randomHistory(3, 300);
    const decision = [...state.decisions.values()].find((it) => erased(events, it));
    assert.ok(decision);
    const once = withoutTexts(decision, keysOf(decision.options));
    assert.deepEqual(withoutTexts(once, keysOf(once.options)), once);
    const done = erased(events, decision);
    assert.equal(erased([...(done?.events ?? []), done?.by as Event], decision), null);
  });

  it("takes the names in fields and inputs, escaped or deep inside", () => {
    const secret = 'p"w\n';
    const decision = {
      fields: { [secret]: { [secret]: [secret] } },
      action: {
        tool: "Bash",
        input: { command: secret },
        sha256: secret,
        diff: { path: secret, text: secret },
      },
      questions: [{ question: secret, options: [{ label: secret, description: secret }] }],
      options: [{ key: secret, label: secret, action: { type: "choose", label: secret } }],
      default: secret,
      escalation: { def: { default: secret, name: "night" } },
      reach: { notices: [{ shows: `pending ana=${secret}`, person: "ana" }], missed: [] },
      answer: {
        by: "ana",
        labels: [secret],
        texts: [null, secret],
        passkey: { statement: secret, nonce: "n" },
      },
    };
    const left = withoutTexts(decision, keysOf(decision.options));
    assert.ok(!JSON.stringify(left).includes(JSON.stringify(secret).slice(1, -1)), JSON.stringify(left));
    assert.equal(left.default, left.options[0]?.key);
    assert.equal(left.escalation.def.default, left.options[0]?.key);
    assert.deepEqual(
      [left.answer.by, left.answer.texts[0], left.escalation.def.name],
      ["ana", null, "night"],
    );
  });
});

it("refuses to erase what is not over, and what is erased already", () => {
  const { events, state } = randomHistory(5, 200);
  const pending = [...state.decisions.values()].find((it) => it.state === "pending");
  assert.ok(pending);
  const what = { id: pending.id, project: "shop", by: "root", via: "cli" as const, reason: null };
  assert.throws(() => eraseTexts(replay(events), { ...what, records: [] }), { code: "decision.not-over" });
  assert.throws(() => eraseTexts(emptyState(), { ...what, records: [] }), { code: "decision.erased" });
});
