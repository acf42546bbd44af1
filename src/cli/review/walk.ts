/** Walks through all pending decisions: shows each, asks, answers, and keeps count. */
import type { DecisionView, SuggestionView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { ScopeChoice } from "../../inbox/card/rule.ts";
import { isQuiet } from "../../inbox/card/waits.ts";
import { standing } from "../../inbox/card/words.ts";
import { suggestionLine } from "../../inbox/suggestion.ts";
import { truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { refusalText } from "../base/fail.ts";
import { card } from "../card/card.ts";
import { afterDelivery, outcomeLines } from "../card/outcome.ts";
import type { Left } from "./answering.ts";
import type { Dialog, Reply } from "./dialog.ts";
import { lookAtSuggestion, remember } from "./remember.ts";
import type { Settled } from "./settled.ts";

export interface Summary {
  resolved: string[];
  skipped: string[];
  /** Settled by somebody else while we were at it. */
  elsewhere: string[];
  /** Still pending, and not looked at. */
  left: string[];
  interrupted: boolean;
}

/** What answers suggest: what the person has dealt with goes. */
export interface Suggested {
  all: readonly SuggestionView[];
}

type Pending = () => Promise<DecisionView[]>;

export async function walk(
  context: Context,
  dialog: Dialog,
  settled: Settled,
  pending: Pending,
  show: (text: string) => void,
  found: Suggested = { all: [] },
): Promise<Summary> {
  const summary: Summary = { resolved: [], skipped: [], elsewhere: [], left: [], interrupted: false };
  const seen = new Set<string>();
  let queue = await pending();
  const line = suggestionLine(found.all);
  if (line !== null && queue.length > 0) show(context.out.style.cyan(`\nP  ${safeLine(line)}`));
  const step = stepper(context, dialog, settled, show, summary, found);
  while (queue.length > 0) {
    for (const [at, { id }] of queue.entries()) {
      const note = queue[at] && isQuiet(queue[at]) ? ", blocks nothing yet" : "";
      const reply = await step(id, `${at + 1} of ${queue.length}${note}`);
      summary.interrupted = reply.type === "interrupt";
      if (reply.type === "quit" || reply.type === "interrupt")
        return { ...summary, left: await leftOf(pending, summary) };
      seen.add(id);
    }
    // What arrived meanwhile is offered at the end; what was skipped is not asked twice.
    queue = (await pending()).filter((it) => !seen.has(it.id));
    if (queue.length > 0)
      show(`\n${queue.length === 1 ? "one more has" : `${queue.length} more have`} arrived in the meantime`);
  }
  return summary;
}

/** Handles one decision until it is answered, skipped or settled elsewhere. */
function stepper(
  context: Context,
  dialog: Dialog,
  settled: Settled,
  show: (text: string) => void,
  summary: Summary,
  found: Suggested,
) {
  const { client, out, abort, now } = context;
  const { style, width } = out;
  const suggestions = {
    /** Shows the first one; returns what the person said if that ends the review. */
    async look(closed: AbortSignal): Promise<Left | null> {
      const [first] = found.all;
      if (!first) {
        show("your answers suggest no rule at the moment");
        return null;
      }
      const pick: Parameters<typeof lookAtSuggestion>[2] = (choices) => dialog.pick(choices, closed);
      const done = await lookAtSuggestion(client, first, pick, show, { style, width });
      if (done === null || "type" in done) return done;
      show(safeLine(done.text));
      if (done.isOver) found.all = found.all.filter((it) => it !== first);
      return null;
    },
  };

  const meanwhile = async (id: string): Promise<Reply> => {
    const decision = await client.decision(id).catch(() => null);
    show(
      `\n${style.yellow("!")} ${id} was settled in the meantime: ${decision ? standing(decision, now()) : "it is gone"}`,
    );
    summary.elsewhere.push(id);
    return (await dialog.notice(abort)) ?? { type: "skip" };
  };

  return async (id: string, place: string): Promise<Reply> => {
    const found = await client.decision(id).catch(() => null);
    if (found?.state !== "pending") return meanwhile(id);
    const closed = AbortSignal.any([abort, settled.of(id)]);
    show(`\n${style.dim(`── ${place} ${"─".repeat(Math.max(3, Math.min(width, 80) - place.length - 4))}`)}`);
    const text = card(found, { style, width, now: now() });
    show(`${text}\n`);
    // A card taller than the screen has lost its question by now.
    if (out.isTerminal && text.split("\n").length + 4 > (process.stdout.rows || 24)) {
      show(style.bold(truncate(safeLine(found.title), width)));
    }
    for (;;) {
      try {
        const reply = await dialog.ask(found, closed);
        if (reply.type === "skip") summary.skipped.push(id);
        if (reply.type === "suggestion") {
          const left = await suggestions.look(closed);
          if (left) return left;
          continue; // back to the question
        }
        if (reply.type !== "answer" && reply.type !== "remember") return reply;
        const pick = (choices: readonly ScopeChoice[]) => dialog.pick(choices, closed);
        const result =
          reply.type === "answer"
            ? await client.resolveDecision(id, reply.body)
            : await remember(client, found, pick, show, { style, width });
        if (result === null) continue; // back to the question
        if ("type" in result) return result;
        const decision = await afterDelivery(context, result.decision);
        for (const line of outcomeLines(decision, result.option, style)) show(line);
        summary.resolved.push(id);
        return reply;
      } catch (error) {
        if (abort.aborted) throw error;
        if (closed.aborted || isConflict(error)) return meanwhile(id);
        if (!(error instanceof Refusal)) throw error;
        show(refusalText(error, style)); // it takes another answer: ask again
      }
    }
  };
}

/** "2 answered, 1 skipped, 3 left". */
export function summaryLine({ resolved, skipped, elsewhere, left }: Summary): string {
  const parts = [
    `${resolved.length} answered`,
    `${skipped.length} skipped`,
    ...(elsewhere.length > 0 ? [`${elsewhere.length} settled by others`] : []),
    `${left.length} left`,
  ];
  return parts.join(", ");
}

async function leftOf(pending: Pending, { skipped }: Summary): Promise<string[]> {
  return (await pending()).map((it) => it.id).filter((id) => !skipped.includes(id));
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof Refusal &&
    (error.code === "decision.already-resolved" || error.code === "decision.not-found")
  );
}
