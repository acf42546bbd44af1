/** The exact thing that an agent wants to do, as a person reads it. */
import type { DecisionView } from "../../api/api.ts";
import { hang, wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Fence } from "./fence.ts";
import { barred, fence } from "./fence.ts";

/** What an agent wants to do, from the recorded input and never from its prose; right above the options, where the eye is. */
export function exactAction({ action, source }: DecisionView, look: Fence): string[] {
  if (!action) return [];
  const { plan, rest } = planOf(action.input);
  const isPlan = source === "plan" && plan !== null;
  return [
    "",
    isPlan
      ? look.style.dim("  the agent's plan:")
      : `  it wants to use ${look.style.bold(safeLine(action.tool))} with exactly this:`,
    ...(isPlan ? fence(safe(plan.trimEnd()), look) : inputLines(action.input, look)),
    ...(isPlan && Object.keys(rest).length > 0 ? [...barred([""], look), ...inputLines(rest, look)] : []),
  ];
}

function planOf(input: unknown): { plan: string | null; rest: object } {
  if (typeof input !== "object" || input === null || !("plan" in input)) return { plan: null, rest: {} };
  const { plan, ...rest } = input;
  return { plan: typeof plan === "string" ? plan : null, rest };
}

/** Each value below its key or beside it. Continued lines are indented, so no value can look like a key. */
function inputLines(input: unknown, look: Fence): string[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return fence(safe(typeof input === "string" ? input : JSON.stringify(input, null, 2)), look);
  }
  return Object.entries(input).flatMap(([key, value]) => {
    const text = safe(typeof value === "string" ? value : JSON.stringify(value, null, 2));
    const name = `${safeLine(key)}:`;
    const lines = text.includes("\n")
      ? [name, ...wrap(text, look.width - 6).map((it) => `  ${it}`)]
      : hang(`${name} `, text, look.width - 4, "  ");
    return barred(lines, look);
  });
}
