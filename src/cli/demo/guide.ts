/** What the tour says above the inbox: which step this is, and the two keys that answer. Pure. */
import type { DecisionBrief } from "../../api/api.ts";
import { choicesOf } from "../../inbox/answer.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, isOpen } from "../../inbox/model.ts";
import { truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import type { Guide } from "../watch/run.ts";

const ABOUT: Partial<Record<DecisionBrief["source"], string>> = {
  question: "A question",
  plan: "A plan",
  approval: "A command that needs your yes",
  gate: "It says done, its tests say no",
};

/** One line, with steps from when all agents have asked. It remembers what was answered, to count them. */
export function guide(style: Style, steps: number, haveAsked: () => boolean): Guide {
  const answered = new Set<string>();
  return (inbox, columns) => {
    for (const id of inbox.answered) answered.add(id);
    for (const { id } of inbox.items.values()) if (isOpen(inbox, id)) answered.delete(id);
    const words = haveAsked()
      ? wordsFor(inbox, answered.size, steps)
      : "Four agents are at work. Soon they will need you.";
    return [style.bold(style.cyan(truncate(` ${words}`, columns)))];
  };
}

function wordsFor(inbox: Inbox, answered: number, steps: number): string {
  const { mode, selected, items } = inbox;
  if (mode.type === "write") return "In your own words: Enter sends them, Esc goes back.";
  if (mode.type === "confirm") return "Enter: yes. Esc: no.";
  if (mode.type === "filter") return "Enter: done.";
  if (mode.type !== "list") return "Esc goes back to the inbox.";
  if (![...items.keys()].some((id) => isOpen(inbox, id))) return waiting(answered < steps);
  const item = selected === null ? undefined : items.get(selected);
  if (!item || !isOpen(inbox, item.id)) return "This one is answered: j goes to the next.";
  const about = ABOUT[item.source] ?? "An agent needs you";
  return `Step ${Math.min(steps, answered + 1)} of ${steps}  ${about}: ${keysFor(inbox, item.id)}`;
}

/** The two keys, or the one that is left. */
function keysFor(inbox: Inbox, id: string): string {
  if ((inbox.seen.get(id) ?? 0) > 0) return "J shows the rest of it.";
  const decision = inbox.details.get(id);
  const options = decision ? (choicesOf(decision)[0]?.options ?? []) : [];
  const chosen = options.find((it) => formOf(inbox, id).choices[0]?.includes(it.number));
  if (chosen) return `Enter sends "${safeLine(chosen.label)}".`;
  const best = options.find((it) => it.recommended) ?? options[0];
  return best ? `press ${best.number} for "${safeLine(best.label)}", then Enter.` : "one moment …";
}

function waiting(isMore: boolean): string {
  if (isMore) return "The next one will need you in a moment.";
  return "All answered. Each answer goes out after 5 seconds (u takes the last one back).";
}
