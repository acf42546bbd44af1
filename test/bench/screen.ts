/** The inbox in a terminal, and everything that it writes there. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Place } from "../torture/daemon.ts";
import { root } from "../torture/daemon.ts";

export interface Inbox {
  /** Resolves when the program next writes this. */
  shows(text: string): Promise<void>;
  press(key: string): void;
  /** Of the program itself. */
  memory(): number;
  /** Everything that the program has written, byte for byte. */
  written(): string;
  close(): void;
}

/** tmux in control mode reports what the program writes as it writes it. The size is in columns and rows. */
export function openInbox({ stateDir, env }: Pick<Place, "stateDir" | "env">, size = [100, 30]): Inbox {
  const socket = path.join(path.dirname(stateDir), "bench.sock"); // a tmux in the state folder is an agent's
  const command = `exec '${process.execPath}' '${path.join(root, "dist/oj.cjs")}' decision watch`;
  const tmux: ChildProcessWithoutNullStreams = spawn(
    "tmux",
    ["-S", socket, "-f", "/dev/null", "-C", "new-session", "-x", `${size[0]}`, "-y", `${size[1]}`, command],
    { env: { ...env, TERM: "xterm-256color" } },
  );
  let wanted: { text: string; resolve: () => void }[] = [];
  let pid = 0;
  let rest = "";
  const output: string[] = [];
  tmux.stdout.setEncoding("utf8").on("data", (part: string) => {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (/^pid \d+$/.test(line)) pid = Number(line.slice(4));
      if (!line.startsWith("%output")) continue;
      output.push(line.replace(/^%output %\d+ /, ""));
      const done = wanted.filter((it) => hasNow(output, it.text) || hasNow(output, octal(it.text)));
      wanted = wanted.filter((it) => !done.includes(it));
      for (const it of done) it.resolve();
    }
  });
  tmux.stdin.write(`display-message -p "pid #{pane_pid}"\n`);
  return {
    shows: (text) => new Promise((resolve) => wanted.push({ text, resolve })),
    press: (key) => void tmux.stdin.write(`send-keys ${key}\n`),
    memory() {
      const [, pages = "0"] = fs.readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
      return Number(pages) * 4096;
    },
    written: () => {
      const bytes = Buffer.from(output.join(""))
        .toString("latin1")
        .replaceAll(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
      return Buffer.from(bytes, "latin1").toString();
    },
    close: () => void tmux.stdin.write("kill-server\n"),
  };
}

/** Whether the last piece has it, or completes it. */
function hasNow(output: readonly string[], text: string): boolean {
  const [before = "", last = ""] = output.slice(-2);
  return `${before.slice(Math.max(0, before.length - text.length + 1))}${last}`.includes(text);
}

/** Control mode writes anything but ASCII as octal escapes. */
function octal(text: string): string {
  return [...Buffer.from(text)]
    .map((it) => (it < 0x20 || it > 0x7e ? `\\${it.toString(8).padStart(3, "0")}` : String.fromCharCode(it)))
    .join("");
}
