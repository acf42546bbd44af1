/** As much of what a decision is about as a message takes. What is left out is counted, so that a person knows. */
import type { DiffLine } from "../../core/text/diff.ts";
import { fieldsText } from "../../core/text/fields-text.ts";
import type { Block } from "../../inbox/card/card.ts";

export interface Fitted {
  blocks: Block[];
  /** Characters that are not in the message. */
  hidden: number;
}

export function fitted(blocks: readonly Block[], room: number): Fitted {
  const result: Fitted = { blocks: [], hidden: 0 };
  let left = room;
  for (const block of blocks) {
    const whole = plain(block);
    const size = sizeOf(whole);
    if (size <= left) result.blocks.push(whole);
    else if (left > 0) result.blocks.push(begun(whole, left));
    result.hidden += Math.max(0, size - left);
    left = Math.max(0, left - size);
  }
  return result;
}

/** Values without a text of their own get one. */
function plain(block: Block): Block {
  if (block.type !== "fields") return block;
  return { type: "printed", label: block.by, text: fieldsText({ ...block.fields }) };
}

function sizeOf(block: Block): number {
  if (block.type === "diff") return block.lines.reduce((sum, { text }) => sum + text.length + 1, 0);
  return block.type === "fields" ? 0 : block.text.length;
}

function begun(block: Block, room: number): Block {
  if (block.type === "fields") return block;
  if (block.type !== "diff") return { ...block, text: block.text.slice(0, room) };
  let left = room;
  const lines: DiffLine[] = [];
  for (const { kind, text } of block.lines) {
    if (left <= 0) break;
    lines.push({ kind, text: text.slice(0, left) });
    left -= text.length + 1;
  }
  return { ...block, lines };
}
