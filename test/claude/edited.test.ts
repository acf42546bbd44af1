import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Decision, Run } from "../specs/support/agents.ts";
import { call } from "../specs/support/http.ts";
import { restart } from "./cells.ts";
import { describeClaude } from "./describe.ts";
import { also } from "./everything.ts";
import type { Step } from "./model-api.ts";
import { bash, plan, text, tool } from "./model-api.ts";
import { planText } from "./scripts.ts";
import type { ClaudeStage } from "./stage.ts";
import { claudeStage } from "./stage.ts";

const TOLD = "A person changed the command before it ran: ";
const runs = (name: string) => bash(`touch asked-${name}; echo ran asked-${name}`);
const changed = (name: string) => ({
  command: `touch changed-${name}; echo ran changed-${name}`,
  description: "a test",
});

async function approve(stage: ClaudeStage, { id }: Decision, input: object, message: string | null = null) {
  const body = { choices: [[1]], text: null, message, input };
  return call(stage, "POST", `/decisions/${id}/resolve`, { body });
}

/** The files that the calls made: which of them really ran. */
const made = ({ dir }: ClaudeStage) =>
  fs.readdirSync(dir).filter((it) => it.startsWith("asked-") || it.startsWith("changed-"));

async function asked(stage: ClaudeStage, run: Run): Promise<Decision> {
  const decision = await run.asked("approval");
  await stage.shows(run, /^\s*❯ 1\. /m);
  return decision;
}

const settled = (stage: ClaudeStage, { id }: Decision) =>
  stage.until(async () => {
    const { delivery } = await stage.decision(id);
    return ["acknowledged", "failed"].includes(delivery.state) && delivery;
  }, "the end of the delivery");

describeClaude("runs what a person made of its call", () => {
  it("a command or an edit, and the model is told; a message comes with it", async () => {
    const write: Step = tool("Write", { file_path: "asked-note.txt", content: "as asked" });
    const stage = await claudeStage({ edits: { script: [runs("a"), runs("b"), write, text("Fine.")] } });
    const run = await stage.job("edits");

    const first = await asked(stage, run);
    assert.equal((await approve(stage, first, changed("a"))).status, 200);
    const told = await stage.heard("edits", 1);
    assert.match(told, /ran changed-a/);
    assert.ok(told.includes(`${TOLD}${changed("a").command}`), told);
    assert.equal((await settled(stage, first)).state, "acknowledged");
    assert.deepEqual(made(stage), ["changed-a"]);

    const second = await asked(stage, run);
    assert.equal((await approve(stage, second, changed("b"), "Mind the b.")).status, 200);
    assert.match(await stage.heard("edits", 2), /changed the command[\s\S]*The user adds: Mind the b\./);
    assert.deepEqual(made(stage), ["changed-a", "changed-b"]);

    const third = await asked(stage, run);
    const { input } = (
      await stage.json<{ action: { input: { file_path: string } } }>("decision", "show", third.id)
    ).action;
    assert.equal((await approve(stage, third, { ...input, content: "as changed" })).status, 200);
    assert.match(
      await stage.heard("edits", 3),
      /A person changed the call before it ran:\ncontent: as changed/,
    );
    assert.equal(fs.readFileSync(path.resolve(stage.dir, input.file_path), "utf8"), "as changed");
    assert.equal(await run.ended(), "completed");
  });

  also("a plan, which it then builds as changed, and the model is told", async () => {
    const [write, present] = plan(planText("plans-built"));
    const stage = await claudeStage({
      plans: { run: "claude --permission-mode plan", script: [write, present, text("Built.")], more: "" },
    });
    const run = await stage.job("plans");
    const decision = await run.asked("plan");
    await stage.shows(run, /^\s*❯ 1\. /m);
    const { input } = (
      await stage.json<{ action: { input: { plan: string } } }>("decision", "show", decision.id)
    ).action;
    const body = { choices: [[3]], text: null, message: null };
    const changedPlan = input.plan.replace("Build it", "Build it, with tests");
    const given = { ...body, input: { ...input, plan: changedPlan } };
    const reply = await call(stage, "POST", `/decisions/${decision.id}/resolve`, { body: given });
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await settled(stage, decision)).state, "acknowledged");
    const told = await stage.heard("plans", 2);
    assert.match(told, /edited by user[\s\S]*Build it, with tests/);
    assert.match(told, /A person changed your plan before accepting it\./);
    assert.doesNotMatch(told, /2\. Build it\n/);
  });

  also("or nothing at all, if oj is killed before or right after the answer", async () => {
    const stage = await claudeStage({
      before: { script: [runs("before"), text("Fine.")] },
      after: { script: [runs("after"), text("Fine.")] },
    });
    const runs2 = [await stage.job("before"), await stage.job("after")] as const;
    const [before, after] = await Promise.all(runs2.map((it) => asked(stage, it)));
    assert.ok(before && after);
    assert.equal((await approve(stage, after, changed("after"))).status, 200);
    await restart(stage);

    const refused = await approve(stage, before, changed("before"));
    assert.equal(refused.status, 409);
    assert.match(refused.text, /decision\.not-editable[\s\S]*no hook waits/);

    const { state, error } = await settled(stage, after);
    if (state === "failed") {
      assert.match(error ?? "", /nothing was approved$/);
      const again = await stage.until(
        async () =>
          (await stage.json<Decision[]>("decision", "list")).find((it) => it.agent_id === after.agent_id),
        "the same dialog again",
      );
      assert.deepEqual(made(stage), []);
      await runs2[1].answer(again, "2");
    } else assert.deepEqual(made(stage), ["changed-after"]);
    await runs2[0].answer(before, "1");
    await stage.heard("before", 1);
    assert.ok(made(stage).includes("asked-before") && !made(stage).includes("asked-after"));
  });

  also("unless somebody allowed the call in the terminal first: then the change has failed", async () => {
    const slow = bash("sleep 2; touch asked-slow; echo ran asked-slow");
    const stage = await claudeStage({ slow: { script: [slow, text("Fine.")] } });
    const run = await stage.job("slow");
    const decision = await asked(stage, run);
    await Promise.all([
      stage.tmux("send-keys", "-t", `=${run.agent}:`, "1"),
      approve(stage, decision, { command: "touch changed-slow", description: "a test" }),
    ]);
    await stage.heard("slow", 1);
    const view = await stage.until(async () => {
      const now = await stage.json<{ state: string; delivery: { state: string } }>(
        "decision",
        "show",
        decision.id,
      );
      return (now.state === "withdrawn" || ["acknowledged", "failed"].includes(now.delivery.state)) && now;
    }, "its end");
    const ran = made(stage);
    const isOurs = view.delivery.state === "acknowledged";
    assert.deepEqual(ran, [isOurs ? "changed-slow" : "asked-slow"]);
  });
});
