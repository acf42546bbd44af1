import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../test/fakes/fake-client.ts";
import { standing } from "./words.ts";

const answer = {
  chosen: 1,
  choices: [[1]],
  labels: ["Stage"],
  text: null,
  message: null,
  by: "ana",
  via: "cli" as const,
  resolved_at_ms: 0,
};

describe("what a model is told", () => {
  it("has the default that a deadline took, and does not call it somebody's answer", () => {
    const ended = { reason: "no answer within 1h", by: "escalation:deadline", at_ms: 0 };
    const expired = decision({ id: "dec-1", state: "expired", ended });
    assert.match(standing(expired), /\(no answer within 1h\)\. There will be no answer/);
    assert.equal(
      standing({ ...expired, answer: { ...answer, by: "escalation:deadline", via: "escalation" } }),
      'dec-1 has expired (no answer within 1h). By default: option 1, "Stage". No person has decided this.',
    );
  });

  it("names the request that must follow an answer", () => {
    const answered = decision({ id: "dec-1", state: "resolved", answer });
    assert.equal(standing(answered), 'dec-1 was answered by ana.\nChosen: option 1, "Stage"');
    assert.match(
      standing({ ...answered, successor: "checkpoint" }),
      /"Stage"\nBefore you ask .* template "checkpoint" and predecessor "dec-1"\.$/,
    );
  });
});
