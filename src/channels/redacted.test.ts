import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../test/fakes/fake-client.ts";
import { secrets } from "../../test/fakes/reach-corpus.ts";
import type { DecisionView } from "../api/api.ts";
import { describe as cardOf } from "../inbox/card/describe.ts";
import { redacted } from "./redacted.ts";

const option = (label: string) => ({
  ...{ number: 1, key: "approve", label, description: label, recommended: false },
  ...{ effect: "lets the agent go on", acts: true },
});

/** A decision that says the same text in every place that has words of somebody else. */
function saying(text: string): DecisionView {
  return decision({
    source: "approval",
    title: text,
    context: text,
    fields: { note: text, list: [text] },
    questions: [
      { question: text, header: text, multi_select: false, options: [{ label: text, description: text }] },
    ],
    options: [option(text)],
    action: {
      tool: "Bash",
      input: { command: text, edits: [{ old_string: text, new_string: `${text}\n` }] },
      sha256: "ab".repeat(32),
      diff: { path: text, text: `@@ -1 +1 @@\n-${text}\n+${text}x`, is_new: false, cut: 0, unread: null },
    },
  } as never);
}

function send(view: DecisionView) {
  return redacted({ decision: view, card: cardOf(view, NOW) });
}

describe("a decision on its way out", () => {
  it("has no secret in any of its texts, nor in its card", () => {
    const left = secrets.filter(({ text, secret }) => {
      const { decision: shown, card } = send(saying(text));
      return JSON.stringify([shown, card]).includes(secret);
    });
    assert.deepEqual(left, []);
  });

  it("keeps the hash of the real action", () => {
    const view = saying("curl -u ana:hunter2 https://example.com");
    assert.equal(send(view).decision.action?.sha256, view.action?.sha256);
  });

  it("shows which lines of a diff change, also if only a secret does", () => {
    const view = saying("x");
    const text = "@@ -1 +1 @@\n-password=hunter2\n+password=hunter3";
    const diff = { path: ".env", text, is_new: false, cut: 0, unread: null };
    const action = {
      tool: "Write",
      input: { file_path: ".env", content: "password=hunter3" },
      sha256: "",
      diff,
    };
    const { card } = send({ ...view, action });
    const lines = card.matter.flatMap((it) => (it.type === "diff" ? it.lines : []));
    assert.deepEqual(lines, [
      { kind: "removed", text: "password=[redacted value]" },
      { kind: "added", text: "password=[redacted value]" },
    ]);
  });

  it("still shows all of the action if only plain values were taken out", () => {
    assert.ok(send(saying("make test")).showsAll);
    assert.ok(send(saying("curl -u ana:hunter2 https://example.com")).showsAll);
    assert.ok(!send(saying("deploy --env password='x1 && rm -rf ~'")).showsAll);
  });
});
