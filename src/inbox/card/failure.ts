/** A failure that nobody has seen, as a card: what failed and why, by which run, since when. */
import type { DecisionView, FailedRun } from "../../api/api.ts";
import { failingLines } from "../../core/failure/failing-lines.ts";
import type { Block, Card, Fact } from "./card.ts";
import { timeWords } from "./times.ts";
import { asker } from "./words.ts";

/** In the shape of a decision, so that lists, keys and filters work on it alike; what failed is in `failed`. */
export interface Failure extends DecisionView {
  failed: FailedRun;
}

export function isFailed(view: DecisionView): view is Failure {
  return "failed" in view;
}

/** It leads with what went wrong: "Failed at push: error: connection timed out". */
export function failureTitle(run: FailedRun): string {
  return `Failed${run.step === null ? "" : ` at ${run.step}`}: ${reasonOf(run)}`;
}

export function failureCard(view: Failure, now: number): Card {
  const { failed: run } = view;
  const { title, agent_id, owner, project } = view;
  const details = detailsOf(run);
  const [first = ""] = run.error.split("\n");
  const rows: [name: string, text: string | null, id?: string][] = [
    [owner.kind, asker({ owner, agent_id: null }).replace(/^\w+ /, ""), owner.id],
    ["agent", agent_id],
    ["failed", `${timeWords(run.failed_at_ms, now)}${title.endsWith(`: ${first}`) ? "" : `, ${first}`}`],
    ["started", `${timeWords(run.created_at_ms, now)}, by ${run.by}`],
    ["project", project],
  ];
  return {
    title,
    matter: [
      ...(title.endsWith(`: ${details}`) ? [] : printed("What went wrong", details)),
      ...lastWords(run),
    ],
    why: [{ type: "ours", text: "Nobody was asked about it." }],
    facts: rows.flatMap(([name, text, id = null]): Fact[] => (text === null ? [] : [{ name, text, id }])),
    changes: [],
    screen: null,
  };
}

/** The line that says it, as far as one does. */
function reasonOf(run: FailedRun): string {
  const details = detailsOf(run);
  const [first = ""] = run.error.split("\n");
  const told = run.agent_id === null ? failingLines(`${details}\n${run.tail}`).reason : "";
  return told || details.split("\n")[0] || first;
}

/** The error beyond its first line, which says how it ended. */
function detailsOf({ error }: FailedRun): string {
  return error.split("\n").slice(1).join("\n").trim();
}

function lastWords({ agent_id, tail }: FailedRun): Block[] {
  if (agent_id === null) return printed("What it printed", tail);
  return tail.trim() === "" ? [] : [{ type: "said", by: "Its last message", text: tail }];
}

function printed(label: string, text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "printed", label, text }];
}
