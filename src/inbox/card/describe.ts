/** A decision as a card: taken apart once, so that every surface shows the same things in the same order. */
import type { DecisionView } from "../../api/api.ts";
import type { Card } from "./card.ts";
import type { Parts } from "./context-parts.ts";
import { partsOf } from "./context-parts.ts";
import { factsOf } from "./facts.ts";
import { failureCard, isFailed } from "./failure.ts";
import { matterOf } from "./matter.ts";

type Lasting = Pick<Card, "title" | "matter" | "why" | "changes" | "screen"> &
  Pick<Parts, "agent" | "folder">;

/** A view is never changed, and surfaces ask again with every key: only the facts tell the time. */
const known = new WeakMap<DecisionView, Lasting>();

export function describe(decision: DecisionView, now: number): Card {
  if (isFailed(decision)) return failureCard(decision, now);
  const { agent, folder, ...lasting } = known.get(decision) ?? takeApart(decision);
  return { ...lasting, facts: factsOf(decision, { agent, folder }, now) };
}

function takeApart(decision: DecisionView): Lasting {
  const [title = "", ...more] = decision.title.split("\n");
  const parts = partsOf(decision);
  const told = matterOf(decision, parts, more.join("\n"));
  const isWhole = decision.action !== null && decision.source === "approval"; // the action says the rest
  const lasting = {
    title: isWhole ? begun(title) : title,
    ...told,
    agent: parts.agent,
    folder: parts.folder,
  };
  known.set(decision, lasting);
  return lasting;
}

/** An approval is about the action below it: of a long one, the first words tell it from others. */
const FIRST_WORDS = 72;

function begun(title: string): string {
  const letters = [...title];
  return letters.length > FIRST_WORDS
    ? `${letters
        .slice(0, FIRST_WORDS - 1)
        .join("")
        .trimEnd()}…`
    : title;
}
