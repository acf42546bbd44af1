import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  agentAtWork,
  approval,
  due,
  errored,
  exited,
  plan,
  question,
  stopped,
  tail,
} from "../../../test/fakes/agents.ts";
import type { Observation } from "../agent/agent.ts";
import { dialogAnswered } from "../agent/dialog.ts";
import { startedWith } from "../agent/started.ts";
import { sendToAgent } from "../control/agent-send.ts";
import { saying, wordsLost, wordsSaid, wordsTold } from "./delivery.ts";

/** An agent that is owed words. */
function owedWords() {
  const agent = agentAtWork();
  const { it: w, id } = agent;
  w.play((state, moment) => sendToAgent(state, { id, text: "Go on." }, moment));
  const { incarnation } = agent.agent();
  const parcel_id = agent.agent().outbox[0]?.id ?? assert.fail("nothing is owed");
  const named = { id, incarnation, parcel_id };
  return { ...agent, w, parcel_id, named, outbox: () => agent.agent().outbox };
}

describe("what came of bringing an agent words", () => {
  it("notes how often the terminal showed them before they were said", () => {
    const { w, named, outbox } = owedWords();
    w.play((state, moment) => saying(state, { ...named, shown: 2 }, moment));
    assert.equal(outbox()[0]?.shown, 2);
  });

  it("is that they were delivered, and still have to be received", () => {
    const { w, named, outbox } = owedWords();
    w.play((state, moment) => wordsSaid(state, { ...named, read: false }, moment));
    assert.deepEqual(
      outbox().map((it) => it.state),
      ["delivered"],
    );
  });

  it("is that a program has read them once its screen reacted, in one commit", () => {
    const { w, named, outbox } = owedWords();
    const events = w.play((state, moment) => wordsSaid(state, { ...named, read: true }, moment));
    assert.deepEqual(
      events.map((it) => it.type),
      ["agent:delivered", "agent:received"],
    );
    assert.deepEqual(outbox(), []);
  });

  it("is that a response carried them, and what it does next is the receipt", () => {
    const { w, parcel_id, named, outbox } = owedWords();
    w.play((state, moment) => wordsTold(state, { ...named, parcel_ids: [parcel_id, "another"] }, moment));
    assert.deepEqual(
      outbox().map((it) => [it.state, it.told]),
      [["delivered", true]],
    );
  });

  it("is that they are owed again where they were lost, but only once they were said", () => {
    const { w, named, outbox } = owedWords();
    const lost = () => w.play((state, moment) => wordsLost(state, named, moment));
    assert.deepEqual(lost(), []);
    w.play((state, moment) => wordsSaid(state, { ...named, read: false }, moment));
    lost();
    assert.deepEqual(
      outbox().map((it) => it.state),
      ["owed"],
    );
  });

  it("is nothing where the agent or the words are gone", () => {
    const { w, named: known } = owedWords();
    const gone = { ...known, id: "agt-0" as const };
    const other = { ...known, parcel_id: "dlv-0" };
    for (const named of [gone, other]) {
      const rules = [
        w.play((state, moment) => saying(state, { ...named, shown: 0 }, moment)),
        w.play((state, moment) => wordsSaid(state, { ...named, read: true }, moment)),
        w.play((state, moment) => wordsTold(state, { ...named, parcel_ids: [named.parcel_id] }, moment)),
        w.play((state, moment) => wordsLost(state, named, moment)),
        w.play((state, moment) => dialogAnswered(state, { ...named, taken: true }, moment)),
      ];
      assert.deepEqual(rules.flat(), []);
    }
  });
});

describe("words that went to a process which has died since", () => {
  const rules: [string, typeof saying | typeof wordsSaid | typeof wordsTold | typeof wordsLost][] = [
    ["are about to be said", saying],
    ["were typed", wordsSaid],
    ["were told", wordsTold],
    ["were lost", wordsLost],
  ];
  it.each(rules)("and %s, are still owed to the next one", (_, rule) => {
    const { w, id, seen, answer, named, agent } = owedWords();
    seen(exited);
    answer("retry");
    assert.deepEqual([agent().status, agent().incarnation], ["starting", 2]);
    if (rule === wordsLost) {
      const given = { id, incarnation: 2, parcel_ids: [named.parcel_id] };
      w.play((state, moment) => startedWith(state, given, moment));
    }
    const before = agent().outbox;
    const given = { ...named, parcel_ids: [named.parcel_id], shown: 1, read: true };
    assert.deepEqual(
      w.play((state, moment) => rule(state, given, moment)),
      [],
    );
    assert.deepEqual(agent().outbox, before);
  });
});

describe("an answer to a dialog", () => {
  it("is delivered by keys, and acknowledged where only the screen can prove it", () => {
    for (const taken of [false, true]) {
      const { it: w, id, seen, answer, decision } = agentAtWork();
      seen({ type: "prompted", prompt: approval, tail });
      const { id: parcel_id } = answer("approve");
      w.play((state, moment) => dialogAnswered(state, { id, parcel_id, taken }, moment));
      assert.equal(decision(parcel_id).delivery.state, taken ? "acknowledged" : "delivered");
    }
  });

  const answers = [
    { prompt: approval, key: "approve", says: {} },
    { prompt: approval, key: "deny", says: {} },
    { prompt: approval, key: "deny", says: { message: "Not here." } },
    { prompt: plan, key: "accept-auto", says: {} },
    { prompt: question, key: null, says: { choices: [[1]] } },
  ];
  const left = {
    "goes on": [{ type: "submitted", text: "Not here." }],
    stops: [stopped],
    "goes on and stops": [{ type: "submitted", text: "Not here." }, stopped],
    "meets an error": [errored],
  } satisfies Record<string, Observation[]>;
  const cases = answers.flatMap((given) =>
    Object.entries(left).map(([how, reports]) => ({ ...given, kind: given.prompt.kind, how, reports })),
  );
  it.each(cases)(
    "is acknowledged if the agent $how before we record that it was given: $kind, $key",
    ({ prompt, key, says, reports }) => {
      const [early, usual] = [agentAtWork(), agentAtWork()];
      const ends = [early, usual].map((world) => {
        const { it: w, id, seen, answer, decision, pending, agent } = world;
        seen({ type: "prompted", prompt, tail });
        const { id: parcel_id } = answer(key, says);
        const record = () =>
          w.play((state, moment) => dialogAnswered(state, { id, parcel_id, taken: false }, moment));
        if (world === usual) record();
        for (const it of reports) seen(it);
        if (world === early) record();
        const { status, outbox } = agent();
        const { state } = decision(parcel_id).delivery;
        return { state, status, outbox, asks: pending().map((it) => it.source), due: due(w.state) };
      });
      assert.equal(ends[0]?.state, "acknowledged");
      assert.deepEqual(ends[0], ends[1]);
    },
  );
});
