/** How the state of a row of the fleet looks in a terminal. */
import type { FleetState } from "../../inbox/fleet/row.ts";
import type { Style } from "../../text/style.ts";

export function fleetMark(state: FleetState, style: Style): string {
  switch (state) {
    case "hung":
    case "owed":
      return style.red("!");
    case "failed":
      return style.red("✗");
    case "waiting":
      return style.yellow("?");
    case "rate-limited":
    case "stuck":
    case "blocked":
    case "suspended":
      return style.yellow("⏸");
    case "queued":
    case "retrying":
    case "session":
    case "aside":
      return style.dim("·");
    case "starting":
    case "working":
    case "running":
      return style.cyan("…");
  }
}
