/** Rows of the fleet as aligned lines: the mark, the ids to type next, the state, the age, who, and what about it. */
import { shortAge } from "../../core/text/words.ts";
import type { FleetRow, FleetState } from "../../inbox/fleet/row.ts";
import { hang, table, truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { urgencyColour } from "../card/card.ts";
import { fleetMark } from "./mark.ts";

export interface FleetLook {
  style: Style;
  /** Lines are cut to it; without it nothing is cut. */
  width?: number | undefined;
  now: number;
  /** If less than this is left for the last column, it moves to a line of its own. */
  room?: number;
  /** Whether what waits for an agent is told whole, on lines of its own. */
  withWaits?: boolean;
}

/** What it waits for, what else there is to say about it, or the last line that it printed. */
export function aboutOf({ decision, about, line }: FleetRow): string {
  return decision
    ? `[${decision.source}] ${safeLine(decision.title)}${blocked(decision)}${meanwhile(decision)}`
    : about || line;
}

/** What waits for it is told too: of a job, its own line tells, and it may be in another project. */
function blocked({ blocks = [] }: NonNullable<FleetRow["decision"]>): string {
  return blocks.length > 0 ? `  (blocks ${safeLine(blocks.join(", "))})` : "";
}

/** Nothing waits for it: what goes on is told. */
function meanwhile({ blocking, meanwhile: words }: NonNullable<FleetRow["decision"]>): string {
  return blocking === false ? `  (goes on meanwhile: ${safeLine(words || "other work")})` : "";
}

/** Without room for both, the id that can be answered. A session's own id is longer than anybody types. */
function idOf({ id, kind, decision }: FleetRow, isNarrow: boolean): string {
  if (kind === "session") return decision?.id ?? `${safeLine(id).slice(0, 8)}…`;
  return isNarrow ? (decision?.id ?? id) : id;
}

const NEEDS_A_PERSON: readonly FleetState[] = ["hung", "failed", "owed"];
/** Below this width the mark alone shows the state. */
const WITH_STATUS = 100;
const ROOM = 24;

/** Lines that leave two columns of the width for an indent. */
export function fleetLines(
  rows: readonly FleetRow[],
  { style, width, now, room = ROOM, withWaits = false }: FleetLook,
): string[] {
  const isNarrow = width !== undefined && width < WITH_STATUS;
  const asks = (it: FleetRow) => (it.decision && it.decision.id !== idOf(it, isNarrow) ? it.decision.id : "");
  const hasAsks = rows.some((it) => asks(it) !== "");
  const cells = rows.map((it) => [
    fleetMark(it.state, style),
    idOf(it, isNarrow),
    ...(isNarrow ? [] : [it.kind === "decision" && it.decision ? "asks" : it.state]),
    shortAge(now - it.since_ms),
    ...(hasAsks ? [asks(it)] : []),
    width ? truncate(it.name, Math.max(12, Math.floor(width / 4))) : it.name,
    aboutOf(it),
  ]);
  const last = (cells[0]?.length ?? 0) - 1;
  const age = isNarrow ? 2 : 3;
  const paint = (cell: string, at: number, column: number) => {
    const row = rows[at];
    if (column === last && row) return colourOf(row, style)(cell);
    return column === age ? style.dim(cell) : cell;
  };
  const inner = width === undefined ? undefined : width - 2;
  const below = withWaits ? rows.map((it) => waitLines(it, inner, style)) : [];
  return table(cells, { width: inner, room, below, paint });
}

function waitLines({ waits }: FleetRow, width: number | undefined, style: Style): string[] {
  if (waits === "") return [];
  return hang("    ", waits, width ?? Number.POSITIVE_INFINITY).map(style.yellow);
}

function colourOf({ state, decision, about }: FleetRow, style: Style): (text: string) => string {
  if (NEEDS_A_PERSON.includes(state)) return style.red;
  if (decision) return urgencyColour(decision.urgency, style);
  return about === "" ? style.dim : (text) => text;
}
