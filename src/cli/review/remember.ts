/** "Remember this" in `review`: shows the rule that an approval would become, and takes a number and Enter, or Esc. */
import type { ApiClient, DecisionView, ResolveResult } from "../../api/api.ts";
import type { ScopeChoice } from "../../inbox/remember.ts";
import { scopeChoices } from "../../inbox/remember.ts";
import type { Fence } from "../card/fence.ts";
import { ruleLines, scopeLines } from "../card/rule.ts";
import type { Left, Reader } from "./answering.ts";

/** The choice, or null if the person went back. */
export async function pickScope(
  reader: Pick<Reader, "field">,
  choices: readonly ScopeChoice[],
  write: (text: string) => void,
): Promise<ScopeChoice | Left | null> {
  const open = choices.filter((it) => it.problem === null);
  for (;;) {
    const typed = await reader.field(open.length === 1 ? "1" : `1-${open.at(-1)?.number}`, true, "");
    if (typed.type === "back") return null;
    if (typed.type !== "text") return typed;
    const found = open.find((it) => String(it.number) === typed.text.trim());
    if (found) return found;
    write("that is not one of the choices\n");
  }
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
