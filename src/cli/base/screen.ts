/** A screen that is redrawn in place, and restored at the end. */
import { write } from "./output.ts";

export interface Screen {
  draw(text: string): void;
  close(): void;
}

const CSI = "\u001b[";
const ENTER = `${CSI}?1049h${CSI}?25l`;
const LEAVE = `${CSI}?25h${CSI}?1049l`;

export function openScreen(stdout: NodeJS.WriteStream = process.stdout): Screen {
  let text = "";
  const paint = () => {
    const lines = text.split("\n");
    const rows = stdout.rows || 24;
    const shown =
      lines.length <= rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
    write(1, `${CSI}H${shown.map((line) => `${line}${CSI}K`).join("\r\n")}${CSI}J`);
  };
  const leave = () => write(1, LEAVE);
  write(1, ENTER);
  process.once("exit", leave);
  stdout.on("resize", paint);
  return {
    draw(next) {
      text = next;
      paint();
    },
    close() {
      process.off("exit", leave);
      stdout.off("resize", paint);
      leave();
    },
  };
}
