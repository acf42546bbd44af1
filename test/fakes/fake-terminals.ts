/** The port `Terminals` in memory, for engine tests: its programs do what the test says. Passes the terminals' contract. */
import { sightPatterns } from "../../src/adapters/tmux/sight.ts";
import { isKey } from "../../src/adapters/tmux/text.ts";
import type { AgentId } from "../../src/core/model/ids.ts";
import type { Sight, TerminalExit, TerminalStart, Terminals, TerminalWatcher } from "../../src/ports.ts";
import { Changed } from "../../src/ports.ts";

export interface FakeProgram {
  started: TerminalStart;
  columns: number;
  rows: number;
  /** Everything that was typed, in the form a terminal sends it. */
  input: string;
  exit: TerminalExit | null;
  /** Whether somebody is attached to its terminal. */
  attached: boolean;
  /** Somebody attaches. */
  attach(): void;
  /** Whether it asks for bracketed paste. */
  bracketed: boolean;
  /** What it does when text is typed; nothing by default. */
  onText(text: string): void;
  onKeys(keys: readonly string[]): void;
  print(text: string): void;
  /** Draws the whole screen, whatever was printed before. */
  setScreen(text: string): void;
  end(exit: number | NodeJS.Signals): void;
}

export interface FakeTerminals extends Terminals {
  /** The agent's program; throws if there is none. */
  program(agent_id: AgentId): FakeProgram;
  /** Called with each program as it starts, so that a test can tell it what to do. */
  onStart: (program: FakeProgram) => void;
  /** The next daemon's view of the same terminals. */
  restart(): FakeTerminals;
  /** The machine goes down: there is no terminal any more, and nobody hears of it. */
  goDown(): void;
}

interface Server {
  programs: Map<AgentId, FakeProgram>;
  outputs: Map<AgentId, Buffer>;
  printed: Map<AgentId, number>;
  now: () => number;
  watchers: Set<TerminalWatcher>;
  followers: Set<(agent_id: AgentId, part: Buffer) => void>;
}

export function fakeTerminals(now: () => number = Date.now): FakeTerminals {
  return viewOf({
    programs: new Map(),
    outputs: new Map(),
    printed: new Map(),
    now,
    watchers: new Set(),
    followers: new Set(),
  });
}

