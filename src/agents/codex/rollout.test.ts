import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hooks, patch, rollout } from "../../../test/fakes/codex/recorded.ts";
import { errorOf } from "./errors.ts";
import { readHook } from "./hooks.ts";
import { hasWords, newsIn, readRollout } from "./rollout.ts";

const read = (...lines: string[]) => readRollout(lines.join("\n"));

describe("the file of a Codex conversation", () => {
  it("has the open calls exactly as their hooks describe them", () => {
    const { open } = read(rollout.said, rollout.command, rollout.patch, rollout.asked);
    const [asked] = readHook(hooks.asks).seen;
    assert.equal(open[0]?.sha256, asked?.type === "prompted" ? asked.prompt.sha256 : null);
    assert.deepEqual(
      open.map((it) => [it.key, it.kind, it.tool]),
      [
        ["call_1", "approval", "Bash"],
        ["call_2", "approval", "apply_patch"],
        ["call_3", "question", "request_user_input"],
      ],
    );
    assert.deepEqual(open[1]?.input, { command: patch });
  });

  it("tells how a call ended: it ran, or somebody refused or interrupted it", () => {
    const endOf = (line: string) => read(rollout.command, line).ended;
    assert.deepEqual(endOf(rollout.ran), [{ key: "call_1", ran: true }]);
    for (const line of [rollout.refused, rollout.aborted])
      assert.deepEqual(endOf(line), [{ key: "call_1", refused: true, wordless: true }]);
    assert.deepEqual(read(rollout.asked, rollout.answered).ended, [
      {
        key: "call_3",
        ran: true,
        answers: { "Which database?": "SQLite", "Which colour?": "Red, dark please" },
      },
    ]);
    assert.deepEqual(read(rollout.command, rollout.ran).open, []);
  });

  it("has the last words and the error that a turn ended with, until somebody speaks again", () => {
    const failed = read(rollout.said, rollout.spoke, rollout.failed);
    assert.deepEqual(
      [failed.last_message, failed.error?.kind, failed.begun],
      ["Made it", "rate_limited", true],
    );
    assert.equal(read(rollout.failed, rollout.said).error, null);
  });

  it("is told as news would be, leaving out what the client adds and what is old", () => {
    const lines = [rollout.context, rollout.said, rollout.command, rollout.refused].join("\n");
    assert.deepEqual(newsIn(lines, 0), [
      { type: "submitted", text: "Please make a file" },
      { type: "answered", key: "call_1", refused: true, wordless: true },
    ]);
    assert.equal(newsIn(lines, Date.parse("2026-11-16T16:25:51.500Z")).length, 1);
  });

  it("can be resumed once somebody said something, and may be cut off anywhere", () => {
    assert.equal(hasWords(rollout.context), false);
    assert.equal(hasWords(rollout.said), true);
    const whole = Object.values(rollout).join("\n");
    for (let at = 0; at < whole.length; at += 97) readRollout(whole.slice(at));
  });
});

describe("an error of Codex", () => {
  it("has a kind, by its word, its status or what it says", () => {
    const kindOf = (codex_error_info: unknown, message = "") => errorOf({ message, codex_error_info })?.kind;
    assert.equal(kindOf("usage_limit_exceeded"), "rate_limited");
    assert.equal(kindOf({ http_connection_failed: { http_status_code: 401 } }), "unauthorized");
    assert.equal(kindOf({ x: { http_status_code: 503 } }), "overloaded");
    assert.equal(kindOf(null, "unexpected status 402 Payment Required"), "out_of_credits");
    assert.equal(kindOf({ x: {} }, "error sending request for url (http://x)"), "no_internet");
    assert.equal(kindOf("sandbox_error", "?"), "other");
    assert.equal(errorOf(null), null);
  });
});
