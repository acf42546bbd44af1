/** Where words go: data to stdout, talk to stderr, colours only where somebody is looking. */
import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import { safeJson } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import type { Output } from "./command.ts";

/** Columns to wrap to where there is no terminal to ask. */
const PLAIN_WIDTH = 100;

export function output(noColor: boolean): Output {
  const isTerminal = isatty(1);
  return {
    print: (text) => write(1, `${text}\n`),
    json: (value) => write(1, `${safeJson(JSON.stringify(value, null, isTerminal ? 2 : undefined))}\n`),
    say: (text) => write(2, `${text}\n`),
    style: isTerminal && !noColor ? colours : plain,
    // Asked for only at a terminal: `process.stdout` takes longer to come up than all the rest of this file.
    width: (isTerminal && process.stdout.columns) || PLAIN_WIDTH,
    isTerminal,
  };
}

/** The style for talk, which may go to a terminal while data goes to a file. */
export function talkStyle(noColor: boolean): Style {
  return isatty(2) && !noColor ? colours : plain;
}

/** Columns that talk may take: the terminal's, else as many as it needs. */
export function talkWidth(): number {
  return (isatty(2) && process.stderr.columns) || Number.POSITIVE_INFINITY;
}

/** The reader went away (`oj … | head`): there is nobody left to talk to. */
export class ReaderGone extends Error {}

let terminalGone = false;
/** Whether a write found the terminal gone. */
export const hasLostTerminal = (): boolean => terminalGone;

/**
 * Writes everything before it returns, so that an exit right after loses nothing. A pipe that somebody made non-blocking says EAGAIN while
 * it is full: then we wait a little.
 */
export function write(file: 1 | 2, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isGone = code === "EPIPE" || code === "EIO"; // the reader of a pipe, or a terminal
      terminalGone ||= code === "EIO";
      if (isGone && file === 2) return;
      if (isGone) throw new ReaderGone();
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const colour = (on: number, off: number) => (text: string) =>
  text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;

export const colours: Style = {
  bold: colour(1, 22),
  dim: colour(2, 22),
  red: colour(31, 39),
  yellow: colour(33, 39),
  green: colour(32, 39),
  cyan: colour(36, 39),
};

const same = (text: string) => text;
export const plain: Style = { bold: same, dim: same, red: same, yellow: same, green: same, cyan: same };
