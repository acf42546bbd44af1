/** Cards and modals within Slack's limits, whatever is in the decision; and no approval of what was not shown. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { someOf } from "../../../test/everything.ts";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { reachTexts, secrets } from "../../../test/fakes/reach-corpus.ts";
import { buttonsOf, textOf } from "../../../test/fakes/servers/slack.ts";
import { messageProblem, modalProblems } from "../../../test/fakes/servers/slack-limits.ts";
import type { DecisionView } from "../../api/api.ts";
import { describe as describeCard } from "../../inbox/card/describe.ts";
import { redacted } from "../redacted.ts";
import type { CardInput } from "./card.ts";
import { cardMessage } from "./card.ts";
import { listMessage } from "./list.ts";
import { formModal, reasonModal, refusedModal, wordsModal } from "./modal.ts";
import { settledMessage } from "./settled-card.ts";

const SHA = "0123456789abcdef".repeat(4);
const place = { channel: "C1", ts: "1.1", response_url: null };

function input(it: DecisionView, more: Partial<CardInput> = {}): CardInput {
  const card = describeCard(it, NOW);
  return { decision: it, card, isWhole: true, reason: "asked", names: ["ana"], url: "https://oj/x", ...more };
}

function approval(command: string, more: Partial<DecisionView> = {}): DecisionView {
  return decision({
    source: "approval",
    title: "Run a command",
    agent_id: "agt-1",
    action: { tool: "Bash", input: { command }, sha256: SHA },
    options: [
      { key: "approve", label: "Approve", acts: true },
      { key: "deny", label: "Deny", acts: false },
      { key: "cancel", label: "Cancel", acts: false },
      { key: "dismiss", label: "Dismiss", acts: false },
    ],
    ...more,
  });
}

function question(texts: readonly string[], multi_select = false, count = 2): DecisionView {
  const options = texts.map((label) => ({ label, description: label }));
  const one = { question: texts[0] ?? "?", header: null, multi_select, options };
  return decision({
    source: "question",
    questions: Array.from({ length: count }, () => one),
    options: [
      { key: "cancel", label: "Cancel", acts: false },
      { key: "dismiss", label: "Dismiss", acts: false },
    ],
  });
}

/** Every text of blocks, by its type. */
function typesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const it of value) typesIn(it, found);
  else if (typeof value === "object" && value !== null) {
    const { type, text } = value as { type?: unknown; text?: unknown };
    if (typeof text === "string") found.add(String(type));
    for (const it of Object.values(value)) typesIn(it, found);
  }
  return found;
}

function fits(message: { text: string; blocks: unknown[] }): void {
  assert.equal(messageProblem(message.blocks), null);
  assert.deepEqual([...typesIn(message.blocks)], ["plain_text"]);
  assert.ok(JSON.stringify(message.blocks).length <= 13_000);
  assert.doesNotMatch(message.text, /[<>]/);
}

/** Each text, and for some of them many in a row. */
function withLong(): [text: string, long: string][] {
  return someOf(reachTexts, 60).map((it, at) => [
    it,
    at % 5 === 0 ? it.repeat(Math.ceil(4000 / it.length)) : it,
  ]);
}

