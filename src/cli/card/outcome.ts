/** What an answer led to, in words: for `resolve` and `review`. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import { clipped } from "../../core/text/words.ts";
import { answerWords, deliveryWords, ownerHint } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import type { Context } from "../base/command.ts";
import { directClient } from "../base/patience.ts";

/** Whoever answered knows what they said; the whole of it is in `show`. */
const SHOWN = 300;
/** The longest it takes to reach an agent: its terminal is typed into, or it is started again first. */
const AN_AGENT_HAS_IT_WITHIN_MS = 4000;
/** A script has it at once, if it is waiting at all. */
const A_SCRIPT_HAS_IT_WITHIN_MS = 150;
/** From there on the agent shows that it has it; an approved command may run for long first. */
const SHOWN_WITHIN_MS = 1000;

/** The decision once the asker has had time to take the answer, so that a person sees it arrive, or hears that it did not. */
export async function afterDelivery(context: Context, decision: DecisionView): Promise<DecisionView> {
  const { client, json } = context;
  if (decision.delivery.state !== "owed" || json) return decision;
  const { id, agent_id, source } = decision;
  const toAgent = agent_id !== null && source !== "request";
  const owed = timer(toAgent ? AN_AGENT_HAS_IT_WITHIN_MS : A_SCRIPT_HAS_IT_WITHIN_MS, context.abort);
  let latest = decision;
  const look = async () => {
    latest = await client.decision(id);
    if (latest.delivery.state === "delivered") owed.shorten(SHOWN_WITHIN_MS);
    return latest.delivery.state === "owed" || latest.delivery.state === "delivered";
  };
  try {
    const { seq } = await client.health();
    if (!(await look())) return latest;
    for await (const _ of directClient(context, owed.signal).events({ after: seq, decision: id }))
      if (!(await look())) return latest;
  } catch {
    // It took too long, or the daemon went away: we say what is known.
  } finally {
    owed.end();
  }
  return client.decision(id).catch(() => latest);
}

/** An abort after so long, or sooner. */
function timer(
  ms: number,
  also: AbortSignal,
): { signal: AbortSignal; shorten(ms: number): void; end(): void } {
  const end = new AbortController();
  let timeout = setTimeout(() => end.abort(), ms);
  return {
    signal: AbortSignal.any([end.signal, also]),
    shorten(less) {
      clearTimeout(timeout);
      timeout = setTimeout(() => end.abort(), less);
    },
    end() {
      clearTimeout(timeout);
      end.abort();
    },
  };
}

/** Where to look next: whether a late answer arrived, or else what became of the job or crew. */
export function nextLook(decision: DecisionView): string | null {
  if (decision.delivery.state === "owed") return `oj decision show ${decision.id} shows when it has arrived`;
  return ownerHint(decision.owner);
}

export function outcomeLines(decision: DecisionView, option: OptionView | null, style: Style): string[] {
  const verb = decision.state === "dismissed" ? "dismissed" : "answered";
  const message = decision.answer?.message ? `  "${clipped(safeLine(decision.answer.message), SHOWN)}"` : "";
  const answer = clipped(answerWords(decision), SHOWN);
  const delivery = deliveryWords(decision);
  return [
    `${style.green("✓")} ${decision.id} ${verb}: ${style.bold(answer)}${message}`,
    ...(option && option.effect !== "" ? [`  ${safeLine(option.effect)}`] : []),
    ...(decision.aftermath === null ? [] : [`  ${safeLine(decision.aftermath)}`]),
    ...(delivery === null || decision.delivery.state === "none" ? [] : [`  ${delivery}`]),
  ];
}