function viewOf(server: Server): FakeTerminals {
  const { programs, outputs, watchers, followers } = server;
  const own = new Set<TerminalWatcher>();

  function find(agent_id: AgentId): FakeProgram {
    const program = programs.get(agent_id);
    if (!program) throw new Error(`${agent_id} has no terminal`);
    return program;
  }

  function findAlive(agent_id: AgentId): FakeProgram {
    const program = find(agent_id);
    if (program.exit) throw new Error(`the program of ${agent_id} has ended`);
    return program;
  }

  function checkSight(agent_id: AgentId, onto: Sight | undefined): void {
    if (!onto) return;
    const lines = screenOf(find(agent_id), outputs.get(agent_id), 0).split("\n");
    const isThere = (pattern: string) => lines.some((line) => new RegExp(pattern).test(line));
    const { shows, lacks } = sightPatterns(onto);
    if (!shows.every(isThere) || lacks.some(isThere))
      throw new Changed("the screen changed before anything was typed");
  }

  const view: FakeTerminals = {
    onStart() {},
    program: find,
    restart: () => viewOf(server),
    goDown() {
      for (const program of programs.values()) program.exit ??= { code: null, signal: "SIGKILL" };
      programs.clear();
    },
    async start(input) {
      if (programs.has(input.agent_id)) throw new Error(`${input.agent_id} already has a terminal`);
      const program = programOf(input, server);
      programs.set(input.agent_id, program);
      view.onStart(program);
    },
    list: async () =>
      [...programs].map(([agent_id, { exit, attached }], index) => ({
        agent_id,
        alive: exit === null,
        pid: exit === null ? 1000 + index : null,
        exit,
        attached,
      })),
    async paste(agent_id, text, onto) {
      if (text.includes("\0")) throw new Error("text for a terminal can't contain a NUL");
      const program = findAlive(agent_id);
      checkSight(agent_id, onto);
      const typed = text.replaceAll("\n", "\r");
      program.input += program.bracketed ? `\u001b[200~${typed}\u001b[201~` : typed;
      program.onText(text);
    },
    async press(agent_id, keys, onto) {
      const unknown = keys.find((it) => !isKey(it));
      if (unknown !== undefined) throw new Error(`${JSON.stringify(unknown)} is not a key`);
      const program = findAlive(agent_id);
      checkSight(agent_id, onto);
      program.input += keys.map(typedBy).join("");
      program.onKeys(keys);
    },
    screen: async (agent_id, how = {}) => screenOf(find(agent_id), outputs.get(agent_id), how.history ?? 0),
    async *output(agent_id, { lines, follow, abort }) {
      const waiting: Buffer[] = [];
      let wake = () => {};
      const follower = (id: AgentId, part: Buffer) => {
        if (id === agent_id) waiting.push(part);
        wake();
      };
      const stop = () => wake();
      followers.add(follower);
      abort.addEventListener("abort", stop);
      try {
        yield lastLines(outputs.get(agent_id) ?? Buffer.alloc(0), lines);
        while (follow && !abort.aborted) {
          yield* waiting.splice(0);
          if (waiting.length === 0 && !abort.aborted) await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        followers.delete(follower);
        abort.removeEventListener("abort", stop);
      }
    },
    printedAt: async (agent_id) => server.printed.get(agent_id) ?? null,
    async resize(agent_id, columns, rows) {
      Object.assign(findAlive(agent_id), { columns, rows });
    },
    async kill(agent_id) {
      programs.get(agent_id)?.end("SIGTERM");
      programs.delete(agent_id);
    },
    async purge(agent_id) {
      outputs.delete(agent_id);
    },
    attachCommand: (agent_id) => ["attach", agent_id],
    watch(watcher) {
      own.add(watcher);
      watchers.add(watcher);
      return () => {
        own.delete(watcher);
        watchers.delete(watcher);
      };
    },
    async close() {
      for (const watcher of own) watchers.delete(watcher);
    },
  };
  return view;
}

function programOf(
  started: TerminalStart,
  { outputs, printed, now, watchers, followers }: Server,
): FakeProgram {
  const { agent_id, columns, rows } = started;
  let drawn: string | null = null;
  const program: FakeProgram & { drawn(): string | null } = {
    started,
    columns,
    rows,
    input: "",
    exit: null,
    attached: false,
    attach() {
      program.attached = true;
      for (const watcher of watchers) watcher.attached?.(agent_id);
    },
    bracketed: false,
    onText() {},
    onKeys() {},
    drawn: () => drawn,
    print(text) {
      const part = Buffer.from(text);
      printed.set(agent_id, now());
      outputs.set(agent_id, Buffer.concat([outputs.get(agent_id) ?? Buffer.alloc(0), part]));
      for (const follower of followers) follower(agent_id, part);
      for (const watcher of watchers) watcher.printed(agent_id);
    },
    setScreen(text) {
      drawn = text;
      for (const watcher of watchers) watcher.printed(agent_id);
    },
    end(how) {
      if (program.exit) return;
      const exit =
        typeof how === "number" ? { code: how, signal: null } : { code: null, signal: how as string | null };
      program.exit = exit;
      for (const watcher of watchers) watcher.exited(agent_id, exit);
    },
  };
  return program;
}

function screenOf(
  program: FakeProgram & { drawn?(): string | null },
  output: Buffer | undefined,
  history: number,
) {
  const text = program.drawn?.() ?? output?.toString().replaceAll("\r", "") ?? "";
  const lines = text.split("\n").map((it) => it.trimEnd());
  const shown = lines.slice(Math.max(0, lines.length - program.rows - history));
  return shown.join("\n").trimEnd();
}

function lastLines(bytes: Buffer, lines: number | null): Buffer {
  if (lines === null) return bytes;
  const all = bytes.toString("latin1").split(/(?<=\n)/);
  return Buffer.from(all.slice(Math.max(0, all.length - lines)).join(""), "latin1");
}

const typed: Record<string, string> = {
  Enter: "\r",
  Escape: "\u001b",
  Space: " ",
  Tab: "\t",
  BTab: "\u001b[Z",
  BSpace: "\u007f",
  Up: "\u001b[A",
  Down: "\u001b[B",
  Right: "\u001b[C",
  Left: "\u001b[D",
};

function typedBy(key: string): string {
  const control = /^C-([a-z])$/.exec(key)?.[1];
  return control ? String.fromCharCode(control.charCodeAt(0) - 96) : (typed[key] ?? key);
}
