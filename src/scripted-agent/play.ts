/** Plays the turns of a scenario: which steps a prompt starts, step by step, and how a turn ends. */

import { randomUUID } from "node:crypto";
import type { Source } from "./hooks/conversation.ts";
import {
  blockOf,
  contextOf,
  notification,
  stop,
  stopFailure,
  taskNotification,
  userPromptSubmit,
} from "./hooks/json.ts";
import { keepPrompt, keepWords } from "./hooks/transcript.ts";
import { presentPlan } from "./plans.ts";
import { askQuestions } from "./questions.ts";
import type { Scenario, Step } from "./scenario/scenario.ts";
import { innerSteps } from "./scenario/scenario.ts";
import { never } from "./screen/never.ts";
import type { Flow, Stage } from "./stage.ts";
import { commonOf, filled, hear, pause, say, show, showBelow, tell } from "./stage.ts";
import { expectText, flood, pourEscape, pourOutput, runCommand, sendHook, signalDone } from "./steps.ts";
import { useTool } from "./tools.ts";

/** How often a Stop hook may send the agent back in a turn. */
const MAX_SENT_BACK = 8;
const IDLE_AFTER_MS = 60_000;

export async function playPrompt(stage: Stage, prompt: string): Promise<Flow> {
  stage.abort = new AbortController();
  stage.promptId = randomUUID();
  stage.record("prompt", { text: prompt });
  show(stage, prompt, "❯ ");
  stage.ui.works("Working");
  const output = await stage.hooks.send(userPromptSubmit(commonOf(stage), prompt));
  const refusal = blockOf(output);
  if (refusal !== null) {
    showBelow(stage, `UserPromptSubmit operation blocked by hook: ${refusal}`);
    stage.ui.works(null);
    return "cut";
  }
  hear(stage, output, "UserPromptSubmit");
  const { from, at } = begin(stage, prompt);
  const flow = await endTurn(stage, await playList(stage, (n) => stepsOf(stage.scenario, from)[n], [], at));
  stage.conversation.note({ type: "turn_end" });
  stage.ui.works(null);
  return flow;
}

/** A turn that another run left open continues after its last step; otherwise the prompt starts the next one. */
function begin({ conversation, scenario }: Stage, prompt: string): { from: Source; at: number[] } {
  const { open } = conversation.state;
  if (open) {
    conversation.note({ type: "told", of: "prompt", text: prompt });
    keepPrompt({ conversation }, prompt);
    return { from: open.from, at: open.at };
  }
  const from = sourceFor(scenario, prompt, conversation.state.turns);
  conversation.note({ type: "turn", from, prompt });
  keepPrompt({ conversation }, prompt);
  return { from, at: [] };
}

export function sourceFor({ match, turns, otherwise }: Scenario, prompt: string, begun: number): Source {
  const index = match.findIndex((it) => it.prompt.test(prompt));
  if (index >= 0) return { list: "match", index };
  if (begun < turns.length || otherwise === null)
    return { list: "turns", index: Math.min(begun, Math.max(turns.length - 1, 0)) };
  return { list: "otherwise" };
}

function stepsOf({ match, turns, otherwise }: Scenario, from: Source): Step[] {
  if (from.list === "otherwise") return otherwise ?? [];
  return (from.list === "match" ? match[from.index]?.steps : turns[from.index]) ?? [];
}

/** `after` is the step that was begun last, as a path through nested steps: empty to start at the beginning. */
async function playList(
  stage: Stage,
  stepAt: (n: number) => Step | undefined,
  base: number[],
  after: number[],
): Promise<Flow> {
  const [interrupted, ...within] = after;
  let n = interrupted ?? 0;
  if (interrupted !== undefined) {
    const step = stepAt(n);
    const flow = step && within.length > 0 ? await playInner(stage, step, [...base, n], within) : "on";
    if (flow !== "on") return flow;
    n++;
  }
  for (let step = stepAt(n); step; step = stepAt(++n)) {
    if (stage.abort.signal.aborted) return cut(stage);
    const at = [...base, n];
    stage.conversation.note({ type: "step", at });
    const flow = await playStep(stage, step, at);
    if (stage.abort.signal.aborted) return cut(stage);
    const next = flow === "branch" ? await playInner(stage, step, at, []) : flow;
    if (next !== "on") return next;
  }
  return "on";
}

/** The steps within a step: those of a loop over and over, those for a denial instead of the rest. */
async function playInner(stage: Stage, step: Step, at: number[], after: number[]): Promise<Flow> {
  const inner = innerSteps(step);
  if (step.type === "loop") return playLoop(stage, step, at, after);
  if (inner === null) say(stage, "Understood, I'll leave that.");
  const flow = await playList(stage, (n) => inner?.[n], at, after);
  const goesOn = "go_on" in step ? step.go_on : true;
  return flow === "on" && !goesOn ? "stop" : flow;
}

