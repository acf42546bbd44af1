import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, approval, plan, prompted, stopped } from "../../../test/fakes/agents.ts";
import { resolveDecision } from "../decision/give.ts";
import { undoAnswer } from "../decision/undo.ts";
import { owed } from "../owed.ts";
import { expire } from "./deadline.ts";

const HOUR = 3_600_000;

/** An agent that asked, and whose deadline has passed. */
function expired(seen: Parameters<ReturnType<typeof agentAtWork>["seen"]>[0], key: string) {
  const world = agentAtWork({ notify: { deadline_ms: HOUR, default: key } });
  world.seen(seen);
  const [asked] = world.pending();
  if (!asked) throw new Error("nothing was asked");
  const effect = owed(world.it.state).find((it) => it.type === "expire");
  if (effect) world.it.play((state, moment) => expire(state, effect, moment));
  return { ...world, id: asked.id };
}

describe("a deadline that passed on an agent's question", () => {
  it("denies an approval through the dialog, which says why, and counts it as delivered when proven", () => {
    const { id, decision, deliver } = expired(prompted(approval), "deny");
    assert.deepEqual(
      [decision(id).state, decision(id).answer?.by, decision(id).delivery.state],
      ["expired", "escalation:deadline", "owed"],
    );
    const { reply } = deliver();
    assert.equal(reply?.type, "deny");
    assert.match(
      reply?.type === "deny" ? (reply.message ?? "") : "",
      /^Nobody answered within 1h, so "Deny"/,
    );
    assert.equal(decision(id).delivery.state, "delivered");
  });

  it("lets an agent that stopped go on, and tells it that no person decided that", () => {
    const { deliver, decision, id, seen } = expired(stopped, "nudge");
    const { text } = deliver();
    assert.match(text, /by default: no person has decided this\. Please continue with your task\.$/);
    seen({ type: "submitted", text });
    assert.deepEqual([decision(id).state, decision(id).delivery.state], ["expired", "acknowledged"]);
  });

  it.each([
    [prompted(approval), "approve"],
    [prompted(plan), "accept-auto"],
    [stopped, "done"],
  ] as const)("approves, accepts and finishes nothing", (seen, key) => {
    const { decision, id } = expired(seen, key);
    assert.deepEqual([decision(id).state, decision(id).default], ["pending", undefined]);
  });
});

it("refuses whoever comes after it, and says what was chosen by whom", () => {
  const { id, it: world } = expired(prompted(approval), "deny");
  const late = { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" } as const;
  assert.throws(
    () => world.play((state, moment) => resolveDecision(state, { ...late, choices: [[1]] }, moment)),
    {
      code: "decision.already-resolved",
      message: /^dec-\w+ expired .*, by escalation:deadline: nobody answered within 1h; by default: Deny$/,
    },
  );
  assert.throws(() => world.play((state, moment) => undoAnswer(state, { id, by: "ana" }, moment)), {
    code: "decision.not-held",
    message: /no answer to take back: it expired: nobody answered within 1h; by default: Deny$/,
  });
});
