import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { A, desk, failedRun as run } from "../../test/fakes/inbox.ts";
import type { FailedRun } from "../api/api.ts";
import { dismissalWords } from "./answer.ts";
import { describe as describeCard } from "./card/describe.ts";
import { answerFailure } from "./failed.ts";
import { emptyInbox, formOf, GUARD_MS, isOpen, waiting } from "./model.ts";
import { listed } from "./order.ts";
import { update } from "./update.ts";

const NOW = 1_000_000;
const withFailures = (...runs: FailedRun[]) => update(emptyInbox(), { type: "failed", runs }, NOW).inbox;

describe("a failure in the inbox", () => {
  it("is an item with its output and three choices", () => {
    const inbox = withFailures(run());
    assert.equal(waiting(inbox), 1);
    assert.equal(inbox.selected, "job-a1");
    const view = inbox.details.get("job-a1");
    assert.ok(view);
    const card = describeCard(view, 60_002);
    assert.equal(card.title, "Failed at build: make: *** Error 2");
    assert.deepEqual(card.matter, [{ type: "printed", label: "What it printed", text: "make: *** Error 2" }]);
    assert.deepEqual(
      card.facts.map((it) => `${it.name}: ${it.text.replace(/ \(\d{4}-.*?\)/, "")}`),
      [
        'job: nightly (job-a1), step "build"',
        "failed: 1 minute ago, exit code 2",
        "started: 1 minute ago, by ana",
        "project: shop",
      ],
    );
    assert.deepEqual(
      view.options.map((it) => `${it.number} ${it.label}`),
      ["1 Retry", "2 Open", "3 Drop"],
    );
  });

  it("leads with what went wrong: the error, the agent's last words, or how it ended", () => {
    const cardOf = (more: Partial<FailedRun>) => {
      const view = withFailures(run(more)).details.get("job-a1");
      assert.ok(view);
      const { title, matter } = describeCard(view, NOW);
      return [title, ...matter.map((it) => `${it.type}: ${"text" in it ? it.text : ""}`)];
    };
    assert.deepEqual(cardOf({ error: "exit code 1\nerror: web-1 timed out", tail: "pushing" }), [
      "Failed at build: error: web-1 timed out",
      "printed: pushing",
    ]);
    assert.deepEqual(cardOf({ error: "exit code 1\nno\nerror: gone", tail: "" }), [
      "Failed at build: error: gone",
      "printed: no\nerror: gone",
    ]);
    assert.deepEqual(cardOf({ error: "no network", tail: "I give up.", agent_id: "agt-a1" }), [
      "Failed at build: no network",
      "said: I give up.",
    ]);
    assert.deepEqual(cardOf({ step: null, error: "timed out", tail: "" }), ["Failed: timed out"]);
  });

  it("stays when the decisions are listed anew, and goes when it has been seen", () => {
    let inbox = withFailures(run(), run({ id: "crew-b2", failed_at_ms: 5 }));
    inbox = update(inbox, { type: "listed", briefs: [] }, NOW).inbox;
    assert.equal(listed(inbox).length, 2);
    inbox = update(inbox, { type: "failed", runs: [run({ id: "crew-b2", failed_at_ms: 5 })] }, NOW).inbox;
    assert.deepEqual([listed(inbox).length, inbox.selected], [1, "crew-b2"]);
    assert.match(inbox.notice?.text ?? "", /job-a1 was taken care of/);
  });

  it("takes words only if an agent would hear them", () => {
    const keyed = (agent_id: FailedRun["agent_id"], command: "text" | "message") =>
      update(withFailures(run({ agent_id })), { type: "key", key: { command } }, NOW).inbox;
    for (const command of ["text", "message"] as const) {
      assert.equal(keyed("agt-a1", command).mode.type, "write");
      assert.equal(keyed(null, command).mode.type, "list");
      assert.match(keyed(null, command).notice?.text ?? "", /would not hear words: Retry/);
    }
  });

  it("that is dismissed leaves the inbox, and does not keep waiting", () => {
    const view = withFailures(run()).details.get("job-a1") ?? assert.fail();
    assert.equal(dismissalWords(view), "it leaves the inbox; nightly stays failed, and can still be resumed");
  });

  it("is answered with two keys", () => {
    const chosen = update(withFailures(run()), { type: "key", key: { choose: 3 } }, NOW).inbox;
    const { effects } = update(chosen, { type: "key", key: { command: "send" } }, NOW);
    assert.deepEqual(
      effects.map((it) => [it.type, "id" in it ? it.id : null]),
      [["resolve", "job-a1"]],
    );
  });

  it("takes no words with it to the next one if somebody else takes care of it", () => {
    const it = desk(A);
    it.put({ type: "failed", runs: [run({ agent_id: "agt-a1" })] });
    it.put({ type: "pointed", id: "job-a1" });
    it.press("t");
    it.put({ type: "typed", id: "job-a1", field: "text", text: "use the cache" });
    it.put({ type: "failed", runs: [] });
    assert.deepEqual([it.inbox.selected, it.inbox.mode.type], [A.id, "list"]);
    it.press("enter", "1", "enter");
    assert.deepEqual(it.effects, [], "keys pause while the focus moves");
    it.press("d");
    it.put({ type: "failed", runs: [run({ failed_at_ms: 9 })] });
    it.put({ type: "pointed", id: "job-a1" });
    it.now += GUARD_MS;
    it.press("d");
    it.put({ type: "failed", runs: [] });
    assert.equal(it.inbox.mode.type, "list", "what was about to be dropped is gone");
  });

  it("that comes again after a retry is a new one: it waits, and nothing is chosen", () => {
    const it = desk(A);
    it.put({ type: "failed", runs: [run({ agent_id: "agt-a1" })] });
    it.put({ type: "pointed", id: "job-a1" });
    it.put({ type: "typed", id: "job-a1", field: "message", text: "use the cache" });
    it.press("1", "enter");
    it.put({ type: "failed", runs: [run({ agent_id: "agt-a1", failed_at_ms: 9 })] });
    it.put({ type: "pointed", id: "job-a1" });
    assert.ok(isOpen(it.inbox, "job-a1"));
    it.effects.length = 0;
    it.press("enter");
    assert.deepEqual(it.effects, []);
    it.press("1", "enter");
    const body = { choices: [[1]], text: null, message: null };
    assert.deepEqual(it.effects, [{ type: "resolve", id: "job-a1", body }]);
  });

  it("that comes again while somebody chooses is to be looked at again, with the words kept", () => {
    const it = desk();
    it.put({ type: "failed", runs: [run({ agent_id: "agt-a1" })] });
    it.put({ type: "typed", id: "job-a1", field: "message", text: "use the cache" });
    it.press("3");
    it.put({ type: "failed", runs: [run({ agent_id: "agt-a1", failed_at_ms: 9 })] });
    assert.match(it.inbox.notice?.text ?? "", /job-a1 failed again/);
    it.now += GUARD_MS;
    const { choices, message } = formOf(it.inbox, "job-a1");
    assert.deepEqual([choices, message], [[], "use the cache"]);
  });

  it("is retried, opened or dropped by a call about the job", async () => {
    const calls: unknown[] = [];
    const client = {
      resumeJob: async (id: string, input: object) => {
        calls.push(["resume", id, input]);
        return { step: "build" };
      },
      seeFailure: async (id: string, input: object) => void calls.push(["seen", id, input]),
    };
    const answer = (n: number) => answerFailure(client as never, "job-a1", { choices: [[n]] });
    assert.equal(await answer(1), "job-a1 continues at build");
    await answerFailure(client as never, "job-a1", { choices: [[1]], text: "use", message: "the cache" });
    assert.deepEqual(calls.pop(), ["resume", "job-a1", { message: "use\n\nthe cache" }]);
    assert.equal(await answer(2), "its output: oj job logs job-a1");
    assert.equal(await answer(3), "dropped; later: oj job resume job-a1");
    const dismissed = await answerFailure(client as never, "job-a1", { option: "dismiss", message: null });
    assert.equal(dismissed, "dropped; later: oj job resume job-a1");
    assert.deepEqual(calls, [
      ["resume", "job-a1", { message: null }],
      ["seen", "job-a1", { how: "opened" }],
      ["seen", "job-a1", { how: "dropped" }],
      ["seen", "job-a1", { how: "dropped" }],
    ]);
  });
});
