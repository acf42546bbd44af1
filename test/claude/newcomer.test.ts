/** A newcomer's path with the real client: the runbook of docs/claude-code.md, word for word. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Decision } from "../specs/support/agents.ts";
import { blocksOf, readPage } from "../specs/support/doc-page.ts";
import { describeClaude } from "./describe.ts";
import { text, tool } from "./model-api.ts";
import { claudeStage } from "./stage.ts";

const FILE = ".oj/runbooks/write.hcl";

describeClaude("runs a newcomer's first runbook", () => {
  it("in an unknown folder: it asks before it writes, and a step asks whether to keep the result", async () => {
    let folder = "";
    const write = () => tool("Write", { file_path: path.join(folder, "hello.sh"), content: "echo Hello\n" });
    const stage = await claudeStage({ hello: { script: [write, text("Written.")] } }, { trusted: false });
    folder = stage.dir;
    execFileSync("git", ["init", "--quiet"], { cwd: folder, env: stage.env });
    const block = blocksOf(readPage("docs/claude-code.md")).find((it) => it.file === FILE);
    stage.write({ [FILE]: block?.text ?? "" });

    const run = await stage.job("write", "Write hello.sh #s:hello");
    const approval = await run.asked("approval");
    assert.equal(approval.title, "Write: hello.sh");
    assert.equal(approval.action?.input.content, "echo Hello\n");
    await run.answer(approval, "1");
    const review = await stage.until(async () => {
      const [first] = await stage.json<Decision[]>("decision", "list", "--source", "step");
      return first;
    }, "the question whether to keep it");
    assert.match(review.context, /\?\? hello\.sh/);
    assert.equal((await stage.run("decision", "resolve", review.id, "1")).code, 0);
    assert.equal(await run.ended(), "completed");
    assert.equal(fs.readFileSync(path.join(folder, "hello.sh"), "utf8"), "echo Hello\n");
  });
});
