import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, fakeClient, suggestion } from "../../../test/fakes/fake-client.ts";
import { A, B, byLines, C, review, settledBy, three } from "../../../test/fakes/review.ts";
import { summaryLine } from "./walk.ts";

describe("review at a terminal", () => {
  it("answers by key, with or without a message, and skips", async () => {
    const { summary, resolved } = await review(three(), ["1", "\r", "s", "2", "not now", "\r"]);
    assert.equal(summaryLine(summary), "2 answered, 1 skipped, 0 left");
    assert.deepEqual(resolved, [
      { resolve: A, choices: [[1]], text: null, message: null },
      { resolve: C, choices: [[2]], text: null, message: "not now" },
    ]);
  });

  it("quits and says what is left", async () => {
    const { summary } = await review(three(), ["s", "q"]);
    assert.equal(summaryLine(summary), "0 answered, 1 skipped, 2 left");
    assert.equal(summary.interrupted, false);
  });

  it("takes a choice back with Esc", async () => {
    const { resolved } = await review(three(), ["1", "oops", "\u001b", "2", "\r", "q"]);
    assert.deepEqual(resolved, [{ resolve: A, choices: [[2]], text: null, message: null }]);
  });

  it("ignores keys that mean nothing, and arrows", async () => {
    const { summary } = await review(three(), ["9", "x", "\r", "\u001b[A", " ", "q"]);
    assert.equal(summaryLine(summary), "0 answered, 0 skipped, 3 left");
  });

  it("never takes a paste or typed-ahead keys for an answer", async () => {
    const pasted = await review(three(), ["\u001b[200~1\r1\r\u001b[201~", "q"]);
    assert.deepEqual(pasted.resolved, []);
    const ahead = await review(three(), ["1\r1\r1\r", "q"]);
    assert.equal(ahead.resolved.length, 1);
  });

  it("remembers an approval: R shows the rule, a number and Enter accept it, Esc goes back", async () => {
    const asked = () => {
      const options = [{ key: "approve", label: "Approve" }, { label: "Deny" }];
      return fakeClient(decision({ id: A, source: "approval", options }));
    };
    const job = await review(asked(), ["R", "\u001b", "R", "9", "\r", "2", "\r"]);
    assert.deepEqual(job.resolved, [{ resolve: A, remember: { scope: "job", hash: "0123456789abcdef" } }]);
    assert.match(job.shown, /R remember this/);
    assert.match(job.shown, /│ policy "npm test" \{[\s\S]*3 +Always in this project: written to \.oj/);
    const piped = await byLines(asked(), "R", "3");
    assert.deepEqual(piped.resolved, [
      { resolve: A, remember: { scope: "project", hash: "0123456789abcdef" } },
    ]);
    assert.deepEqual((await review(asked(), ["R", "\r", "\u001b", "s"])).resolved, []);
    assert.deepEqual((await review(three(), ["R", "q"])).resolved, [], "only approvals");
  });

  it("shows what answers suggest: a line, P with all of it, a number and Enter, and back to the question", async () => {
    const one = suggestion();
    for (const [keys, call, left] of [
      [["P", "1", "\r"], { accept: one.key, hash: one.hash }, 0],
      [["P", "2", "\r"], { decline: one.key }, 0],
      [["P", "\r", "9", "\r", "\u001b"], null, 1],
    ] as const) {
      const client = three();
      const found = { all: [one] };
      const { shown, summary } = await review(client, [...keys, "1", "\r", "q"], settledBy(), found);
      const said = client.calls.filter((it) => /accept|decline/.test(JSON.stringify(it)));
      assert.deepEqual(said, call === null ? [] : [call]);
      assert.equal(found.all.length, left);
      assert.equal(summaryLine(summary), "1 answered, 0 skipped, 2 left", "it came back to the question");
      assert.match(shown, /P {2}You approved npm test 12 times/);
      assert.match(shown, /P suggested rule/);
      assert.match(shown, /│ policy "npm test" \{[\s\S]*answered 12 of 40[\s\S]*dec-1111111111[\s\S]*2 +No:/);
    }
    const none = await review(three(), ["P", "q"]);
    assert.match(none.shown, /suggest no rule/);
    assert.doesNotMatch(none.shown, /P suggested/);
    const words = fakeClient(decision({ id: A, source: "request" }));
    const typed = await review(words, ["Please wait", "\r", "\r", "\r"], settledBy(), { all: [one] });
    assert.match(JSON.stringify(typed.resolved), /Please wait/, "where words are taken, P begins one");
  });

  it("explains its keys", async () => {
    const { shown } = await review(three(), ["?", "q"]);
    assert.match(shown, /1-2 {2}choose that option, add a message if you like, and press Enter to answer/);
  });

  it("shows each decision with its position, and what came of the answer", async () => {
    const { shown } = await review(three(), ["1", "\r", "q"]);
    assert.match(shown, /── 1 of 3 ─+\nShip 1\.0\?\n/);
    assert.match(shown, /✓ dec-aaaaaaaaaa answered: Ship it\n/);
  });

  it("is interrupted by Ctrl-C, even while a message is typed", async () => {
    assert.equal((await review(three(), ["\u0003"])).summary.interrupted, true);
    const { summary, resolved } = await review(three(), ["1", "hal", "\u0003"]);
    assert.equal(summary.interrupted, true);
    assert.deepEqual(resolved, []);
  });

  it("closes a card at once if somebody else answers it, and lets no key hit the next one", async () => {
    const client = three();
    const settled = settledBy();
    const elsewhere = () => {
      client.answerElsewhere(A, "bob");
      settled.settle(A);
    };
    const { shown, summary, resolved } = await review(client, [elsewhere, "1", "q"], settled);
    assert.match(
      shown,
      /! dec-aaaaaaaaaa was settled in the meantime: answered: Ship it, by bob \(cli\) just now/,
    );
    assert.equal(summaryLine(summary), "0 answered, 0 skipped, 1 settled by others, 2 left");
    assert.deepEqual(resolved, []);
  });

  it("says who was first if an answer comes too late", async () => {
    const client = three();
    const { shown, summary } = await review(client, [
      "1",
      () => client.answerElsewhere(A, "bob"),
      "\r",
      " ",
      "q",
    ]);
    assert.match(shown, /settled in the meantime: answered: Ship it, by bob/);
    assert.deepEqual(summary.elsewhere, [A]);
  });

  it("says so if a decision was settled before it came up", async () => {
    const client = three();
    const { summary } = await review(client, [() => client.answerElsewhere(B, "bob"), "s", " ", "q"]);
    assert.deepEqual(summary.elsewhere, [B]);
  });

  it("offers new arrivals at the end, and skipped ones not again", async () => {
    const client = fakeClient(decision({ id: A }));
    const arrives = () => void client.all.push(decision({ id: B }));
    const { shown, summary } = await review(client, [arrives, "s", "1", "\r"]);
    assert.match(shown, /one more has arrived in the meantime/);
    assert.deepEqual([summary.resolved, summary.skipped, summary.left], [[B], [A], []]);
  });

  it("asks again if the answer is refused", async () => {
    const client = three();
    const { resolveDecision } = client;
    let times = 0;
    client.resolveDecision = async (id, answer) => {
      times += 1;
      return resolveDecision(id, times === 1 ? { ...answer, choices: [[9]] } : answer);
    };
    const { shown, summary } = await review(client, ["1", "\r", "2", "\r", "q"]);
    assert.match(shown, /✗ 9 is not one of them/);
    assert.deepEqual(summary.resolved, [A]);
  });
});

describe("review by lines", () => {
  it("takes a choice and a message for each", async () => {
    const { summary, resolved } = await byLines(three(), "1", "looks good", "s", "2", "");
    assert.equal(summary, "2 answered, 1 skipped, 0 left");
    assert.deepEqual(resolved, [
      { resolve: A, choices: [[1]], text: null, message: "looks good" },
      { resolve: C, choices: [[2]], text: null, message: null },
    ]);
  });

  it("ends with its input", async () => {
    assert.equal((await byLines(three())).summary, "0 answered, 0 skipped, 3 left");
    assert.equal((await byLines(three(), "1")).summary, "1 answered, 0 skipped, 2 left");
  });

  it("asks again if it can't read a line", async () => {
    const { shown, summary } = await byLines(three(), "yes", "7", "q");
    assert.match(shown, /"yes" is not one of the choices/);
    assert.equal(summary, "0 answered, 0 skipped, 3 left");
  });
});
