/** Tools, questions and plans: asked about on the screen and by hook, then done, with the hooks that follow. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Json, ToolCall } from "./hook-json.ts";
import { beforeTool, isObject, preToolUse } from "./hook-json.ts";
import { approvalDialog, planDialog, questionDialog } from "./make-dialog.ts";
import type { Verdict } from "./permission.ts";
import { decide } from "./permission.ts";
import type { Flow } from "./play.ts";
import { answersText, REJECTED, rejectedWith } from "./result-text.ts";
import type { Question, Step, ToolStep } from "./scenario.ts";
import { clearContext } from "./session.ts";
import type { Stage } from "./stage.ts";
import {
  commonOf,
  filled,
  filledInput,
  newCall,
  reportCall,
  say,
  setMode,
  show,
  showBelow,
  tell,
} from "./stage.ts";

/** Modes in which a tool is used without asking. */
const UNASKED = ["auto", "bypassPermissions", "dontAsk"];

export async function useTool(stage: Stage, step: ToolStep): Promise<Flow> {
  const call = newCall(step.name, filledInput(stage, step.input));
  show(stage, `${call.name}(${subjectOf(call.input)})`, "● ");
  const before = beforeTool(await stage.hooks.send(preToolUse(commonOf(stage), call)));
  if (before.decision === "deny") return denied(stage, call, before.reason, "pre_tool_use");
  if (before.input) call.input = before.input;
  if (before.decision !== "ask" && (before.decision === "allow" || !step.asks || isAllowed(stage, call.name)))
    return done(stage, step, call, call.input);

  const dialog = approvalDialog(call.name, call.input, { cwd: stage.cwd, forced: before.decision === "ask" });
  const verdict = await decide(stage, call, dialog, false);
  switch (verdict.by) {
    case "nobody":
      return denied(
        stage,
        call,
        `Claude requested permissions to use ${call.name}, but you haven't granted it yet.`,
        "nobody",
      );
    case "hook": {
      const { allow, input, mode, always, message, interrupt } = verdict.permission;
      if (!allow && interrupt) return interrupted(stage, call, message);
      showBelow(
        stage,
        `${allow ? "Allowed" : "Denied"} by PermissionRequest hook${message ? `: ${message}` : ""}`,
      );
      if (!allow) return denied(stage, call, message ?? "Permission denied", "hook");
      if (mode !== null) setMode(stage, mode);
      if (always) stage.always.add(call.name);
      stage.record("allowed", { tool: call.name, input: input ?? call.input, by: "hook" });
      return done(stage, step, call, input ?? call.input);
    }
    case "keys":
      return byKeys(stage, step, call, verdict);
  }
}

async function byKeys(
  stage: Stage,
  step: ToolStep,
  call: ToolCall,
  { outcome }: Extract<Verdict, { by: "keys" }>,
): Promise<Flow> {
  if (outcome.type !== "yes") {
    const message = outcome.type === "no" ? outcome.message : null;
    if (message === null) return interrupted(stage, call, null);
    return denied(stage, call, rejectedWith(message), "keys", message);
  }
  if (outcome.grant === "always") stage.always.add(call.name);
  if (outcome.grant === "auto") setMode(stage, "auto");
  if (outcome.grant === "edits") setMode(stage, "acceptEdits");
  stage.record("allowed", {
    tool: call.name,
    input: call.input,
    by: "keys",
    grant: outcome.grant,
    remark: outcome.remark,
  });
  if (outcome.remark !== null) tell(stage, "message", outcome.remark);
  return done(stage, step, call, call.input);
}

