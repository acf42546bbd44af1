/** What the file that keeps a conversation says of its end. It is the client's own, but hostile until it is read here. */
import type { Json } from "./claude-hooks.ts";
import { errorKind, isObject, promptOf, text } from "./claude-hooks.ts";
import type { Kept } from "./client.ts";

/** Calls of subagents are in files of their own, and all that counts in these. */
export function readTranscripts(transcript: string, subagents: readonly string[]): Kept {
  const kept = readTranscript(transcript, false);
  for (const { open, ended } of subagents.map((it) => readTranscript(it, true))) {
    kept.open.push(...open);
    kept.ended.push(...ended);
  }
  return kept;
}

function readTranscript(transcript: string, ofSubagent: boolean): Kept {
  const kept: Kept = { open: [], ended: [], last_message: "", error: null };
  for (const line of transcript.split("\n")) {
    const entry = parsed(line);
    if (!entry || (entry.isSidechain === true) !== ofSubagent || !isObject(entry.message)) continue;
    const { content } = entry.message;
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    if (entry.type === "assistant") spoke(kept, entry, blocks);
    if (entry.type === "user") heard(kept, blocks);
  }
  return kept;
}

function spoke(kept: Kept, entry: Json, blocks: Json[]): void {
  const words = blocks.flatMap((it) => (it.type === "text" ? [text(it.text)] : [])).join("\n");
  const isError = entry.isApiErrorMessage === true;
  kept.error = isError ? { kind: errorKind(text(entry.error), words), message: words } : null;
  if (words !== "" && !isError) kept.last_message = words;
  for (const { type, id, name, input } of blocks) {
    if (type !== "tool_use" || text(id) === "") continue;
    kept.open.push({ ...promptOf({ tool_name: name, tool_input: input }), key: text(id) });
  }
}

function heard(kept: Kept, blocks: Json[]): void {
  const ended = blocks.flatMap((it) => text(it.tool_use_id) || []);
  kept.ended.push(...ended);
  kept.open = kept.open.filter((it) => !ended.includes(it.key));
  kept.error = null;
}

function parsed(line: string): Json | null {
  if (!line.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null; // cut off: the file is read from somewhere in its middle, or is being written
  }
}
