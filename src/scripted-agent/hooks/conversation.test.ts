import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { sourceFor } from "../play.ts";
import { readScenario } from "../scenario/read.ts";
import { newConversation, resumedConversation } from "./conversation.ts";

function tempFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-agent-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

describe("a conversation", () => {
  it("is found again where it was left", () => {
    const folder = tempFolder();
    const first = newConversation(folder, "c1");
    first.note({ type: "turn", from: { list: "turns", index: 0 }, prompt: "Go" });
    first.note({ type: "turn_end" });
    first.note({ type: "turn", from: { list: "turns", index: 1 }, prompt: "More" });
    first.note({ type: "step", at: [2, 5] });
    first.note({ type: "told", of: "answer", text: "B" });
    first.note({ type: "mode", mode: "acceptEdits" });
    fs.appendFileSync(first.file, '{"type":"turn_en'); // killed while it wrote
    assert.deepEqual(resumedConversation(folder, "c1")?.state, {
      turns: 2,
      open: { from: { list: "turns", index: 1 }, at: [2, 5] },
      told: { prompt: "More", answer: "B", message: "", context: "" },
      mode: "acceptEdits",
    });
  });

  it("does not exist before something was said in it", () => {
    const folder = tempFolder();
    const first = newConversation(folder, "c1");
    first.note({ type: "told", of: "context", text: "hello" });
    assert.equal(resumedConversation(folder, "c1"), null);
    first.note({ type: "turn", from: { list: "turns", index: 0 }, prompt: "Go" });
    assert.equal(resumedConversation(folder, "c1")?.state.told.context, "hello");
  });

  it("stays in its folder, whatever its id", () => {
    const folder = tempFolder();
    assert.equal(
      path.dirname(newConversation(folder, "../../etc/x").file),
      path.join(folder, "conversations"),
    );
  });
});

describe("a prompt", () => {
  const { scenario } = readScenario(
    JSON.stringify({ turns: [[], []], match: [{ prompt: "^retry", steps: [] }] }),
  );

  it("picks its steps", () => {
    assert.deepEqual(sourceFor(scenario, "a", 0), { list: "turns", index: 0 });
    assert.deepEqual(sourceFor(scenario, "a", 1), { list: "turns", index: 1 });
    assert.deepEqual(sourceFor(scenario, "a", 7), { list: "turns", index: 1 });
    assert.deepEqual(sourceFor({ ...scenario, otherwise: [] }, "a", 7), { list: "otherwise" });
    assert.deepEqual(sourceFor(scenario, "retry it", 0), { list: "match", index: 0 });
  });
});