function isAllowed({ mode, always }: Stage, name: string): boolean {
  if (always.has(name) || UNASKED.includes(mode)) return true;
  return mode === "acceptEdits" && (name === "Write" || name === "Edit");
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

/** The model is told why, and goes on. */
async function denied(stage: Stage, call: ToolCall, text: string, by: string, message = text): Promise<Flow> {
  stage.record("denied", { tool: call.name, message, by });
  tell(stage, "message", message);
  if (by !== "hook") showBelow(stage, `Not run · ${by === "keys" ? "rejected" : "permission denied"}`);
  await reportCall(stage, { call, response: text, text }, true);
  return "branch";
}

/** The turn is over, and no hook says so. */
function interrupted(stage: Stage, call: ToolCall, message: string | null): Flow {
  stage.record("interrupted", { tool: call.name, message });
  showBelow(stage, "Interrupted · What should Claude do instead?");
  return "cut";
}

export async function askQuestions(
  stage: Stage,
  { questions }: Extract<Step, { type: "ask" }>,
): Promise<Flow> {
  if (stage.printing) return missing(stage, "AskUserQuestion");
  const asked = questions.map((it) => ({ ...it, question: filled(stage, it.question) }));
  const call = newCall("AskUserQuestion", { questions: asked });
  const before = beforeTool(await stage.hooks.send(preToolUse(commonOf(stage), call)));
  if (before.decision === "deny")
    return denied(
      stage,
      call,
      `PreToolUse:AskUserQuestion hook error: ${before.reason}`,
      "pre_tool_use",
      before.reason,
    );
  if (before.decision === "allow" && before.input)
    return answered(stage, call, asked, before.input, "pre_tool_use");

  const verdict = await decide(stage, call, questionDialog(asked), true);
  if (verdict.by === "hook") {
    const { allow, input, message, interrupt } = verdict.permission;
    if (allow && input) return answered(stage, call, asked, input, "hook");
    if (interrupt) return interrupted(stage, call, message);
    return denied(stage, call, message ?? "Permission denied", "hook");
  }
  if (verdict.by === "nobody" || verdict.outcome.type === "escape") {
    show(stage, "User declined to answer questions", "● ");
    return interrupted(stage, call, null);
  }
  if (verdict.outcome.type === "answers")
    return answered(
      stage,
      call,
      asked,
      { questions: asked, answers: verdict.outcome.answers, annotations: {} },
      "keys",
    );
  show(stage, "User declined to answer questions", "● ");
  stage.record("chat", { tool: call.name });
  const text =
    "The user wants to clarify these questions.\n    This means they may have additional information, context or questions for you.";
  tell(stage, "message", text);
  await reportCall(stage, { call, response: text, text }, true);
  return "branch";
}

async function answered(
  stage: Stage,
  call: ToolCall,
  questions: Question[],
  input: Json,
  by: string,
): Promise<Flow> {
  const answers = joined(isObject(input.answers) ? input.answers : {});
  const annotations = isObject(input.annotations) ? input.annotations : {};
  const text = answersText(questions, answers, annotations);
  stage.record("answered", { answers, annotations, by, text });
  tell(stage, "answer", Object.values(answers).join(", "));
  const shown = Object.entries(answers).map(([question, answer]) => `· ${question} → ${answer}`);
  show(stage, "User answered Claude's questions:", "● ");
  if (by === "hook") showBelow(stage, "Allowed by PermissionRequest hook");
  showBelow(stage, shown.join("\n"));
  await reportCall(stage, { call, input, response: { questions, answers, annotations }, text }, false);
  return "on";
}

/** Answers are texts; several choices may come as a list. */
function joined(answers: Json): Record<string, string> {
  return Object.fromEntries(
    Object.entries(answers).map(([question, it]) => [
      question,
      Array.isArray(it) ? it.join(", ") : String(it),
    ]),
  );
}

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
    const next = step.versions[Math.min(version, step.versions.length - 1)] ?? "";
    const { message } = stage.conversation.state.told;
    plan =
      step.versions.length > version
        ? filled(stage, next)
        : `${filled(stage, next).trimEnd()}\n\nChanged: ${message}\n`;
  }
}

