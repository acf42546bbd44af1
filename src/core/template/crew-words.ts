/** What an option means for a crew, in words. A crew has no steps: its run is all there is. */
import type { Action, Option } from "../model/decision-types.ts";

const OVER = "the run completes, and its terminal closes";

/** The same option, described for a crew. */
export function crewOption(option: Option): Option {
  const description = describe(option.action);
  return description === null ? option : { ...option, description };
}

function describe({ type }: Action): string | null {
  switch (type) {
    case "done":
      return `The crew has done its work: ${OVER}`;
    case "skip":
      return `Leave it as it is: ${OVER}`;
    case "cancel":
      return "Cancel the run and close its terminal";
    default:
      return null;
  }
}

/** What choosing it will do; null if that is the same as for a job. */
export function crewConsequence({ type }: Action): string | null {
  switch (type) {
    case "done":
    case "skip":
      return OVER;
    case "cancel":
      return "the run is cancelled, and its terminal closes";
    case "fail":
      return "the run fails, and its terminal closes";
    default:
      return null;
  }
}
