/** A part of the screen, and text in it that scrolls. */
import { truncate, uncoloured, widthOf } from "../../text/layout.ts";
import type { Style } from "../../text/style.ts";
import type { FleetScreen } from "../fleet/screen.ts";
import type { Sight } from "./sight.ts";
import type { Start } from "./start.ts";

export interface Area {
  width: number;
  height: number;
}

export interface Look {
  style: Style;
  now: number;
}

/** What only the terminal knows about how the inbox is shown. */
export interface View {
  /** How many lines of the text in focus are scrolled away. */
  scroll: number;
  /** The whole text of the decision in focus fills the screen. */
  isWhole: boolean;
  /** The agent's screen and what changed are unfolded. */
  isUnfolded: boolean;
  /** A command is being started. */
  starting: Start | null;
  /** The fleet fills the screen, with the agent's terminal over it if the person looks into one. */
  fleet: FleetScreen | null;
  /** Decisions whose cut text was opened. */
  opened: ReadonlySet<string>;
}

export interface Pane {
  lines: string[];
  /** How far the text can be scrolled. */
  most: number;
  /** How many lines a key scrolls. */
  step: number;
  /** What must be seen before it is answered, and what of it is on the screen. */
  sight: Sight | null;
  /** The least size at which the options can be shown, if this one is too small. */
  needs?: { columns: number; rows: number };
}

export function still(lines: string[]): Pane {
  return { lines, most: 0, step: 1, sight: null };
}

/** The part of the lines that is in view; a page overlaps the one before it by a line. */
export function scrolled(
  lines: readonly string[],
  room: number,
  scroll: number,
): { shown: string[]; from: number; most: number; step: number } {
  const most = Math.max(0, lines.length - room);
  const from = Math.min(scroll, most);
  return { shown: lines.slice(from, from + room), from, most, step: Math.max(1, room - 1) };
}

/** A rule across, with words in it. */
export function rule(words: string, width: number, paint: (text: string) => string): string {
  const text = words === "" ? "" : ` ${truncate(words, width - 6)} `;
  return paint(`──${text}${"─".repeat(Math.max(0, width - 2 - widthOf(text)))}`);
}

/** Cuts a line that is still too long; its colours go too, since cutting might leave them open. */
export function clip(line: string, width: number): string {
  return widthOf(line) <= width ? line : truncate(uncoloured(line), width);
}
