/** A tool that needs permission: asked about on the screen and by hook, then run, with the hooks that follow. */
import fs from "node:fs";
import path from "node:path";
import type { Json, Permission, ToolCall } from "./hooks/json.ts";
import { beforeTool, preToolUse } from "./hooks/json.ts";
import { rejectedWith } from "./hooks/result-text.ts";
import { keepCall } from "./hooks/transcript.ts";
import { decide } from "./permission.ts";
import type { ToolStep } from "./scenario/scenario.ts";
import type { Outcome } from "./screen/dialog.ts";
import { approvalDialog } from "./screen/make-dialog.ts";
import { runShell } from "./shell.ts";
import type { Flow, Stage } from "./stage.ts";
import {
  commonOf,
  filled,
  filledInput,
  newCall,
  reportCall,
  setMode,
  show,
  showBelow,
  tell,
} from "./stage.ts";
import { denied, interrupted } from "./verdict.ts";

/** Modes in which a tool is used without asking. */
const UNASKED = ["auto", "bypassPermissions", "dontAsk"];

export async function useTool(stage: Stage, step: ToolStep): Promise<Flow> {
  const call = newCall(step.name, filledInput(stage, step.input));
  const before = beforeTool(await stage.hooks.send(preToolUse(commonOf(stage), call)));
  if (before.input) call.input = before.input;
  keepCall(stage, call);
  const head = `${call.name}(${subjectOf(call.input)})`;
  const needsAsking = before.decision === null && step.asks && !isAllowed(stage, call.name);
  if (before.decision !== "ask" && !needsAsking) {
    show(stage, head, "● ");
    if (before.decision === "deny") return denied(stage, call, { by: "pre_tool_use", text: before.reason });
    return done(stage, step, call, call.input);
  }
  const dialog = approvalDialog(call.name, call.input, { cwd: stage.cwd, forced: before.decision === "ask" });
  const verdict = await decide(stage, call, dialog, { needsInput: false, head });
  if (verdict.by === "hook") return byHook(stage, step, call, verdict.permission);
  if (verdict.by === "keys") return byKeys(stage, step, call, verdict.outcome);
  const text = `Claude requested permissions to use ${call.name}, but you haven't granted it yet.`;
  return denied(stage, call, { by: "nobody", text });
}

function isAllowed({ mode, always }: Stage, name: string): boolean {
  if (always.has(name) || UNASKED.includes(mode)) return true;
  return mode === "acceptEdits" && (name === "Write" || name === "Edit");
}

async function byHook(stage: Stage, step: ToolStep, call: ToolCall, given: Permission): Promise<Flow> {
  const { allow, input, mode, always, message, interrupt } = given;
  if (!allow && interrupt) return interrupted(stage, call, message);
  if (!allow) return denied(stage, call, { by: "hook", text: message ?? "Permission denied" });
  showBelow(stage, "Allowed by PermissionRequest hook");
  if (mode !== null) setMode(stage, mode);
  if (always) stage.always.add(call.name);
  stage.record("allowed", { tool: call.name, input: input ?? call.input, by: "hook" });
  return done(stage, step, call, input ?? call.input);
}

async function byKeys(stage: Stage, step: ToolStep, call: ToolCall, outcome: Outcome): Promise<Flow> {
  if (outcome.type !== "yes") {
    const message = outcome.type === "no" ? outcome.message : null;
    if (message === null) return interrupted(stage, call, null);
    return denied(stage, call, { by: "keys", text: rejectedWith(message), message });
  }
  const { grant, remark } = outcome;
  if (grant === "always") stage.always.add(call.name);
  if (grant === "auto") setMode(stage, "auto");
  if (grant === "edits") setMode(stage, "acceptEdits");
  stage.record("allowed", { tool: call.name, input: call.input, by: "keys", grant, remark });
  if (remark !== null) tell(stage, "message", remark);
  return done(stage, step, call, call.input);
}

async function done(stage: Stage, step: ToolStep, call: ToolCall, input: Json): Promise<Flow> {
  const text = step.real ? await reallyDo(stage, call.name, input) : filled(stage, step.result);
  const response =
    call.name === "Bash"
      ? { stdout: text, stderr: "", interrupted: false, isImage: false }
      : { type: "text", text };
  if (text !== "") showBelow(stage, text.split("\n").slice(0, 5).join("\n"));
  await reportCall(stage, { call, input, response, text }, false);
  return "on";
}

async function reallyDo(stage: Stage, name: string, input: Json): Promise<string> {
  if (name === "Write" && typeof input.file_path === "string") {
    const file = path.resolve(stage.cwd, input.file_path);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, String(input.content ?? ""));
    return `File created successfully at: ${file}`;
  }
  const { output } = await runShell(String(input.command ?? "true"), stage);
  return output.trimEnd();
}

function subjectOf(input: Json): string {
  const subject = input.command ?? input.file_path ?? JSON.stringify(input);
  return String(subject).split("\n")[0]?.slice(0, 100) ?? "";
}
