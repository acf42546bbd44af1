/** The exact action of an agent as blocks. Every value of its input is shown, the telling ones in their own form. */
import type { DecisionView } from "../../api/api.ts";
import type { FileDiff } from "../../core/model/decision-types.ts";
import { readDiff } from "../../core/text/diff.ts";
import type { Block } from "./card.ts";
import type { Changed, Input } from "./edits.ts";
import { editsOf, isInput } from "./edits.ts";
import { cellChangeOf } from "./notebook.ts";
import { patchOf } from "./patch.ts";
import { valueBlock, valueBlocks } from "./values.ts";

export function actionBlocks(decision: DecisionView): Block[] {
  const { action, source } = decision;
  if (!action) return [];
  const { input, diff } = action;
  if (!isInput(input)) return [valueBlock("input", input)];
  const asked = source === "plan" ? planBlocks(input) : inputBlocks(action.tool, input, diff ?? null);
  return [...asked, ...changeBlocks(decision, action.tool)];
}

/** What a person made of it, below what the agent asked for. */
function changeBlocks({ answer, held, source }: DecisionView, tool: string): Block[] {
  const input = (answer ?? held?.answer)?.input;
  if (input === undefined) return [];
  return source === "plan"
    ? [{ type: "ours", text: "Accepted with a change. This is the plan to build:" }, ...planBlocks(input)]
    : [
        { type: "ours", text: "Approved with a change. This is what may run instead:" },
        ...inputBlocks(tool, input, null),
      ];
}

/** What a person made of it and has not sent yet. */
export function draftBlocks({ action, source }: DecisionView, input: Input): Block[] {
  return source === "plan"
    ? [{ type: "ours", text: "Changed by you. Accept it, and this is the plan:" }, ...planBlocks(input)]
    : [
        { type: "ours", text: "Changed by you. Approve it, and this runs instead:" },
        ...inputBlocks(action?.tool ?? "", input, null),
      ];
}

function planBlocks(input: Input): Block[] {
  const { plan, ...rest } = input;
  if (typeof plan !== "string") return inputBlocks("", input, null);
  // where the client keeps its own copy of the plan says nothing
  const others = Object.entries(rest).filter(([key, it]) => key !== "planFilePath" || typeof it !== "string");
  return [{ type: "said", by: "The agent's plan", text: plan }, ...valueBlocks(Object.fromEntries(others))];
}

/** A command or a change first; whatever else there is follows, by name. */
function inputBlocks(tool: string, input: Input, diff: FileDiff | null): Block[] {
  const patch = patchOf(tool, input);
  if (patch) return [...patch.blocks, ...valueBlocks(patch.rest)];
  const { command, ...options } = input;
  if (typeof command === "string")
    return [{ type: "code", label: null, language: "shell", text: command }, ...valueBlocks(options)];
  const changed = recorded(input, diff) ?? editsOf(input);
  const blocks = changed ? [...changed.blocks, ...valueBlocks(changed.rest)] : valueBlocks(input);
  return [...blocks, ...notes(diff)];
}

/** The change as it shows in the file. Null if only a part of it is known: then the input is shown instead. */
function recorded(input: Input, diff: FileDiff | null): Changed | null {
  if (diff === null || diff.is_new || diff.cut > 0 || diff.unread !== null || diff.text === "") return null;
  const { file_path, content, ...others } = input;
  if (file_path !== diff.path) return cellChangeOf(input, diff);
  const edited = editsOf(input);
  const isEdit = edited?.blocks.every((it) => it.type === "diff") ?? false;
  if (!isEdit && typeof content !== "string") return null;
  const rest = edited && isEdit ? edited.rest : others;
  return { blocks: [{ type: "diff", path: diff.path, lines: readDiff(diff.text) }], rest };
}

/** What we know about the file beyond the input. */
function notes(diff: FileDiff | null): Block[] {
  if (diff === null) return [];
  const ours = (text: string): Block[] => [{ type: "ours", text }];
  if (diff.unread !== null) return ours(`The file itself is not shown: ${diff.unread}.`);
  if (diff.is_new) return ours("The file does not exist yet.");
  if (diff.text === "") return ours("The file has this text already.");
  return diff.cut > 0 ? ours("The file exists. What would change is too long to show line by line.") : [];
}
