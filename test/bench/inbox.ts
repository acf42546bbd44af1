/** The inbox in a terminal: how soon a question is on the screen, and how it does with ten thousand. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Place } from "../torture/daemon.ts";
import { makePlace, root, startLife } from "../torture/daemon.ts";
import { logIn, writeEvents } from "./data.ts";
import { callerOn } from "./http.ts";
import { SETTINGS } from "./latency.ts";
import type { Row } from "./rows.ts";
import { median, megabytes, ms, quantile, row } from "./rows.ts";

const QUESTIONS = 100;
const MANY = 10_000;
const KEYS = 60;
const GROUP = "the inbox in a terminal";

export async function measureInbox(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  return [...(await visible(path.join(dir, "few"))), ...(await crowded(path.join(dir, "many")))];
}

async function visible(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  const place = makePlace(dir, SETTINGS);
  const life = startLife(place);
  await life.ready;
  const caller = callerOn(place.socket);
  const screen = openInbox(place);
  await screen.shows("nothing waits");
  const took: number[] = [];
  for (let n = 0; n < QUESTIONS; n++) {
    const seen = screen.shows(`Question-${n}-`);
    const from = performance.now();
    const body = {
      project: "p",
      cwd: "/",
      prompt: `Question-${n}-`,
      options: [{ label: "Yes" }],
      as: "bench",
    };
    await caller.call("POST", "/decisions", body);
    await seen;
    took.push(performance.now() - from);
  }
  screen.close();
  caller.close();
  await life.kill();
  return [
    row(GROUP, "created → on the screen, p50", {
      measured: ms(median(took)),
      target: "< 50 ms",
      ok: median(took) < 50,
      values: { p50: median(took) },
    }),
    row(GROUP, "created → on the screen, p99", {
      measured: ms(quantile(took, 0.99)),
      target: "< 150 ms",
      ok: quantile(took, 0.99) < 150,
      values: { p99: quantile(took, 0.99) },
    }),
  ];
}

async function crowded(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  const place = makePlace(dir, SETTINGS);
  const log = logIn(place.stateDir);
  await log.open();
  await writeEvents(log, MANY * 10);
  await log.close();
  const life = startLife(place);
  await life.ready;
  const from = performance.now();
  const screen = openInbox(place);
  await screen.shows(`${MANY} wait for you`);
  const first = performance.now() - from;
  const took: number[] = [];
  for (let n = 0; n < KEYS; n++) {
    const drawn = screen.shows("▶");
    const pressed = performance.now();
    screen.press("j");
    await drawn;
    took.push(performance.now() - pressed);
  }
  const memory = screen.memory();
  screen.close();
  await life.kill();
  return [
    row(GROUP, `first paint with ${MANY} pending`, {
      measured: ms(first),
      target: "< 1 s",
      ok: first < 1000,
      values: { first },
    }),
    row(GROUP, `a key with ${MANY} pending, p99`, {
      measured: ms(quantile(took, 0.99)),
      target: "< 100 ms",
      ok: quantile(took, 0.99) < 100,
      values: { p99: quantile(took, 0.99) },
    }),
    row(GROUP, `memory with ${MANY} pending`, { measured: megabytes(memory), values: { memory } }),
  ];
}

interface Inbox {
  /** Resolves when the program next writes this. */
  shows(text: string): Promise<void>;
  press(key: string): void;
  /** Of the program itself. */
  memory(): number;
  close(): void;
}

/** tmux in control mode tells what the program writes as it writes it. */
function openInbox({ stateDir, env }: Place): Inbox {
  const socket = path.join(stateDir, "bench.sock");
  const command = `exec '${process.execPath}' '${path.join(root, "dist/oj.cjs")}' decision watch`;
  const tmux: ChildProcessWithoutNullStreams = spawn(
    "tmux",
    ["-S", socket, "-f", "/dev/null", "-C", "new-session", "-x", "100", "-y", "30", command],
    { env: { ...env, TERM: "xterm-256color" } },
  );
  let wanted: { text: string; resolve: () => void }[] = [];
  let pid = 0;
  let rest = "";
  tmux.stdout.setEncoding("utf8").on("data", (part: string) => {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (/^pid \d+$/.test(line)) pid = Number(line.slice(4));
      if (!line.startsWith("%output")) continue;
      const done = wanted.filter((it) => line.includes(it.text) || line.includes(octal(it.text)));
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
    close: () => void tmux.stdin.write("kill-server\n"),
  };
}

/** Control mode writes what is not ASCII as octal escapes. */
function octal(text: string): string {
  return [...Buffer.from(text)]
    .map((it) => (it < 0x20 || it > 0x7e ? `\\${it.toString(8).padStart(3, "0")}` : String.fromCharCode(it)))
    .join("");
}
