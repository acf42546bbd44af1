/** What became of a decision, in words that stay true: who, what, when, and whether the agent has it. */
import type { DecisionView } from "../../api/api.ts";
import { resultOf } from "../../core/decision/settled.ts";
import { never } from "../../core/model/errors.ts";
import { deliveryWords } from "../../inbox/card/words.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { cut } from "../text/matter.ts";
import { clockTime } from "./clock-time.ts";

/** Whether nobody can answer it any more; an answer on hold has already won. */
export function isSettled({ state, held }: Pick<DecisionView, "state" | "held">): boolean {
  return state !== "pending" || held !== null;
}

/** Who says that they are on it, while they are. */
export function claimOf({ claimed = null }: Claimable): { by: string; until_ms: number } | null {
  return claimed;
}

interface Claimable {
  id: string;
  claimed?: { by: string; until_ms: number } | null | undefined;
}

/** What happens if nobody answers in time; empty without a deadline. */
export function deadlineWords({ deadline_at_ms, default: key, options }: Limited): string {
  if (deadline_at_ms === undefined || deadline_at_ms === null) return "";
  const label = options.find((it) => it.key === key)?.label;
  const then = label === undefined ? "" : `, then: ${safeLine(label)}`;
  return `until ${clockTime(deadline_at_ms)}${then}`;
}

interface Limited extends Pick<DecisionView, "options"> {
  deadline_at_ms?: number | null | undefined;
  default?: string | null | undefined;
}

/** "ana answered at 14:02 CET: Approve". */
export function settledWords(decision: DecisionView): string {
  const { state, answer, held, ended, superseded_by } = decision;
  const given = answer ?? held?.answer ?? null;
  const words = cut(safe(resultOf({ ...decision, answer: given })), 1000);
  const by =
    given === null ? "" : `${safeLine(given.by)} answered at ${clockTime(given.resolved_at_ms)}: ${words}`;
  const end =
    ended === null ? "" : `${safeLine(ended.reason)} (${safeLine(ended.by)}, ${clockTime(ended.at_ms)})`;
  switch (state) {
    case "pending":
      return by;
    case "resolved":
      return by;
    case "dismissed":
      return given === null
        ? "Dismissed"
        : `${safeLine(given.by)} dismissed it at ${clockTime(given.resolved_at_ms)}`;
    case "superseded":
      return `Replaced by ${superseded_by ?? "a newer one"}`;
    case "withdrawn":
      return `Withdrawn${end && `: ${end}`}`;
    case "expired":
      return `Nobody answered in time${end && `: ${end}`}`;
    default:
      return never(state);
  }
}

/** What the person wrote with it, and how far the answer got. */
export function afterWords(decision: DecisionView): string[] {
  const { answer, held, aftermath } = decision;
  const message = (answer ?? held?.answer)?.message ?? null;
  const isSaid =
    message !== null && resultOf({ ...decision, answer: answer ?? held?.answer ?? null }) === message;
  return [
    message === null || isSaid ? "" : `"${cut(safe(message), 1000)}"`,
    held === null ? "" : `It goes out at ${clockTime(held.release_at_ms)} unless it is undone.`,
    answer === null ? "" : sentence(deliveryWords(decision) ?? ""),
    aftermath === null ? "" : sentence(safe(aftermath)),
  ].filter((it) => it !== "");
}

/** What is new since `told`, the stage that was told last; null if nothing is. Each stage has another name. */
export function happened(
  decision: DecisionView,
  told: string | null,
): { stage: string; line: string } | null {
  const { stage, lines } = stageOf(decision, told);
  return stage === null || stage === told ? null : { stage, line: lines.join(" ") };
}

/** Whether what was said of a decision is still so: nobody has taken it back. */
export function isStillSo(then: DecisionView, now: DecisionView): boolean {
  if (isSettled(then)) return isSettled(now) && givenOf(then) === givenOf(now);
  const [claim, held] = [claimOf(then), claimOf(now)];
  return claim?.by === held?.by && claim?.until_ms === held?.until_ms;
}

function givenOf({ answer, held }: DecisionView): string | null {
  const given = answer ?? held?.answer ?? null;
  return given && `${given.resolved_at_ms} ${given.by}`;
}

function stageOf(decision: DecisionView, told: string | null): { stage: string | null; lines: string[] } {
  const { state, answer, delivery } = decision;
  const claim = claimOf(decision);
  if (!isSettled(decision)) {
    if (claim === null) return { stage: null, lines: [] };
    const line = `${safeLine(claim.by)} is on it until ${clockTime(claim.until_ms)}.`;
    return { stage: `claimed ${claim.by} ${claim.until_ms}`, lines: [line] };
  }
  const settled = `${settledWords(decision)}.`;
  const isOver = answer !== null && (delivery.state === "acknowledged" || delivery.state === "failed");
  if (!isOver) return { stage: state, lines: [settled] };
  const arrived = sentence(deliveryWords(decision) ?? "");
  return { stage: `${state} ${delivery.state}`, lines: told === state ? [arrived] : [settled, arrived] };
}

function sentence(text: string): string {
  return text === "" ? "" : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
