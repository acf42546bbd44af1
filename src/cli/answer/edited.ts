/** What `--edit` and `--input` give: an agent's call as a person changed it. */
import type { DecisionView } from "../../api/api.ts";
import { notEditable } from "../../core/decision/edited.ts";
import { Refusal } from "../../core/model/errors.ts";
import { editText, inputWith, jsonIn, whyAsIs } from "../../inbox/edit.ts";
import type { Context } from "../base/command.ts";
import { inEditor } from "../base/editor.ts";
import { usage } from "../base/fail.ts";
import { textFrom } from "../base/text-from.ts";

interface Wanted {
  edit: boolean | undefined;
  input: string | undefined;
}

/** The changed input; undefined if none was asked for. Whether it fits is the daemon's to say. */
export async function changedInput(
  context: Context,
  id: string,
  { edit, input }: Wanted,
): Promise<Record<string, unknown> | undefined> {
  if (edit && input !== undefined)
    throw usage("--edit and --input both change the call; give only one", "--edit");
  if (input !== undefined) return given(context, input);
  if (!edit) return undefined;
  const decision = await context.client.decision(id);
  const { text, ending } = editText(decision) ?? refused(decision);
  const edited = await inEditor(text, `${decision.action?.tool ?? "call"}${ending}`, context.config.env);
  const result = inputWith(decision, edited);
  if ("input" in result) return result.input;
  throw new Refusal(
    "decision.input-invalid",
    `${result.problem}, so nothing was sent`,
    `oj decision resolve ${decision.id} <1-${decision.options.length}>`,
  );
}

function given(context: Context, input: string): Record<string, unknown> {
  const parsed = jsonIn(textFrom("--input", input, context));
  if (parsed === null)
    throw usage("--input takes the whole input of the call, as a JSON object", "--input @FILE, or --edit");
  return parsed;
}

function refused(decision: DecisionView): never {
  throw notEditable(decision, whyAsIs(decision));
}
