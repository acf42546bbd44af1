/** What somebody is told who comes too late: who answered, when and what. */
import { expiryWords, resultOf } from "../decision/settled.ts";
import type { Decision } from "../model/decision-types.ts";

type Settled = Pick<Decision, "answer" | "held" | "ended" | "state" | "questions" | "superseded_by">;

/** "ben answered at 14:02: Postgres." The time is that of the zone, or of this machine. */
export function settledWords(decision: Settled, zone?: string): string {
  const { answer: given, held, ended, state } = decision;
  const answer = given ?? held?.answer ?? null;
  if (state === "expired" && ended)
    return `This expired at ${timeOf(ended.at_ms, zone)}: ${expiryWords(decision)}.`;
  if (answer) {
    const what = resultOf({ ...decision, answer });
    const verb = state === "dismissed" ? "dismissed this" : "answered";
    return `${answer.by} ${verb} at ${timeOf(answer.resolved_at_ms, zone)}${what ? `: ${what}` : ""}.`;
  }
  if (state === "superseded") return "A newer question has taken the place of this one.";
  const when = ended ? ` at ${timeOf(ended.at_ms, zone)}` : "";
  return `This was withdrawn${when}${ended ? `: ${ended.reason}` : ""}.`;
}

function timeOf(ms: number, zone: string | undefined): string {
  const how = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en-GB", { ...how, ...(zone ? { timeZone: zone } : {}) }).format(ms);
}