describe("a card", () => {
  it("says what is asked, for whom, about what, and offers each option", () => {
    const message = cardMessage(input(approval("npm test -- --run")));
    const text = textOf(message);
    for (const part of ["Run a command", "For ana", "npm test -- --run", "release/1.0", "dec-7k3m9x2p4q"])
      assert.ok(text.includes(part), `${part} is missing in ${text}`);
    assert.deepEqual(buttonsOf(message), [
      "Approve",
      "Deny",
      "Cancel",
      "Dismiss",
      "With a reason…",
      "Remember…",
      "I'm on it",
      "Open",
    ]);
    assert.equal(message.sawAll, true);
    fits(message);
  });

  for (const [name, command] of [
    ["letters", "x".repeat(20_000)],
    ["line breaks and quotes", '"\n'.repeat(6000)],
    ["letters beyond the basic plane", "\u{1f468}".repeat(9000)],
  ] as const)
    it(`can't approve what it does not show: too many ${name}`, () => {
      const message = cardMessage(input(approval(command)));
      assert.equal(message.sawAll, false);
      assert.deepEqual(buttonsOf(message), [
        "Deny",
        "Cancel",
        "Dismiss",
        "With a reason…",
        "I'm on it",
        "Open",
      ]);
      assert.match(textOf(message), /\d+ characters hidden/);
      assert.ok(textOf(message).includes(SHA.slice(0, 8)));
      fits(message);
    });

  it("shows an action of several thousand characters whole", () => {
    const command = Array.from({ length: 150 }, (_, at) => `echo line ${at} of a long script`).join("\n");
    const message = cardMessage(input(approval(command)));
    assert.equal(message.sawAll, true);
    const shown = textOf(message);
    for (const line of command.split("\n")) assert.ok(shown.includes(line), line);
  });

  it("can't approve what was redacted in a way that may hide something", () => {
    const message = cardMessage(input(approval("curl x"), { isWhole: false }));
    assert.equal(buttonsOf(message).includes("Approve"), false);
  });

  it("is only text, and within the limits, whatever an agent writes", () => {
    for (const [text, long] of withLong()) {
      for (const it of [text, long]) {
        const asked = approval(it, { title: it, project: text, context: it });
        fits(cardMessage(input(asked, { names: [text] })));
        fits(
          cardMessage(input(decision({ title: it, context: it, options: [{ label: it, description: it }] }))),
        );
        const answer = {
          chosen: 1,
          choices: [[1]],
          labels: [it],
          text: it,
          message: it,
          by: text,
          via: "slack" as const,
          resolved_at_ms: NOW,
        };
        fits(settledMessage(input({ ...asked, state: "resolved", answer })));
      }
    }
    const many = reachTexts.map((title) => decision({ title: title.repeat(20) }));
    for (let at = 0; at < many.length; at += 25)
      fits(listMessage(many.slice(at, at + 25), { now: NOW, title: null }));
  });
});

describe("secrets", () => {
  it("are in no card, list or modal", () => {
    for (const { text, secret } of someOf(secrets, 60)) {
      const asked = { ...approval(text, { context: text }), title: text };
      const own = decision({ source: "request", title: text, context: text, options: [{ label: text }] });
      for (const it of [asked, own]) {
        const { decision: shown, card, showsAll } = redacted({ decision: it, card: describeCard(it, NOW) });
        const given = { ...input(shown), card, isWhole: showsAll, sawAll: true, place };
        const all = [
          cardMessage(given),
          settledMessage({ decision: { ...shown, state: "dismissed" }, card }),
          listMessage([shown], { now: NOW, title: null }),
          wordsModal(given, 1),
          reasonModal(given),
        ];
        for (const made of all) assert.ok(!JSON.stringify(made).includes(secret), `${secret} in ${text}`);
      }
    }
  });
});

describe("a modal", () => {
  it("stays within the limits, whatever an agent writes", () => {
    for (const [text, long] of withLong()) {
      const given = (it: DecisionView) => ({ decision: it, card: { title: long }, sawAll: true, place });
      const views = [
        wordsModal(given(decision({ options: [{ label: long }] })), 1),
        reasonModal(given(decision({ options: [{ label: long, description: long }] }))),
        formModal(given(question([long, text]))),
        formModal(
          given(
            question(
              Array.from({ length: 12 }, () => long),
              true,
              1,
            ),
          ),
        ),
        refusedModal(long, [long]),
      ];
      for (const view of views) {
        assert.deepEqual(modalProblems({ ...view }), []);
        assert.deepEqual([...typesIn(view)], ["plain_text"]);
      }
    }
  });

  it("offers no reason for what the card could not offer", () => {
    const view = reasonModal({ decision: approval("x"), card: { title: "x" }, sawAll: false, place });
    const { element } = view.blocks[1] as { element: { options: { text: { text: string } }[] } };
    assert.deepEqual(
      element.options.map((it) => it.text.text),
      ["Deny", "Cancel", "Dismiss"],
    );
  });
});
