/** What the card takes from a context that core wrote. */
import type { DecisionView } from "../../api/api.ts";
import type { ContextPart } from "../../core/text/quote.ts";
import { contextParts } from "../../core/text/quote.ts";
import { isOurs } from "./words.ts";

export interface Parts {
  /** What happened, in our words: the title says it too. */
  what: string;
  /** The agent's name. */
  agent: string | null;
  /** The folder of a session that oj did not start. */
  folder: string | null;
  /** What else we said. */
  ours: readonly string[];
  quotes: readonly Quote[];
}

export type Quote = Extract<ContextPart, { name: unknown }>;

const NONE: Parts = { what: "", agent: null, folder: null, ours: [], quotes: [] };

/** Empty if the context is not ours: then it is somebody's words from the first letter to the last. */
export function partsOf(decision: DecisionView): Parts {
  if (!isOurs(decision)) return NONE;
  if (decision.session !== null && decision.agent_id === null) return ofSession(decision.context);
  const parts = contextParts(decision.context);
  const who = parts.findIndex((it) => it.kind === "who");
  const ours = parts.flatMap((it, at) => (it.kind === "ours" ? [{ text: it.text, isHead: at < who }] : []));
  return {
    what: ours.find((it) => it.isHead)?.text ?? "",
    agent: /^Agent (.+) \(agt-/.exec(parts[who]?.text ?? "")?.[1] ?? null,
    folder: null,
    ours: ours.filter((it) => !it.isHead).map((it) => it.text),
    quotes: parts.filter((it) => "name" in it),
  };
}

/**
 * Two sentences: the session with its folder, which is text from outside, and what its terminal does. If it has
 * stopped, its last words follow.
 */
function ofSession(context: string): Parts {
  const [, head = context, said = ""] = SESSION.exec(context) ?? [];
  const [, folder, ours] = /^Session [^\n]*? in (.*)\. (Its own terminal [^\n]*)$/s.exec(head) ?? [];
  return folder === undefined || ours === undefined
    ? { ...NONE, quotes: [{ kind: "printed", name: null, label: "About the session", text: context }] }
    : { ...NONE, folder, ours: [ours], quotes: contextParts(said).filter((it) => "name" in it) };
}

/** The quote has marked lines to the end, so nothing in the folder's name passes for our words. */
const SESSION = /^(.*?)(?:\n\n([^\n>]+:\n>[^\n]*(?:\n>[^\n]*)*))?$/s;
