/** What the parts of a running agent share: the scenario, the hooks, the screen, and what was said so far. */
import { randomBytes } from "node:crypto";
import type { Conversation } from "./hooks/conversation.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { CallResult, Common, Json, ToolCall } from "./hooks/json.ts";
import { contextOf, postToolBatch, postToolUse } from "./hooks/json.ts";
import type { Recorder } from "./hooks/record.ts";
import { keepResult, keepWords } from "./hooks/transcript.ts";
import type { Scenario, Told } from "./scenario/scenario.ts";
import { style, wrap } from "./screen/text.ts";
import type { Ui } from "./screen/ui.ts";

export interface Stage {
  readonly scenario: Scenario;
  readonly hooks: Hooks;
  readonly ui: Ui;
  readonly record: Recorder;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Conversations and plans are kept here. */
  readonly home: string;
  readonly offersClear: boolean;
  /** Without a person: `-p`. */
  readonly printing: boolean;
  conversation: Conversation;
  promptId: string | null;
  mode: string;
  /** What the agent said last. */
  last: string;
  /** Tools that are not asked about any more. */
  readonly always: Set<string>;
  /** Ends the current turn. */
  abort: AbortController;
  /** Ends the agent: tells the hooks, restores the terminal. */
  leave(code: number, reason: string): Promise<never>;
}

export function commonOf({ conversation, cwd, promptId, mode }: Stage): Common {
  return {
    session_id: conversation.id,
    transcript_path: conversation.file,
    cwd,
    prompt_id: promptId,
    permission_mode: mode,
  };
}

export function say(stage: Stage, text: string): void {
  stage.last = text;
  keepWords(stage, text);
  stage.record("said", { text });
  if (stage.printing) stage.ui.print(() => text.split("\n"));
  else show(stage, text, "● ");
}

/** A text of the transcript, with a mark before it. */
export function show({ ui, printing }: Stage, text: string, mark = "  "): void {
  if (!printing) ui.print((columns) => ["", ...wrap(text, columns, mark)]);
}

/** What belongs to the line before it. */
export function showBelow({ ui, printing }: Stage, text: string): void {
  if (!printing) ui.print((columns) => wrap(text, columns, "  ⎿  ").map(style.dim));
}

/** Text that a hook gives to the model. */
export function hear(stage: Stage, output: Json, event: string): void {
  const text = contextOf(output, event);
  if (text === null) return;
  stage.record("context", { text, event });
  tell(stage, "context", text);
}

/** Remembers what the agent was told, for texts that mention it and for the record. */
export function tell(stage: Stage, of: Told, text: string): void {
  stage.conversation.note({ type: "told", of, text });
}

export function setMode(stage: Stage, mode: string): void {
  stage.mode = mode;
  stage.conversation.note({ type: "mode", mode });
  stage.ui.setMode(mode);
}

/** `{{prompt}}` and the like stand for what the agent was last told. */
export function filled({ conversation }: Stage, text: string): string {
  return text.replace(
    /\{\{(prompt|answer|message|context)\}\}/g,
    (_, of: Told) => conversation.state.told[of],
  );
}

export function filledInput(stage: Stage, input: Json): Json {
  return JSON.parse(JSON.stringify(input), (_, value) =>
    typeof value === "string" ? filled(stage, value) : value,
  ) as Json;
}

export function newCall(name: string, input: Json): ToolCall {
  return { name, input, id: `toolu_${randomBytes(12).toString("hex")}` };
}

/** The hooks after a call; a denied one has no PostToolUse. What they add goes to the model with the result. */
export async function reportCall(stage: Stage, result: CallResult, denied: boolean): Promise<void> {
  keepResult(stage, result, denied);
  if (!denied) hear(stage, await stage.hooks.send(postToolUse(commonOf(stage), result, 1)), "PostToolUse");
  await stage.hooks.send(postToolBatch(commonOf(stage), [result]));
}

/** Waits; false if the turn was interrupted meanwhile. */
export function pause({ abort }: Stage, ms: number): Promise<boolean> {
  const { signal } = abort;
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve(true);
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** What a step means for the rest of the turn. */
export type Flow =
  | "on"
  /** It was denied: the step's own steps for that case follow, if it has any. */
  | "branch"
  /** The turn is over, and the hooks hear of it. */
  | "stop"
  /** The turn was interrupted: no hook says so. */
  | "cut"
  /** An API error: StopFailure instead of Stop. */
  | "failed";
