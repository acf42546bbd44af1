/** What a decision is about, as plain text, and as much of it as a message can take. */
import type { DecisionView } from "../../api/api.ts";
import { never } from "../../core/model/errors.ts";
import { fieldsText } from "../../core/text/fields-text.ts";
import type { Block, Card } from "../../inbox/card/card.ts";
import { safe } from "../../text/safe.ts";

/** Everything that must be read before something is approved. */
export function matterText({ matter }: Pick<Card, "matter">, between = "\n\n"): string {
  return matter.map((it) => safe(blockText(it)).trimEnd()).join(between);
}

export interface Shown {
  text: string;
  /** Nothing was left out: only then may the message have a button that lets somebody act. */
  isWhole: boolean;
}

/** The text if it fits. Otherwise its beginning, how much is hidden, and the hash of the action it belongs to. */
export function shown(text: string, most: number, action: DecisionView["action"]): Shown {
  const letters = [...text];
  if (letters.length <= most) return { text, isWhole: true };
  const hash = action === null ? "" : `, SHA-256 ${action.sha256.slice(0, 12)}`;
  const end = (hidden: number) => `… ${hidden} characters hidden${hash}`;
  const room = Math.max(0, most - [...end(letters.length)].length - 1);
  const beginning = letters.slice(0, room).join("").trimEnd();
  return { text: `${beginning}\n${end(letters.length - [...beginning].length)}`, isWhole: false };
}

/** At most so many characters, with an ellipsis if there was more. */
export function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

const SIGNS = { added: "+", removed: "-", kept: " ", gap: "… " } as const;

function blockText(block: Block): string {
  switch (block.type) {
    case "ours":
      return block.text;
    case "said":
      return labelled(block.by, block.text);
    case "printed":
    case "code":
      return labelled(block.label, block.text);
    case "diff":
      return labelled(block.path, block.lines.map(({ kind, text }) => `${SIGNS[kind]}${text}`).join("\n"));
    case "fields":
      return labelled(block.by, fieldsText({ ...block.fields }));
    default:
      return never(block);
  }
}

function labelled(label: string | null, text: string): string {
  return label === null ? text : `${label}:${text.includes("\n") ? "\n" : " "}${text}`;
}
