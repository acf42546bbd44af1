/** "Remember this" in `review`: shows the rule that an approval would become, and takes a number and Enter, or Esc. */
import type { ApiClient, DecisionView, ResolveResult, SuggestionView } from "../../api/api.ts";
import type { ScopeChoice } from "../../inbox/card/rule.ts";
import { scopeChoices } from "../../inbox/card/rule.ts";
import type { SuggestionDone } from "../../inbox/suggestion.ts";
import { answerSuggestion, suggestionChoices } from "../../inbox/suggestion.ts";
import type { Fence } from "../card/fence.ts";
import { ruleLines, scopeLines, suggestionLines } from "../card/rule.ts";
import type { Left, Reader } from "./answering.ts";

/** The choice, or null if the person went back. */
export async function pickScope<S extends string>(
  reader: Pick<Reader, "field">,
  choices: readonly ScopeChoice<S>[],
  write: (text: string) => void,
): Promise<ScopeChoice<S> | Left | null> {
  const open = choices.filter((it) => it.problem === null);
  for (;;) {
    const typed = await reader.field(numbersOf(open), true, "");
    if (typed.type === "back") return null;
    if (typed.type !== "text") return typed;
    const found = open.find((it) => String(it.number) === typed.text.trim());
    if (found) return found;
    write("that is not one of the choices\n");
  }
}

function numbersOf(open: readonly ScopeChoice<string>[]): string {
  const numbers = open.map((it) => it.number);
  const isRow = numbers.length > 1 && numbers[0] === 1;
  return isRow ? `1-${numbers.at(-1)}` : numbers.join(",");
}

/** Returns the answered decision, or null if nothing was answered. */
export async function remember(
  client: Pick<ApiClient, "ruleFor" | "rememberDecision" | "resolveDecision">,
  { id }: Pick<DecisionView, "id">,
  pick: (choices: readonly ScopeChoice[]) => Promise<ScopeChoice | Left | null>,
  show: (text: string) => void,
  look: Fence,
): Promise<ResolveResult | Left | null> {
  const found = await client.ruleFor(id);
  const choices = scopeChoices(found);
  show(["", ...ruleLines(found, look), "", ...scopeLines(choices, null, look), ""].join("\n"));
  const picked = await pick(choices);
  if (picked === null || "type" in picked) return picked;
  if (picked.scope === "once") return client.resolveDecision(id, { option: "approve" });
  return client.rememberDecision(id, { scope: picked.scope, hash: found.rule?.hash ?? "" });
}

/** Shows the rule that answers suggest, whole, and does with it what the person picks. Says what became of it. */
export async function lookAtSuggestion(
  client: Pick<ApiClient, "acceptSuggestion" | "declineSuggestion">,
  one: SuggestionView,
  pick: (
    choices: readonly ScopeChoice<"project" | "never">[],
  ) => Promise<ScopeChoice<"project" | "never"> | Left | null>,
  show: (text: string) => void,
  look: Fence,
): Promise<SuggestionDone | Left | null> {
  const choices = suggestionChoices(one);
  show(["", ...suggestionLines(one, look), "", ...scopeLines(choices, null, look), ""].join("\n"));
  const picked = await pick(choices);
  if (picked === null || "type" in picked) return picked;
  const { key, hash } = one;
  return answerSuggestion(
    client,
    picked.scope === "never" ? { type: "decline-suggestion", key } : { type: "accept-suggestion", key, hash },
  );
}
