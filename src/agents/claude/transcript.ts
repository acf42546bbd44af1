/**
 * What the end of a conversation's file says. The file is the client's own, but it is hostile until it is read here.
 */
import type { CallEnd } from "../../core/agent/dialog.ts";
import type { Kept } from "../client.ts";
import type { Json } from "../json-value.ts";
import { isObject, parsed, text } from "../json-value.ts";
import { answersIn, errorKind, promptOf, refusalIn } from "./hooks.ts";

/** Subagents have files of their own, of which only the calls count. */
export function readTranscripts(transcript: string, subagents: readonly string[]): Kept {
  const kept = readTranscript(transcript, false);
  for (const { open, ended } of subagents.map((it) => readTranscript(it, true))) {
    kept.open.push(...open);
    kept.ended.push(...ended);
  }
  return kept;
}

function readTranscript(transcript: string, ofSubagent: boolean): Kept {
  const kept: Kept = { open: [], ended: [], last_message: "", begun: false, error: null };
  /** In which turn each call was made. */
  const turns = new Map<string, number>();
  let turn = 0;
  for (const line of transcript.split("\n")) {
    const entry = parsed(line);
    if (!entry || (entry.isSidechain === true) !== ofSubagent || !isObject(entry.message)) continue;
    const { content } = entry.message;
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    if (entry.type === "assistant") for (const key of spoke(kept, entry, blocks)) turns.set(key, turn);
    if (entry.type === "user" && !heard(kept, entry, blocks)) turn += 1;
  }
  // A client that crashed never noted how its call ended. What it asks about since comes first, or the answer to a call
  // that was made again would go by the key of the dead one.
  kept.open.sort((a, b) => (turns.get(b.key) ?? 0) - (turns.get(a.key) ?? 0));
  return kept;
}

/** Returns the keys of the calls that it made. */
function spoke(kept: Kept, entry: Json, blocks: Json[]): string[] {
  const words = blocks.flatMap((it) => (it.type === "text" ? [text(it.text)] : [])).join("\n");
  const isError = entry.isApiErrorMessage === true;
  kept.error = isError ? { kind: errorKind(text(entry.error), words), message: words } : null;
  if (words !== "" && !isError) kept.last_message = words;
  const calls = blocks
    .filter((it) => it.type === "tool_use" && text(it.id) !== "")
    .map(({ id, name, input }) => ({ ...promptOf({ tool_name: name, tool_input: input }), key: text(id) }));
  kept.open.push(...calls);
  return calls.map((it) => it.key);
}

/** Returns whether it was told how calls ended, and nothing else. */
function heard(kept: Kept, entry: Json, blocks: Json[]): boolean {
  const ended = endedIn(entry, blocks);
  kept.ended.push(...ended);
  kept.open = kept.open.filter((it) => !ended.some(({ key }) => key === it.key));
  kept.begun = true;
  kept.error = null;
  return ended.length > 0;
}

/**
 * The calls whose results are in this entry. A call without an error has run. Of the others, those that somebody
 * refused say so.
 */
export function endedIn({ toolUseResult }: Json, blocks: Json[]): ({ key: string } & CallEnd)[] {
  const results = blocks.filter((it) => it.type === "tool_result" && text(it.tool_use_id) !== "");
  return results.map((it) => ({
    key: text(it.tool_use_id),
    ...(it.is_error === true ? refusedBy(it) : { ran: true, ...answersIn({ tool_response: toolUseResult }) }),
  }));
}

function refusedBy({ content }: Json): CallEnd {
  const [first] = Array.isArray(content) ? content.filter(isObject) : [];
  return refusalIn(text(content) || text(first?.text));
}

/** The client notes which conversation each of its processes has. */
export function registered(note: string): string | null {
  return text(parsed(note.trim())?.sessionId) || null;
}
