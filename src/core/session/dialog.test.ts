import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { approval } from "../../../test/fakes/agents.ts";
import { world } from "../../../test/fakes/core.ts";
import { resolveDecision } from "../decision/give.ts";
import type { DecisionId } from "../model/ids.ts";
import { sessionRecipient } from "../model/queue-types.ts";
import { askDialog, replyEnded, replyGiven } from "./dialog.ts";

const session = "s1";
const from = { session, cwd: "/shop", client: null, project: "shop" };

const asked = { prompt: approval, last_message: "I will." };

/** A session's dialog whose answer is about to go to a hook. */
function answered() {
  const w = world();
  w.play((state, moment) => askDialog(state, from, { ...asked, isHidden: false }, moment));
  const id = [...w.state.pending][0] as DecisionId;
  const answer = { id, choices: [], option: "approve", text: null, message: "Test it.", by: "ana" };
  w.play((state, moment) => resolveDecision(state, { ...answer, via: "cli" }, moment));
  const delivery = () => w.state.decisions.get(id)?.delivery;
  const waiting = () => w.state.queues.get(sessionRecipient(session))?.entries.map((it) => it.text);
  return { w, id, delivery, waiting };
}

describe("a session's dialog", () => {
  it("says whether its own terminal shows it too", () => {
    for (const [isHidden, words] of [
      [false, /in \/shop\. Its own terminal shows the dialog as well\.\n/],
      [
        true,
        /in \/shop\. Its own terminal shows the dialog only once this is dismissed, or its time is over\.\n/,
      ],
    ] as const) {
      const w = world();
      w.play((state, moment) => askDialog(state, from, { ...asked, isHidden }, moment));
      assert.match([...w.state.decisions.values()][0]?.context ?? "", words);
    }
  });
});

describe("the answer to a session's dialog", () => {
  it("is delivered with the hook's response, and what was added follows by the queue", () => {
    const { w, id, delivery, waiting } = answered();
    w.play((state, moment) => replyGiven(state, { id, session, adds: "Test it.", by: "ana" }, moment));
    assert.equal(delivery()?.state, "delivered");
    assert.deepEqual(waiting(), ["Test it."]);
    w.play((state, moment) => replyEnded(state, { id, arrived: true }, moment));
    assert.equal(delivery()?.state, "acknowledged");
  });

  it("has failed where the hook was gone, unless it was never on its way", () => {
    const { w, id, delivery } = answered();
    const gone = () => w.play((state, moment) => replyEnded(state, { id, arrived: false }, moment));
    assert.deepEqual(gone(), []);
    w.play((state, moment) => replyGiven(state, { id, session, adds: null, by: "ana" }, moment));
    gone();
    assert.equal(delivery()?.state, "failed");
    assert.equal(delivery()?.error, "the session's hook was gone before it got the answer");
  });
});
