/**
 * What an agent printed, as somebody at its terminal would have read it: the lines that left the screen, and in the end
 * the screen itself. While it is followed, lines are shown once they stand: at once if the program only prints, or when
 * it rests if it draws.
 */
import { TERMINAL_SIZE } from "../../core/model/agent-types.ts";
import { safe } from "../../text/safe.ts";
import type { Line } from "../../text/terminal.ts";
import { openTerminal, wholeLines } from "../../text/terminal.ts";

export interface RenderedLog {
  text(part: string): void;
  end(): void;
}

/** A program that draws rests when it waits for somebody. */
const RESTS_MS = 1000;
/** What is there already arrives at once, and is over after such a pause. */
const EARLIER_MS = 300;

/** Everything at the end; only the last lines if `last` says so. */
export function renderedLog(show: (text: string) => void, last: number | null): RenderedLog {
  const terminal = openTerminal(TERMINAL_SIZE);
  return {
    text: (part) => terminal.write(part),
    end() {
      const lines = wholeLines([...terminal.scrolled(), ...terminal.lines()]);
      if (lines.length > 0) show(safe((last === null ? lines : lines.slice(-last)).join("\n")));
    },
  };
}

export function followedLog(show: (text: string) => void, last: number | null): RenderedLog {
  const terminal = openTerminal(TERMINAL_SIZE);
  /** Lines that were shown and are still on the screen, with how often. */
  let standing = new Map<string, number>();
  /** What came before somebody looked; null once that was shown. */
  let earlier: string[] | null = [];
  let timer: NodeJS.Timeout | undefined;

  function print(lines: readonly string[]): void {
    if (earlier !== null) earlier.push(...lines);
    else if (lines.length > 0) show(safe(lines.join("\n")));
  }

  const isNew = (line: string): boolean => {
    const count = standing.get(line) ?? 0;
    if (count > 0) standing.set(line, count - 1);
    return count === 0;
  };

  function settle(lines: readonly Line[]): void {
    const texts = lines.map((it) => it.text.trimEnd());
    const news = texts.filter((it) => isNew(it) && (it !== "" || !terminal.isDrawn()));
    standing = new Map();
    for (const it of texts) standing.set(it, (standing.get(it) ?? 0) + 1);
    print(news);
  }

  function rest(): void {
    settle(terminal.isDrawn() ? terminal.lines() : terminal.linesAbove());
    if (earlier === null) return;
    const lines = last === null ? earlier : earlier.slice(-last);
    earlier = null;
    print(lines);
  }

  return {
    text(part) {
      terminal.write(part);
      print(
        terminal
          .scrolled()
          .map((it) => it.text.trimEnd())
          .filter(isNew),
      );
      if (!terminal.isDrawn()) settle(terminal.linesAbove());
      clearTimeout(timer);
      timer = setTimeout(rest, earlier === null ? RESTS_MS : EARLIER_MS);
    },
    end() {
      clearTimeout(timer);
      rest();
      settle(terminal.lines());
    },
  };
}
