/**
 * "Remember this": the rule that an approval would become, in words, and the keys that accept it. It is sent only after
 * the call and the rule have both been on screen, whole.
 */
import type { DecisionView, Rememberable, ResolveBody } from "../api/api.ts";
import { isRememberable, scopeChoices } from "./card/rule.ts";
import { count } from "./card/words.ts";
import { changeIn } from "./edit.ts";
import type { Pressed } from "./keys.ts";
import type { AnswerForm, Inbox, Mode, Step } from "./model.ts";
import { formOf, isOpen, only, withNotice } from "./model.ts";
import { sent } from "./send.ts";
import { haveSeen, withMissing } from "./sight.ts";

type Remembering = Extract<Mode, { type: "remember" }>;

/** Opens the rule for the decision in focus. */
export function openRemember(inbox: Inbox, decision: DecisionView, now: number): Step {
  if (!isRememberable(decision))
    return only(withNotice(inbox, "info", "only an approval can be remembered", now));
  const { id } = decision;
  if (changeIn(decision, formOf(inbox, id)) !== null) return only(withNotice(inbox, "info", CHANGED, now));
  const mode: Remembering = { type: "remember", id, found: null, scope: null, rest: null };
  return only({ ...inbox, mode, notice: null }, { type: "propose", id });
}

const CHANGED = "you changed it, and a rule is for what was asked: Enter approves your change";
const WORDS = "a rule takes no words along: 1 sends yours with this approval, or Esc, and r takes them out";

/** The rule has come. */
export function onProposed(inbox: Inbox, found: Rememberable): Inbox {
  const { mode } = inbox;
  if (mode.type !== "remember" || mode.id !== found.decision) return inbox;
  return { ...inbox, mode: { ...mode, found, scope: null, rest: null } };
}

/** So many screens of the rule have not been on screen yet. What was seen stays seen. */
export function sawRule(inbox: Inbox, id: string, rest: number): Inbox {
  const { mode } = inbox;
  if (mode.type === "suggestion" && mode.key === id)
    return mode.rest === 0 || mode.rest === rest ? inbox : { ...inbox, mode: { ...mode, rest } };
  if (mode.type !== "remember" || mode.id !== id || mode.found === null) return inbox;
  return mode.rest === 0 || mode.rest === rest ? inbox : { ...inbox, mode: { ...mode, rest } };
}

/** Numbers choose how long it is remembered, Enter accepts: two keys. */
export function onRememberKey(inbox: Inbox, mode: Remembering, key: Pressed, now: number): Step {
  if ("choose" in key) return only(chosen(inbox, mode, key.choose, now));
  const back: Inbox = { ...inbox, mode: { type: "list" }, notice: null };
  if (key.command === "back" || key.command === "quit") return only(back);
  if (key.command !== "send") return only(inbox);
  const { id, found, scope, rest } = mode;
  if (!isOpen(inbox, id)) return only(withNotice(back, "warning", `${id} no longer takes an answer`, now));
  if (found === null) return only(withNotice(inbox, "info", "the rule is still loading", now));
  if (scope === null) return only(withNotice(inbox, "info", `choose ${range(found)} first`, now));
  if (!haveSeen(inbox, [id])) return only(withMissing(inbox, [id], now));
  const words = wordsOf(formOf(inbox, id));
  if (scope === "once")
    return sent(back, [id], { type: "resolve", id, body: { option: "approve", ...words } });
  if (Object.keys(words).length > 0) return only(withNotice(inbox, "warning", WORDS, now));
  if (rest !== 0) return only(withUnseen(inbox, rest, now));
  return found.rule === null
    ? only(inbox)
    : sent(back, [id], { type: "remember", id, body: { scope, hash: found.rule.hash } });
}

/** What the person wrote for this approval. */
function wordsOf({ texts: [text = ""], message }: AnswerForm): Pick<ResolveBody, "text" | "message"> {
  return { ...(text.trim() && { text }), ...(message.trim() && { message }) };
}

/** Says how much of the rule has not been on screen yet. */
export function withUnseen(inbox: Inbox, rest: number | null, at_ms: number): Inbox {
  const text = rest === null ? "not all of it has been on screen yet" : count(rest, "more screen");
  return { ...inbox, notice: { kind: "warning", text, key: "J", at_ms } };
}

function chosen(inbox: Inbox, mode: Remembering, number: number, now: number): Inbox {
  const choice = mode.found && scopeChoices(mode.found).find((it) => it.number === number);
  if (!choice) return withNotice(inbox, "warning", `there is no option ${number} here`, now);
  if (choice.problem !== null) return withNotice(inbox, "warning", choice.problem, now);
  return { ...inbox, mode: { ...mode, scope: choice.scope }, notice: null };
}

function range(found: Rememberable): string {
  const numbers = scopeChoices(found).filter((it) => it.problem === null);
  return numbers.length === 1 ? "1" : `1-${numbers.at(-1)?.number}`;
}
