/** What was added to a conversation's file, told as hooks would tell it. The file is hostile until it is read here. */

import type { Seen } from "../client.ts";
import { unguarded } from "../guarded-words.ts";
import type { Json } from "../json-value.ts";
import { isObject, parsed, text } from "../json-value.ts";
import { endedIn } from "./transcript.ts";

export function newsIn(lines: string, since_ms: number): Seen[] {
  return lines.split("\n").flatMap((line) => {
    const entry = parsed(line);
    if (entry?.type !== "user" || entry.isSidechain === true || !isObject(entry.message)) return [];
    if (Date.parse(text(entry.timestamp)) < since_ms) return [];
    const { content } = entry.message;
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    const ended = endedIn(entry, blocks);
    if (ended.length > 0) return ended.map((it): Seen => ({ type: "answered", ...it }));
    return saidIn(entry, typeof content === "string" ? content : wordsOf(blocks));
  });
}

/** Leaves out the client's own notes (that it was interrupted, what one of its commands printed): nobody said those. */
function saidIn({ isMeta, isCompactSummary }: Json, words: string): Seen[] {
  if (isMeta === true || isCompactSummary === true || words === "" || OWN.test(words)) return [];
  if (words.startsWith("<task-notification>")) return [{ type: "worked" }];
  return [{ type: "submitted", text: unguarded(words) }];
}

const OWN = /^(\[Request interrupted|<(command-|local-command-|bash-))/;

function wordsOf(blocks: Json[]): string {
  return blocks.flatMap((it) => (it.type === "text" ? [text(it.text)] : [])).join("\n");
}
