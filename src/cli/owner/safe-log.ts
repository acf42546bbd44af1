/** A job's output made safe to show, as it arrives. */
import { safe } from "../../text/safe.ts";

const ESCAPE = "\u001b";
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;:]*m`, "g");

/** Without the colours that programs put in, and with everything else that a terminal would obey made visible. */
export function safeLog(text: string): string {
  return safe(text.replace(COLOUR, ""));
}

/** Shows text in whole lines, without the last line end: a sequence may arrive in two parts. */
export function safely(show: (lines: string) => void): { text(part: string): void; end(): void } {
  let rest = "";
  return {
    text(part) {
      const all = rest + part;
      const end = all.lastIndexOf("\n") + 1;
      rest = all.slice(end);
      if (end > 0) show(safeLog(all.slice(0, end - 1)));
    },
    end() {
      if (rest !== "") show(safeLog(rest));
      rest = "";
    },
  };
}