function playLoop(
  stage: Stage,
  { steps, times }: Extract<Step, { type: "loop" }>,
  at: number[],
  after: number[],
): Promise<Flow> {
  const count = steps.length * times;
  return playList(stage, (n) => (n < count ? steps[n % steps.length] : undefined), at, after);
}

async function playStep(stage: Stage, step: Step, at: number[]): Promise<Flow> {
  switch (step.type) {
    case "say":
      say(stage, filled(stage, step.text));
      return "on";
    case "tool":
      return useTool(stage, step);
    case "ask":
      return askQuestions(stage, step);
    case "plan":
      return presentPlan(stage, step);
    case "sleep":
      await pause(stage, step.ms);
      return "on";
    case "hang":
      stage.ui.hang(true);
      await pause(stage, step.ms);
      stage.ui.hang(false);
      return "on";
    case "work":
      return work(stage, step.ms);
    case "output":
      await pourOutput(stage, step);
      return "on";
    case "error":
      return fail(stage, step.kind, step.message);
    case "background":
      return inBackground(stage, step, at);
    case "crash":
      return crash(stage, step);
    case "exit":
      return stage.leave(step.code, "other");
    case "ignore_keys":
      stage.ui.ignoreKeys(step.ms);
      return "on";
    case "signal":
      await signalDone(stage, step);
      return "on";
    case "run":
      await runCommand(stage, filled(stage, step.command));
      return "on";
    case "expect":
      return expectText(stage, step);
    case "fake_dialog":
      show(stage, step.text, "● ");
      return "on";
    case "escape":
      await pourEscape(stage, step.text);
      return "on";
    case "hook":
      await sendHook(stage, step);
      return "on";
    case "flood":
      await flood(stage, step);
      return "on";
    case "loop":
      return playLoop(stage, step, at, []);
    default:
      return never(step);
  }
}

async function work(stage: Stage, ms: number): Promise<Flow> {
  for (let left = ms, n = 1; left > 0; left -= 200, n++) {
    show(stage, `Working on part ${n}`, "  ");
    if (!(await pause(stage, Math.min(left, 200)))) break;
  }
  return "on";
}

async function fail(stage: Stage, kind: string, message: string): Promise<Flow> {
  stage.record("failed", { error: kind, message });
  showBelow(stage, message);
  if (stage.printing) say(stage, message);
  keepWords(stage, message, kind);
  await stage.hooks.send(stopFailure(commonOf(stage), kind, message));
  return "failed";
}

/** The agent stops while its own background work runs; a notification, which nobody typed, wakes it. */
async function inBackground(
  stage: Stage,
  step: Extract<Step, { type: "background" }>,
  at: number[],
): Promise<Flow> {
  const id = `b${randomUUID().slice(0, 6)}`;
  const task = { id, type: "shell", status: "running", description: step.name, command: step.name };
  showBelow(stage, `Running in the background: ${step.name}`);
  await stage.hooks.send(stop(commonOf(stage), { active: false, last: stage.last, tasks: [task] }));
  stage.ui.works(null);
  if (!(await pause(stage, step.ms))) return "cut";
  stage.ui.works("Working");
  const notice = taskNotification(id, step.name);
  stage.promptId = randomUUID();
  stage.record("notice", { text: notice });
  keepPrompt(stage, notice);
  await stage.hooks.send(userPromptSubmit(commonOf(stage), notice));
  return playList(stage, (n) => step.steps[n], at, []);
}

/** No hook hears of it. */
async function crash(stage: Stage, { code, signal }: Extract<Step, { type: "crash" }>): Promise<Flow> {
  stage.record("crash", { code, signal });
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  await new Promise(() => setInterval(() => {}, 1000));
  return "cut";
}

function cut(stage: Stage): Flow {
  stage.record("interrupted", { tool: null, message: null });
  showBelow(stage, "Interrupted · What should Claude do instead?");
  return "cut";
}

/** Stop, unless the turn ended another way. A hook may send the agent back, so often and no more. */
async function endTurn(stage: Stage, played: Flow): Promise<Flow> {
  let flow = played;
  for (let n = 0; flow === "on" || flow === "stop"; n++) {
    const output = await stage.hooks.send(
      stop(commonOf(stage), { active: n > 0, last: stage.last, tasks: [] }),
    );
    const reason = blockOf(output) ?? contextOf(output, "Stop");
    if (reason === null || n >= MAX_SENT_BACK) return "stop";
    stage.record("sent_back", { text: reason });
    tell(stage, "message", reason);
    showBelow(stage, `Stop hook error: ${reason}`);
    const { sent_back } = stage.scenario;
    if (sent_back === null) say(stage, "I was sent back and have nothing to add.");
    flow = await playList(stage, (at) => sent_back?.[at], [], []);
  }
  return flow;
}

/** The notification that comes when nobody said anything for a while; the returned function cancels it. */
export function idleNotice(stage: Stage): () => void {
  const timer = setTimeout(() => {
    void stage.hooks.send(notification(commonOf(stage), "idle_prompt", "Claude is waiting for your input"));
  }, IDLE_AFTER_MS);
  return () => clearTimeout(timer);
}
