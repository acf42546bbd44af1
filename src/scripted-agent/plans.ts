/** Plans: presented until they are accepted or given up, each in a file of its own. */
import fs from "node:fs";
import path from "node:path";
import { clearContext } from "./conversation-life.ts";
import type { Json, Permission, ToolCall } from "./hooks/json.ts";
import { beforeTool, preToolUse } from "./hooks/json.ts";
import { approvedText, rejectedWith } from "./hooks/result-text.ts";
import { keepCall } from "./hooks/transcript.ts";
import { decide } from "./permission.ts";
import type { Step } from "./scenario/scenario.ts";
import type { Outcome } from "./screen/dialog.ts";
import { planDialog } from "./screen/make-dialog.ts";
import type { Flow, Stage } from "./stage.ts";
import { commonOf, filled, newCall, reportCall, setMode, show, showBelow, tell } from "./stage.ts";
import { denied, interrupted, missing } from "./verdict.ts";

/** If it is sent back, the next version is presented; after the last one, the last again with the message added. */
export async function presentPlan(stage: Stage, step: Extract<Step, { type: "plan" }>): Promise<Flow> {
  if (stage.printing) return missing(stage, "ExitPlanMode");
  setMode(stage, "plan");
  const file = path.join(stage.home, "plans", `${stage.conversation.id.slice(0, 8)}.md`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  let plan = filled(stage, step.versions[0] ?? "");
  for (let version = 1; ; version++) {
    fs.writeFileSync(file, plan);
    const flow = await presentVersion(stage, plan, file);
    if (flow !== "branch" || step.revised !== null) return flow;
    const next = step.versions[version];
    plan =
      next === undefined
        ? `${plan.trimEnd()}\n\nChanged: ${stage.conversation.state.told.message}\n`
        : filled(stage, next);
  }
}

interface Presented {
  call: ToolCall;
  plan: string;
  file: string;
}

async function presentVersion(stage: Stage, plan: string, file: string): Promise<Flow> {
  const call = newCall("ExitPlanMode", { plan, planFilePath: file });
  keepCall(stage, call);
  show(stage, "Updated plan", "● ");
  const before = beforeTool(await stage.hooks.send(preToolUse(commonOf(stage), call)));
  if (before.decision === "deny") return denied(stage, call, { by: "pre_tool_use", text: before.reason });
  const verdict = await decide(stage, call, planDialog(plan, file, stage.offersClear), { needsInput: true });
  if (verdict.by === "hook") return byHook(stage, { call, plan, file }, verdict.permission);
  if (verdict.by === "keys") return byKeys(stage, { call, plan, file }, verdict.outcome);
  return interrupted(stage, call, null);
}

async function byHook(stage: Stage, it: Presented, given: Permission): Promise<Flow> {
  const { allow, input, mode, message, interrupt } = given;
  if (!allow && interrupt) return interrupted(stage, it.call, message);
  if (!allow) return denied(stage, it.call, { by: "hook", text: message ?? "Permission denied" });
  showBelow(stage, "Allowed by PermissionRequest hook");
  const plan = typeof input?.plan === "string" ? input.plan : it.plan;
  return accepted(
    stage,
    { ...it, plan },
    { mode: mode ?? "default", by: "hook", input: input ?? {}, edited: plan !== it.plan },
  );
}

async function byKeys(stage: Stage, it: Presented, outcome: Outcome): Promise<Flow> {
  if (outcome.type === "revise")
    return denied(stage, it.call, {
      by: "keys",
      text: rejectedWith(outcome.message),
      message: outcome.message,
    });
  if (outcome.type !== "accept") return interrupted(stage, it.call, null);
  if (outcome.remark !== null) tell(stage, "message", outcome.remark);
  const mode = outcome.mode === "manual" ? "default" : "auto";
  // the tool runs with what the model gave, which is nothing: the plan is in its file
  if (outcome.mode !== "clear") return accepted(stage, it, { mode, by: "keys", input: {}, edited: false });
  stage.record("plan_accepted", { plan: it.plan, mode, by: "keys", clear: true });
  await clearContext(stage);
  setMode(stage, mode);
  show(stage, `Plan to implement\n\n${it.plan}`);
  return "on";
}

async function accepted(
  stage: Stage,
  { call, plan, file }: Presented,
  { mode, by, input, edited }: { mode: string; by: string; input: Json; edited: boolean },
): Promise<Flow> {
  stage.record("plan_accepted", { plan, mode, by, edited });
  setMode(stage, mode);
  showBelow(stage, "User approved Claude's plan");
  const response = { plan, isAgent: false, filePath: file };
  await reportCall(stage, { call, input, response, text: approvedText(plan, file, edited) }, false);
  return "on";
}
