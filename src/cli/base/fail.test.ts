import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { isDisconnect } from "../../client/disconnect.ts";
import { REFUSALS, Refusal } from "../../core/model/errors.ts";
import { exitCodeOf, isBug, refusalBody, refusalText, toRefusal } from "./fail.ts";
import { plain } from "./output.ts";

describe("a refusal", () => {
  it("says what happened, what would be right, and what to type", () => {
    const refusal = new Refusal(
      "decision.out-of-range",
      "dec-4f2a has 4 options; 7 is not one of them.",
      "1 Nudge (recommended)  2 Done  3 Cancel  4 Dismiss\noj decision resolve dec-4f2a <1-4>",
    );
    assert.equal(
      refusalText(refusal, plain),
      `✗ dec-4f2a has 4 options; 7 is not one of them.
  1 Nudge (recommended)  2 Done  3 Cancel  4 Dismiss
  → oj decision resolve dec-4f2a <1-4>`,
    );
  });
  it("shows nothing hostile from outside", () => {
    assert.equal(
      refusalText(new Refusal("usage", "no \u001b[2Jcommand", "\u202ehint"), plain),
      "✗ no ␛[2Jcommand\n  → \\u{202e}hint",
    );
  });
  it("is wrapped to the terminal", () => {
    assert.equal(
      refusalText(new Refusal("usage", "one two three four"), plain, 14),
      "✗ one two\n  three four",
    );
  });
  it("has the same parts as JSON, and details if there are any", () => {
    assert.deepEqual(refusalBody(new Refusal("usage", "m", "h")), {
      error: { code: "usage", message: "m", hint: "h" },
    });
    assert.deepEqual(refusalBody(new Refusal("usage", "m", null, { a: 1 })), {
      error: { code: "usage", message: "m", hint: null, details: { a: 1 } },
    });
  });
  it("has the exit code of the contract", () => {
    const codes = new Set(Object.keys(REFUSALS).map((code) => exitCodeOf(code as keyof typeof REFUSALS)));
    assert.deepEqual([...codes].sort(), [1, 2, 3, 5]);
    assert.equal(exitCodeOf("decision.not-found"), 1);
    assert.equal(exitCodeOf("usage"), 2);
    assert.equal(exitCodeOf("daemon.unreachable"), 3);
    assert.equal(exitCodeOf("timeout"), 5);
  });
  it("with a code from a newer daemon, unknown to us, is still a refusal", () =>
    assert.equal(exitCodeOf("new.code" as "usage"), 1));
});

describe("a lost connection", () => {
  const errno = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });
  for (const error of [
    new Error("the daemon closed the connection"),
    errno("ECONNRESET", "read"),
    errno("EPIPE", "write"),
    errno("ECONNREFUSED", "connect"),
    errno("ENOENT", "connect"),
    new Refusal("daemon.stopping", "it stops"),
  ])
    it(`is recognized by ${error.message}`, () => {
      assert.equal(isDisconnect(error), true);
      assert.equal(exitCodeOf(toRefusal(error).code), 3);
      assert.equal(isBug(error), false);
    });
  it("is not confused with a missing file", () => assert.equal(isDisconnect(errno("ENOENT", "open")), false));
});

describe("a bug", () => {
  it("is reported in one sentence, with how to see more", () => {
    const refusal = toRefusal(new TypeError("x is not a function"));
    assert.equal(refusal.message, "oj failed, and this is a bug in oj: x is not a function");
    assert.match(refusal.hint ?? "", /OJ_DEBUG=1/);
    assert.equal(exitCodeOf(refusal.code), 3);
    assert.equal(isBug(new TypeError("x")), true);
    assert.equal(isBug(new Refusal("daemon.failed", "the daemon said so")), false);
  });
});
