/** A person's change to what an agent may do: the same call or plan with other values, never another call. */
import type { Action, Decision, Edit } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import { canonical, sha256 } from "../text/hash.ts";
import { shapeProblem } from "./shape.ts";

/** The changed input as it is recorded; null if nothing was given, or nothing was changed. */
export function editFor(decision: Decision, action: Action, input: unknown): Edit | null {
  if (input === null || input === undefined) return null;
  const { id, action: asked } = decision;
  const isPlan = decision.source === "plan";
  if ((!isPlan && decision.source !== "approval") || asked === null)
    throw notEditable(decision, whyNot(decision));
  if (asked.as_is) throw notEditable(decision, AS_IS);
  if (isPlan && !(action.type === "accept" && action.mode !== "clear"))
    throw notEditable(decision, "a changed plan only goes with an Accept that keeps the context");
  if (!isPlan && action.type !== "approve")
    throw notEditable(decision, "a change only goes with Approve: nothing else runs the call");
  const problem = shapeProblem(asked.input, input) ?? (isPlan ? planProblem(asked.input, input) : null);
  if (problem !== null)
    throw new Refusal(
      "decision.input-invalid",
      `the changed input of ${asked.tool} does not fit: ${problem}`,
      `oj decision show ${id} -o json has the input under action.input; change its values only`,
    );
  const hash = sha256(canonical({ tool: asked.tool, input }));
  return hash === asked.sha256 ? null : { input: input as Edit["input"], input_sha256: hash };
}

/** Of a plan, only its text: where the client keeps it is not the person's to say. */
function planProblem(before: unknown, after: unknown): string | null {
  const rest = (it: unknown) => canonical({ ...(it as object), plan: null });
  return rest(before) === rest(after) ? null : "only the text of the plan can be changed";
}

export const AS_IS = "its client takes a Yes or a No, but no change";

/** Why what this decision is about can't be changed before it runs. */
export function notEditable({ id }: Pick<Decision, "id">, why: string): Refusal {
  return new Refusal(
    "decision.not-editable",
    `${id} can't be answered with a change: ${why}`,
    `oj decision show ${id}`,
  );
}

function whyNot({ source, options }: Decision): string {
  if (options.some((it) => it.action.type === "keys"))
    return "it is answered with keys in the agent's terminal, which take what is on the screen as it is";
  return source === "approval" ? "it has no exact input" : "only an approval or a plan can be changed";
}
