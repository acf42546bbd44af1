import assert from "node:assert/strict";
import { describe as about, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { outgoing } from "../../../test/fakes/outgoing.ts";
import { reachTexts, secrets } from "../../../test/fakes/reach-corpus.ts";
import type { DecisionView } from "../../api/api.ts";
import { describe } from "../../inbox/card/describe.ts";
import { askingMessage, changedMessage, plainest, sawAll } from "./message.ts";

const SHA = "3f".repeat(32);

const told = (view: DecisionView) => ({ decision: view, card: describe(view, NOW), isWhole: true });
const asked = (view: DecisionView) => ({ ...told(view), reason: "asked" as const, others: [], now: NOW });

/** An approval as Claude Code asks for one. */
function approval(command: string): DecisionView {
  return decision({
    source: "approval",
    title: `Run ${command}`,
    agent_id: "agt-a2b3c4d5e6",
    action: { tool: "Bash", input: { command, description: "Builds it" }, sha256: SHA },
    options: [
      { key: "approve", label: "Approve", acts: true },
      { key: "deny", label: "Deny", acts: false },
      { key: "cancel", label: "Cancel", acts: false },
      { key: "dismiss", label: "Dismiss", acts: false },
    ],
  });
}

const labels = (view: DecisionView) => plainest(told(view)).map((it) => it.label);

about("an approval", () => {
  it("says what may run first, and has both buttons if all of it is there", () => {
    const view = approval("npm run build");
    assert.deepEqual(askingMessage(asked(view), []), {
      decision: view.id,
      tag: view.id,
      title: "Run npm run build",
      body: "npm run build\ndescription: Builds it\napproval · shop · release/1.0 · ship",
      is_urgent: false,
      is_silent: false,
      is_reminder: false,
      actions: [],
    });
    assert.ok(sawAll(told(view)));
    assert.deepEqual(labels(view), ["Approve", "Deny"]);
  });

  it("out of which a secret was taken can only be denied there", () => {
    const view = approval("curl -u ana:*** https://example.com");
    assert.deepEqual(
      plainest({ ...told(view), isWhole: false }).map((it) => it.label),
      ["Deny"],
    );
  });

  it("that is longer than a notification shows how much is hidden, and can only be denied there", () => {
    for (const command of [`echo ${"x".repeat(4000)}`, `a\nb\nc\nd\nrm -rf /`]) {
      const view = approval(command);
      assert.ok(!sawAll(told(view)));
      assert.deepEqual(labels(view), ["Deny"]);
    }
    const { body } = askingMessage(asked(approval(`echo ${"x".repeat(4000)}`)), []);
    const [, hidden] = /(\d+) characters hidden, SHA-256 3f3f3f3f3f3f/.exec(body) ?? [];
    assert.ok(Number(hidden) + [...body.matchAll(/x/g)].length > 4000, body);
  });
});

about("buttons", () => {
  const request = (more: Partial<DecisionView>) => decision({ source: "request", ...more });

  it("are there for a plain question with two options", () => {
    assert.deepEqual(labels(request({})), ["Ship it", "Stop"]);
  });

  it("are not there for what one tap can't answer", () => {
    const question = { question: "Which?", header: null, multi_select: false, options: [] };
    const three = ["a", "b", "c"].map((label) => ({ label }));
    assert.deepEqual(labels(decision({ source: "request", options: three })), []);
    assert.deepEqual(labels(request({ questions: [question, question] })), []);
    assert.deepEqual(labels(request({ questions: [{ ...question, multi_select: true }] })), []);
    assert.deepEqual(labels(decision({ options: [{ label: "y".repeat(31) }, { label: "No" }] })), []);
    assert.deepEqual(labels(request({ state: "resolved" })), []);
  });

  it("that act are not there under a long context", () => {
    assert.deepEqual(labels(request({ context: "because ".repeat(50) })), []);
  });
});

it("what changed says who answered, without a sound, in place of the question", () => {
  const answer = {
    chosen: 1,
    choices: [[1]],
    labels: ["Ship it"],
    text: null,
    message: null,
    by: "ben",
    via: "slack" as const,
    resolved_at_ms: NOW,
  };
  const view = decision({ state: "resolved", outcome: "answered", answer });
  const message = changedMessage(told(view), NOW);
  assert.equal(message.tag, askingMessage(asked(view), []).tag);
  assert.match(message.body, /^Answered by ben: Ship it/);
  assert.deepEqual([message.is_silent, message.actions], [true, []]);
});

it("says who is on it, and asks again without a sound once they let go", () => {
  const claimed = { by: "carla", via: "slack" as const, from_ms: NOW, until_ms: NOW + 1_500_000 };
  const message = changedMessage(told(decision({ claimed })), NOW);
  assert.match(message.body, /^carla is on it, for another 25 minutes/);
  const actions = [{ title: "Ship it", path: "/a/x" }];
  const again = changedMessage(told(decision()), NOW, actions);
  assert.deepEqual(again, { ...askingMessage(asked(decision()), actions), is_silent: true });
});

it("many at once are one message, with a sound", () => {
  const others = Array.from({ length: 7 }, () => told(decision({ title: "Next?" })));
  const message = askingMessage({ ...asked(decision({ urgency: "high" })), reason: "digest", others }, []);
  assert.equal(message.title, "8 decisions wait for you");
  assert.deepEqual(message.body.split("\n"), [
    "urgent: Ship 1.0?",
    ..."Next? ".repeat(4).trim().split(" "),
    "and 3 more",
  ]);
  assert.deepEqual([message.decision, message.is_urgent, message.is_silent], [null, true, false]);
});

it("many at once are replaced by what became of them, without a sound", () => {
  const settled = decision({ state: "withdrawn", title: "Next?" });
  const all = { ...told(settled), others: [told(settled)] };
  const message = changedMessage(all, NOW);
  assert.deepEqual([message.tag, message.title], ["digest", "2 decisions settled"]);
  assert.deepEqual([message.is_silent, message.is_reminder, message.actions], [true, false, []]);
});

it("stays small enough for every push service, whatever it is about", () => {
  const path = `/a/${"t".repeat(200)}`;
  for (const text of [...reachTexts, "😀".repeat(5000), '"\\'.repeat(5000), "\n".repeat(5000)])
    for (const view of [
      approval(text),
      decision({ title: text, project: text, context: text, options: [{ label: text }, { label: text }] }),
    ]) {
      const actions = plainest(told(view)).map((it) => ({ title: it.label, path }));
      const others = Array.from({ length: 20 }, () => told(view));
      for (const message of [
        askingMessage(asked(view), actions),
        changedMessage(told(view), NOW),
        askingMessage({ ...asked(view), others }, []),
      ]) {
        assert.ok(Buffer.byteLength(JSON.stringify(message)) <= 3993, text);
        assert.doesNotMatch(message.title + message.body, /[^\n\t\P{Cc}]|[\u202e\u2066]/u);
      }
    }
});

it("carries no secret, wherever one stands", () => {
  for (const { text, secret } of secrets)
    for (const view of [approval(text), decision({ title: text, context: text })]) {
      const { decision: clean, card, isWhole } = outgoing(view);
      const told = { decision: clean, card, isWhole };
      for (const message of [
        askingMessage({ ...told, reason: "asked", others: [], now: NOW }, []),
        changedMessage(told, NOW),
      ])
        assert.ok(!JSON.stringify(message).includes(secret), `${secret} in ${text}`);
    }
});
