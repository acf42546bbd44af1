/** The conversation on disk: a JSON line for everything said and each step begun, so that another run can continue. */
import fs from "node:fs";
import path from "node:path";
import type { Told } from "../scenario/scenario.ts";

export interface Conversation {
  id: string;
  file: string;
  state: Progress;
  note(line: Line): void;
}

/** Where the scenario is. */
export interface Progress {
  /** Turns begun, of those that count. */
  turns: number;
  /** The turn that was not finished: which steps, and the step that was begun last. */
  open: { from: Source; at: number[] } | null;
  told: Record<Told, string>;
  mode: string | null;
}

/** Where a turn's steps are in the scenario. */
export type Source = { list: "turns" | "match"; index: number } | { list: "otherwise" };

type Line =
  | { type: "turn"; from: Source; prompt: string }
  | { type: "step"; at: number[] }
  | { type: "turn_end" }
  | { type: "told"; of: Told; text: string }
  | { type: "mode"; mode: string }
  /** As Claude Code writes it (see `transcript.ts`). */
  | { type: "user" | "assistant"; message: object; timestamp: string; [more: string]: unknown }
  /** A conversation that replaces another begins where that one was. */
  | { type: "progress"; progress: Progress };

/** Its file appears with the first turn: before that there is nothing to resume. */
export function newConversation(folder: string, id: string): Conversation {
  return open(folder, id, emptyProgress(), false);
}

/** Null if there is none with this id. */
export function resumedConversation(folder: string, id: string): Conversation | null {
  const file = fileOf(folder, id);
  if (!fs.existsSync(file)) return null;
  const progress = emptyProgress();
  for (const line of fs.readFileSync(file, "utf8").split("\n")) follow(progress, line);
  return open(folder, id, progress, true);
}

function open(folder: string, id: string, state: Progress, exists: boolean): Conversation {
  const file = fileOf(folder, id);
  let before: string[] | null = exists ? null : [];
  return {
    id,
    file,
    state,
    note(line) {
      const text = JSON.stringify(line);
      follow(state, text);
      before?.push(text);
      if (before && !BEGINS.includes(line.type)) return;
      if (before) fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.appendFileSync(file, `${(before ?? [text]).join("\n")}\n`);
      before = null;
    },
  };
}

/** What makes it a conversation. */
const BEGINS: Line["type"][] = ["turn", "step", "assistant"];

function follow(progress: Progress, text: string): void {
  const line = parsed(text);
  switch (line?.type) {
    case "turn":
      if (line.from.list === "turns") progress.turns += 1;
      progress.open = { from: line.from, at: [] };
      progress.told.prompt = line.prompt;
      return;
    case "step":
      if (progress.open) progress.open.at = line.at;
      return;
    case "turn_end":
      progress.open = null;
      return;
    case "told":
      progress.told[line.of] = line.text;
      return;
    case "progress":
      Object.assign(progress, line.progress);
      return;
    case "mode":
      progress.mode = line.mode;
      return;
    default:
      return;
  }
}

/** A line that was cut off by a crash is skipped. */
function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}

function emptyProgress(): Progress {
  return { turns: 0, open: null, told: { prompt: "", answer: "", message: "", context: "" }, mode: null };
}

function fileOf(folder: string, id: string): string {
  return path.join(folder, "conversations", `${path.basename(id)}.jsonl`);
}