async function presentVersion(stage: Stage, plan: string, file: string): Promise<Flow> {
  const input = { plan, planFilePath: file };
  const call = newCall("ExitPlanMode", input);
  show(stage, "Updated plan", "● ");
  const before = beforeTool(await stage.hooks.send(preToolUse(commonOf(stage), call)));
  if (before.decision === "deny") return denied(stage, call, before.reason, "pre_tool_use");
  const verdict = await decide(stage, call, planDialog(plan, file, stage.offersClear), true);
  if (verdict.by === "hook") {
    const { allow, input: given, mode, message, interrupt } = verdict.permission;
    if (!allow && interrupt) return interrupted(stage, call, message);
    showBelow(
      stage,
      `${allow ? "Allowed" : "Denied"} by PermissionRequest hook${message ? `: ${message}` : ""}`,
    );
    if (!allow) return denied(stage, call, message ?? "Permission denied", "hook");
    const accepted = typeof given?.plan === "string" ? given.plan : plan;
    return acceptedPlan(stage, call, {
      plan: accepted,
      file,
      mode: mode ?? "default",
      by: "hook",
      input: given ?? input,
      edited: accepted !== plan,
    });
  }
  if (verdict.by === "nobody") return denied(stage, call, REJECTED, "nobody");
  const { outcome } = verdict;
  if (outcome.type === "revise")
    return denied(stage, call, rejectedWith(outcome.message), "keys", outcome.message);
  if (outcome.type !== "accept") return interrupted(stage, call, null);
  if (outcome.remark !== null) tell(stage, "message", outcome.remark);
  if (outcome.mode === "clear") {
    stage.record("plan_accepted", { plan, mode: "auto", by: "keys", clear: true });
    await clearContext(stage);
    setMode(stage, "auto");
    show(stage, `Plan to implement\n\n${plan}`);
    return "on";
  }
  return acceptedPlan(stage, call, {
    plan,
    file,
    mode: outcome.mode === "auto" ? "auto" : "default",
    by: "keys",
    input: {},
    edited: false,
  });
}

interface Accepted {
  plan: string;
  file: string;
  mode: string;
  by: string;
  input: Json;
  edited: boolean;
}

async function acceptedPlan(
  stage: Stage,
  call: ToolCall,
  { plan, file, mode, by, input, edited }: Accepted,
): Promise<Flow> {
  stage.record("plan_accepted", { plan, mode, by, edited });
  setMode(stage, mode);
  showBelow(stage, "User approved Claude's plan");
  const text = `User has approved your plan. You can now start coding.\n\nYour plan has been saved to: ${file}\n\n## Approved Plan${edited ? " (edited by user)" : ""}:\n${plan}`;
  await reportCall(stage, { call, input, response: { plan, isAgent: false, filePath: file }, text }, false);
  return "on";
}

/** Without a prompt handler the client has no such tool, and no hook is called. */
function missing(stage: Stage, name: string): Flow {
  const text = `No such tool available: ${name}. ${name} is disabled for this session`;
  stage.record("denied", { tool: name, message: text, by: "nobody" });
  tell(stage, "message", text);
  say(stage, text);
  return "branch";
}

async function reallyDo({ cwd, env }: Stage, name: string, input: Json): Promise<string> {
  if (name === "Write" && typeof input.file_path === "string") {
    const file = path.resolve(cwd, input.file_path);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, String(input.content ?? ""));
    return `File created successfully at: ${file}`;
  }
  const { output } = await runShell(String(input.command ?? "true"), cwd, env);
  return output.trimEnd();
}

export function runShell(
  command: string,
  cwd: string,
  env: Stage["env"],
  args: string[] = [],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", command, "sh", ...args], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const add = (part: string) => (output = (output + part).slice(-100_000));
    child.stdout.setEncoding("utf8").on("data", add);
    child.stderr.setEncoding("utf8").on("data", add);
    child.on("error", (error) => resolve({ code: null, output: error.message }));
    child.on("close", (code) => resolve({ code, output }));
  });
}

function subjectOf(input: Json): string {
  const subject = input.command ?? input.file_path ?? JSON.stringify(input);
  return String(subject).split("\n")[0]?.slice(0, 100) ?? "";
}
