/** What a decision is about, and why it came to this, source by source. Each thing is said once. */
import type { DecisionView } from "../../api/api.ts";
import { withoutKind } from "../../core/failure/error-words.ts";
import { never } from "../../core/model/errors.ts";
import { actionBlocks } from "./action.ts";
import type { Block, Card } from "./card.ts";
import type { Parts, Quote } from "./context-parts.ts";
import { withoutComposer, withoutDialog, withoutRows } from "./own-dialog.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { contextOrigin, isOurs } from "./words.ts";

type Told = Pick<Card, "matter" | "why" | "changes" | "screen">;

/** `more` is what the title says after its first line. */
export function matterOf(decision: DecisionView, parts: Parts, more: string): Told {
  const rest = said(contextOrigin(decision), more);
  if (!isOurs(decision))
    return { matter: [...rest, ...contextBlocks(decision)], why: [], changes: [], screen: null };
  const told = parts.quotes.filter((it) => !isKnown(it, decision, parts));
  const blocks = (places: Place) =>
    told.filter((it) => placeOf(it, decision) === places).flatMap((it) => quoteBlocks(it, decision));
  return {
    matter: [
      ...rest,
      ...actionBlocks(decision),
      ...questionBlocks(decision),
      ...gateBlocks(decision, parts),
      ...blocks("matter"),
    ],
    why: [...parts.ours.map((text): Block => ({ type: "ours", text })), ...blocks("why")],
    changes: blocks("changes"),
    screen: blocks("screen")[0] ?? null,
  };
}

type Place = "matter" | "why" | "changes" | "screen";

/** An agent that stopped is about its last words; one that failed, about what was printed. */
function placeOf({ kind, name }: Quote, decision: DecisionView): Place {
  const { source } = decision;
  switch (kind) {
    case "screen":
      return showsItself(decision) ? "matter" : "screen";
    case "diff":
      return "changes";
    case "said":
      if (name === "task") return "why";
      return source === "idle" || name === "signal" ? "matter" : "why";
    case "printed":
    case "ran":
      return source === "error" || source === "gate" || source === "dead" ? "matter" : "why";
    case "tried":
    case "changed":
    case "told":
    case "asked":
      return "why";
    default:
      return never(kind);
  }
}

/** Nothing but the screen tells what happened: the agent died, or a dialog was read from its screen. */
function showsItself({ source, action }: DecisionView): boolean {
  return source === "dead" || (source === "approval" && action === null);
}

function quoteBlocks({ kind, label, text }: Quote, decision: DecisionView): Block[] {
  switch (kind) {
    case "said":
    case "asked":
    case "told":
      return said(label, text);
    case "ran":
      return [{ type: "code", label, language: "shell", text }];
    case "diff":
      return unifiedDiff(text);
    case "printed":
    case "tried":
    case "changed":
      return printed(label, text);
    case "screen":
      return screenBlocks(text, decision);
    default:
      return never(kind);
  }
}

/** The rows of a dialog that was read from the screen are our options; any other dialog is left out altogether. */
function screenBlocks(text: string, decision: DecisionView): Block[] {
  if (!showsItself(decision)) return printed("Its screen", withoutDialog(text));
  const shown = decision.source === "approval" ? withoutRows(text) : withoutComposer(text);
  return printed("The last lines on its screen", shown);
}

/** The title, the questions or the screen say it already. */
function isKnown({ kind, name, text }: Quote, decision: DecisionView, { quotes }: Parts): boolean {
  const { title, questions } = decision;
  if (kind === "asked") return questions.length > 0;
  const [label = ""] = title.split(": ", 1);
  const words = withoutKind(oneLine(text), label);
  if (title === words || title.endsWith(`: ${words}`)) return true;
  const screen = showsItself(decision) ? quotes.find((it) => it.kind === "screen") : undefined;
  return name === "message" && screen !== undefined && oneLine(screen.text).includes(words);
}

/** Several questions, or one that is longer than its title. */
function questionBlocks({ questions, title }: DecisionView): Block[] {
  const [only] = questions;
  if (!only) return [];
  if (questions.length === 1)
    return oneLine(only.question) === title ? [] : said("What it asks", only.question);
  return questions.flatMap(({ header, question }, at) =>
    said(`Question ${at + 1}${header === null || header === "" ? "" : `: ${header}`}`, question),
  );
}

/** The title has the first line of the gate; a longer one is shown in full, unless it is quoted. */
function gateBlocks({ source }: DecisionView, { what, quotes }: Parts): Block[] {
  const run = /^The gate failed: (.*)\n[^\n]*$/s.exec(what)?.[1] ?? "";
  const isShown = !run.trim().includes("\n") || quotes.some((it) => it.kind === "ran");
  return source !== "gate" || isShown
    ? []
    : [{ type: "code", label: "The gate", language: "shell", text: run }];
}

/** The context of a request, in the words of whoever wrote it; that of a step is what its command printed. */
function contextBlocks(decision: DecisionView): Block[] {
  const { context, fields } = decision;
  const by = contextOrigin(decision);
  const isAll = Object.keys(fields).length > 0 && context === JSON.stringify(fields, null, 2);
  if (isAll) return [{ type: "fields", by, fields }];
  return decision.source === "step" ? printed(by, context) : said(by, context);
}

function said(by: string, text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "said", by, text }];
}

function printed(label: string, text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "printed", label, text }];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
