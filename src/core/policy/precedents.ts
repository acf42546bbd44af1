/** What people have answered, as far as a policy could have answered it in their place. */
import type { Decision } from "../model/decision-types.ts";
import { contextParts } from "../text/quote.ts";

/** One answer of a person. */
export interface Precedent {
  decision: Decision;
  /** The key of the option that was chosen; null if the person said something that no policy can say. */
  chose: string | null;
  /** The job, crew or session that asked. */
  asker: string;
  at_ms: number;
}

/** Null if nobody has answered it, or if it was not a person. */
export function precedentOf(decision: Decision): Precedent | null {
  const { answer, state, owner, session } = decision;
  if (state !== "resolved" || !answer || answer.via === "policy" || answer.via === "escalation") return null;
  const option = answer.chosen === null ? undefined : decision.options[answer.chosen - 1];
  const isPlain = answer.text === null && answer.texts === undefined && answer.input === undefined;
  return {
    decision,
    chose: isPlain ? (option?.key ?? null) : null,
    asker: session ?? owner.id,
    at_ms: answer.resolved_at_ms,
  };
}

/** What the agent or the session had said when it was asked about. */
export function saidIn({ context }: Pick<Decision, "context">): string {
  const part = contextParts(context).find((it) => "name" in it && it.name === "message");
  return part?.text ?? "";
}
