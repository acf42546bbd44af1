/** A decision as a card: taken apart once, so that every surface shows the same things in the same order. */
import type { DecisionView } from "../../api/api.ts";
import { safeLine } from "../../text/safe.ts";
import type { Block, Card } from "./card.ts";
import type { Parts } from "./context-parts.ts";
import { partsOf } from "./context-parts.ts";
import { factsOf } from "./facts.ts";
import { failureCard, isFailed } from "./failure.ts";
import { matterOf } from "./matter.ts";
import { saidWords } from "./said.ts";

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
  const rule = ruleBlocks(decision);
  const lasting = {
    title: isWhole ? begun(title) : title,
    ...told,
    matter: rule.length === 0 ? told.matter : [...told.matter, ...rule],
    agent: parts.agent,
    folder: parts.folder,
  };
  known.set(decision, lasting);
  return lasting;
}

/** With what is decided, so that every surface shows it: who may answer, and who has said what so far. */
function ruleBlocks(decision: DecisionView): Block[] {
  const { who_may: who, state } = decision;
  if (who === undefined) return [];
  const said = saidWords(decision);
  const lines = [
    ...(state === "pending" ? [`Who may answer: ${safeLine(who)}.`] : []),
    ...(said === null ? [] : [state === "pending" ? `So far: ${said}.` : `${said}.`]),
  ];
  return lines.length === 0 ? [] : [{ type: "ours", text: lines.join("\n") }];
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
