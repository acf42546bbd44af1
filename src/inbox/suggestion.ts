/**
 * A rule that people's own answers suggest: one line in the inbox, and behind a key its evidence, what it would have
 * answered, and the rule itself. Accepted only after all of that has been on screen, with a number and Enter.
 */
import type { ApiClient, SuggestionView } from "../api/api.ts";
import type { Event } from "../core/model/events.ts";
import type { ScopeChoice } from "./card/rule.ts";
import { shortPath } from "./card/rule.ts";
import { count } from "./card/words.ts";
import type { Pressed } from "./keys.ts";
import type { Effect, Inbox, Mode, Step } from "./model.ts";
import { only, withNotice } from "./model.ts";
import { withUnseen } from "./remember.ts";

type Suggesting = Extract<Mode, { type: "suggestion" }>;

/** The one line of an inbox; null if there is nothing to suggest. */
export function suggestionLine([first, ...more]: readonly SuggestionView[]): string | null {
  if (!first) return null;
  const { what, answers } = first;
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  return `You approved ${what} ${count(answers, "time")} and never refused it: let a policy do it?${others}`;
}

/** What can be done with it. */
export function suggestionChoices({
  file,
  problem,
}: Pick<SuggestionView, "file" | "problem">): ScopeChoice<"project" | "never">[] {
  const written = `written to ${shortPath(file)}; oj policy off takes it back`;
  return [
    { number: 1, scope: "project", label: "Always in this project", effect: written, problem },
    {
      number: 2,
      scope: "never",
      label: "No",
      effect: "ask me each time, and don't suggest it again",
      problem: null,
    },
  ];
}

/** "approved 12 times on 3 days in 4 jobs or sessions of shop, never refused". */
export function evidenceWords({ project, answers, days, jobs }: SuggestionView): string {
  const where = `in ${jobs} jobs or sessions of ${project}`;
  return `Approved ${count(answers, "time")} on ${count(days, "day")} ${where}, never refused.`;
}

/** Whether other rules may be suggested after these events. */
export function concernsSuggestions(events: readonly Event[]): boolean {
  return events.some(
    (it) => it.type.startsWith("policy:") || (it.type === "decision:resolved" && it.via !== "policy"),
  );
}

export function openSuggestion(inbox: Inbox, now: number): Step {
  const [first] = inbox.suggestions;
  return first
    ? only(opened(inbox, first))
    : only(withNotice(inbox, "info", "your answers suggest no rule at the moment", now));
}

function opened(inbox: Inbox, { key, hash }: SuggestionView): Inbox {
  return { ...inbox, mode: { type: "suggestion", key, hash, scope: null, rest: null }, notice: null };
}

/** The one that is open, if it is still suggested as it was. */
export function openOne({ suggestions }: Inbox, { key, hash }: Suggesting): SuggestionView | undefined {
  return suggestions.find((it) => it.key === key && it.hash === hash);
}

/** The list as the daemon has it now. A rule that reads otherwise must be looked at again. */
export function onSuggested(inbox: Inbox, suggestions: readonly SuggestionView[], now: number): Inbox {
  const next = { ...inbox, suggestions };
  const { mode } = inbox;
  if (mode.type !== "suggestion" || openOne(next, mode)) return next;
  const changed = suggestions.find((it) => it.key === mode.key);
  if (changed) return withNotice(opened(next, changed), "warning", "the rule has changed: look again", now);
  return withNotice({ ...next, mode: { type: "list" } }, "info", "that is no longer suggested", now);
}

export function onSuggestionKey(inbox: Inbox, mode: Suggesting, key: Pressed, now: number): Step {
  const one = openOne(inbox, mode);
  const back: Inbox = { ...inbox, mode: { type: "list" }, notice: null };
  if (!one) return only(back);
  if ("choose" in key) {
    const choice = suggestionChoices(one).find((it) => it.number === key.choose);
    if (!choice) return only(withNotice(inbox, "warning", `there is no option ${key.choose} here`, now));
    if (choice.problem !== null) return only(withNotice(inbox, "warning", choice.problem, now));
    return only({ ...inbox, mode: { ...mode, scope: choice.scope }, notice: null });
  }
  switch (key.command) {
    case "back":
    case "quit":
    case "suggestion":
      return only(back);
    case "down":
    case "up":
      return only(turned(inbox, one, key.command === "down" ? 1 : -1));
    case "send":
      return accepted(inbox, mode, one, now);
    default:
      return only(inbox);
  }
}

/** The next one, or the one before. */
function turned(inbox: Inbox, one: SuggestionView, by: number): Inbox {
  const next = inbox.suggestions[inbox.suggestions.indexOf(one) + by];
  return next ? opened(inbox, next) : inbox;
}

/** What is declined need not have been read; what is accepted must have been. */
function accepted(
  inbox: Inbox,
  { scope, rest }: Suggesting,
  { key, hash }: SuggestionView,
  now: number,
): Step {
  if (scope === null) return only(withNotice(inbox, "info", "choose 1 or 2 first", now));
  const back: Inbox = { ...inbox, mode: { type: "list" }, notice: null };
  if (scope === "never") return only(back, { type: "decline-suggestion", key });
  if (rest !== 0) return only(withUnseen(inbox, rest, now));
  return only(back, { type: "accept-suggestion", key, hash });
}

/** What became of it: with `isOver` it is no longer suggested. */
export interface SuggestionDone {
  key: string;
  isOver: boolean;
  text: string;
}

/** Does what was chosen; says what the person should know about it. */
export async function answerSuggestion(
  client: Pick<ApiClient, "acceptSuggestion" | "declineSuggestion">,
  effect: Extract<Effect, { type: "accept-suggestion" | "decline-suggestion" }>,
): Promise<SuggestionDone> {
  const { key } = effect;
  try {
    if (effect.type === "decline-suggestion") {
      await client.declineSuggestion(key);
      return { key, isOver: true, text: "you are asked each time, and it is not suggested again" };
    }
    const { name } = await client.acceptSuggestion(key, { hash: effect.hash });
    return { key, isOver: true, text: `from now on a policy does it; oj policy off "${name}" takes it back` };
  } catch (error) {
    return { key, isOver: false, text: error instanceof Error ? error.message : String(error) };
  }
}

export function onSuggestionDone(inbox: Inbox, { key, isOver, text }: SuggestionDone, now: number): Inbox {
  if (!isOver) return withNotice(inbox, "error", text, now);
  const suggestions = inbox.suggestions.filter((it) => it.key !== key);
  return withNotice({ ...inbox, suggestions }, "info", text, now);
}
