/** What people are told about a decision: who asks, what was answered, whether the answer arrived. */

import type { ChainLink, DecisionView, OptionView } from "../../api/api.ts";
import type { Held } from "../../core/model/decision-types.ts";
import { never } from "../../core/model/errors.ts";
import type { Fixed } from "../../core/model/fixed.ts";
import { describeAge, ownerName } from "../../core/text/words.ts";
import { safeLine } from "../../text/safe.ts";
import { saidWords } from "./said.ts";
import { localTime } from "./times.ts";

type Asked = Pick<DecisionView, "owner"> & Partial<Pick<DecisionView, "count">>;

/** For columns: "feature/login · approve", "ana". A twin also gets the beginning of its id: "feature 7k3m · build". */
export function who({ owner, count: times = 1 }: Asked, isTwin = false): string {
  const name = safeLine(ownerName({ ...owner, name: nameOf(owner, isTwin) }));
  return times > 1 ? `${name} (asked ${times} times)` : name;
}

/** For narrow columns: "feature/login" whatever its step, "feature 7k3m". */
export function whoBriefly(asked: Asked, isTwin = false): string {
  return safeLine(nameOf(asked.owner, isTwin));
}

function nameOf({ name, id }: Asked["owner"], isTwin: boolean): string {
  return isTwin ? `${name} ${id.replace(/^\w+-/, "").slice(0, 4)}` : name;
}

/** Returns a function that says whether somebody else in the list has the same name. */
export function twins(all: readonly Asked[], name: typeof who = who): (it: Asked) => boolean {
  const ids = new Map<string, Set<string>>();
  for (const it of all) ids.set(name(it), (ids.get(name(it)) ?? new Set()).add(it.owner.id));
  return (it) => (ids.get(name(it))?.size ?? 0) > 1;
}

/** For the card, with ids to look up. */
export function asker({
  owner,
  agent_id,
  asked_in,
}: Pick<DecisionView, "owner" | "agent_id"> & Partial<Pick<DecisionView, "asked_in">>): string {
  const agent = agent_id === null ? "" : `, agent ${agent_id}`;
  switch (owner.kind) {
    case "job":
      return safeLine(`job ${owner.name} (${owner.id}), step "${owner.step}"${agent}`);
    case "crew":
      return safeLine(`crew ${owner.name} (${owner.id})${agent}`);
    case "requester":
      return safeLine(
        `${owner.name}${agent}${asked_in ? ` (${asked_in.job_id}, step "${asked_in.step}")` : ""}`,
      );
    default:
      return never(owner);
  }
}

/**
 * Whether oj raised it about an agent or a session: then the context and the options are ours, and other people's words
 * are quoted.
 */
export function isOurs({ source }: Pick<DecisionView, "source">): boolean {
  return source !== "request" && source !== "step";
}

/** What an option does, unless it is said already: our own options describe it, and an answer goes to whoever asked. */
export function effectOf(
  decision: Pick<DecisionView, "source">,
  { description, effect }: Pick<OptionView, "description" | "effect">,
): string {
  const isSaid = isOurs(decision) && (description !== null || decision.source === "question");
  return isSaid ? "" : effect;
}

/** Whose words the context is in, if they are not ours. */
export function contextOrigin({ source, owner, agent_id }: DecisionView): string {
  const name = safeLine(owner.name);
  if (source === "step") return `from the runbook of ${name}`;
  if (agent_id !== null) return `in the agent's own words (${agent_id})`;
  return `in the words of ${name}`;
}

/** The answer itself: its labels, or its text, or its message. */
export function answerWords({ answer }: Fixed<Pick<DecisionView, "answer">>): string {
  if (!answer) return "";
  const change = answer.input === undefined ? "" : ", with a change";
  const labels = `${answer.labels.map((it) => safeLine(it)).join(", ")}${change}`;
  const text = answer.text === null ? "" : `"${safeLine(answer.text)}"`;
  return [labels, text].filter((it) => it !== "").join(": ") || (answer.message === null ? "" : "a message");
}

/** One sentence about the state of a decision: "answered: Build it, by ana (cli) 3 minutes ago". */
export function standing(decision: ChainLink, now: number): string {
  const { answer, ended, state } = decision;
  const by = answer
    ? `by ${safeLine(answer.by)} (${safeLine(answer.via)}) ${describeAge(now - answer.resolved_at_ms)}`
    : "";
  const ending = ended
    ? `${safeLine(ended.reason)}${ended.by === "terminal" ? "," : `, by ${safeLine(ended.by)}`} ${describeAge(now - ended.at_ms)}`
    : "";
  switch (state) {
    case "pending":
      if (decision.held) return heldWords(decision.held, now);
      return [`pending, asked ${describeAge(now - decision.created_at_ms)}`, saidWords(decision)]
        .filter((it) => it !== null)
        .join("; ");
    case "resolved":
      return `answered: ${answerWords(decision)}, ${by}`;
    case "dismissed":
      return `dismissed ${by}`.trimEnd();
    case "superseded":
      return `superseded by ${decision.superseded_by ?? "a newer one"}`;
    case "withdrawn":
      return `withdrawn${ending && `: ${ending}`}`;
    case "expired":
      return `expired${ending && `: ${ending}`}${answer ? `; by default: ${answerWords(decision)}` : ""}`;
    default:
      return never(state);
  }
}

/** "answered: Build it, by ana (web); goes out in 3 s". */
function heldWords({ answer, release_at_ms }: Held, now: number): string {
  const seconds = Math.max(0, Math.ceil((release_at_ms - now) / 1000));
  return `answered: ${answerWords({ answer })}, by ${safeLine(answer.by)} (${safeLine(answer.via)}); goes out in ${seconds} s`;
}

/** Whether the answer has arrived; null if there is nothing to deliver. */
export function deliveryWords(decision: DecisionView): string | null {
  const { delivery, owner, state, away_since_ms } = decision;
  const tries = delivery.attempts === 1 ? "1 attempt" : `${delivery.attempts} attempts`;
  const error = delivery.error === null ? "" : `: ${safeLine(delivery.error)}`;
  switch (delivery.state) {
    case "none":
      return state === "resolved" ? "nothing to deliver" : null;
    case "owed":
      return `${state === "expired" ? "taken by default" : "answered"}, not delivered yet${
        delivery.attempts === 0 ? "" : ` (${tries})`
      }${away_since_ms === null ? error : `: machine ${awayWords(decision)}`}`;
    case "delivered":
      return `delivered to ${safeLine(owner.name)}, not acknowledged yet`;
    case "acknowledged":
      return `delivered and acknowledged by ${safeLine(owner.name)}`;
    case "failed":
      return `could not be delivered (${tries})${error}`;
    default:
      return never(delivery.state);
  }
}

/** "anvil", "anvil away since 2026-07-30 14:03"; empty if there is only one machine. */
export function awayWords(at: Pick<DecisionView, "machine" | "away_since_ms">): string {
  if (at.machine === null) return "";
  const away = at.away_since_ms === null ? "" : ` away since ${localTime(at.away_since_ms)}`;
  return `${safeLine(at.machine)}${away}`;
}

/** The command that shows what became of the job or crew that waited. */
export function ownerHint({ kind, id }: DecisionView["owner"]): string | null {
  return kind === "requester" ? null : `oj ${kind} show ${id}`;
}

/** "1 decision", "3 decisions". */
export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
