/** What a value must look like in the places of a script where not every value is safe. */
import { Refusal } from "../model/errors.ts";
import type { Fault, Need } from "./hole.ts";

const NEEDS: Record<Need, { allows: RegExp; sentence: string }> = {
  integer: { allows: /^[-+]?\d+$/, sentence: "is in bash arithmetic, so it must be an integer" },
  operand: {
    // No names: bash would evaluate what such a variable holds. Letters after a digit are part of a number.
    allows: /^(?:\d\w*|[ .:,/+-])*$/,
    sentence: "reaches bash arithmetic, so it must be a number",
  },
  plain: {
    allows: /^[\p{L}\p{N}_. +-]*$/u,
    sentence: "is part of another command's program, so it may contain only letters, digits, blanks and _.+-",
  },
  word: {
    allows: /^[\p{L}\p{N}_@%+=:,./ -]*$/u,
    sentence:
      "is in the arguments of make, which expands them, so it may contain only letters, digits, blanks and _@%+=:,./-",
  },
  undashed: {
    allows: /^[^-]|^$/,
    sentence:
      "is where it would be taken for an option if it began with -; with printf, write '%s' before it",
  },
  scalar: {
    allows: /^(?!\([\s\S]*\)$)/,
    sentence: "is where bash could read (…) as an array; assign it on a line of its own",
  },
};

export function checkNeed(need: Need, what: string, text: string): void {
  if (!NEEDS[need].allows.test(text)) throw invalid(what, `${NEEDS[need].sentence}. It is ${excerpt(text)}`);
}

/** `what` is the reference as written, or the variable that the value is in. */
export function invalid(what: string, problem: string): Refusal {
  const reference = /^\$\{(.*)\}$/s.exec(what)?.[1];
  return new Refusal(
    "value.invalid",
    `${what} ${problem}.`,
    null,
    reference === undefined ? {} : { reference },
  );
}

export function refuseFault(what: string, { sentence, hint }: Fault): never {
  throw new Refusal("value.invalid", `${what} ${sentence}.`, hint);
}

function excerpt(text: string): string {
  const points = [...text];
  return JSON.stringify(points.length > 40 ? `${points.slice(0, 40).join("")}…` : text);
}
