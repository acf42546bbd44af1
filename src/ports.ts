/** What the daemon needs from the outside, in our words. Adapters provide it; fakes pass the same contract suites. */
import type { Beads } from "./beads-port.ts";
import type { ChannelPorts } from "./channel-ports.ts";
import type { Remnant } from "./core/control/erase.ts";
import type { ShellOutcome } from "./core/control/job.ts";
import type { ShellRun } from "./core/model/effects.ts";
import type { Event } from "./core/model/events.ts";
import type { AgentId, CrewId, JobId, MachineName, RunId } from "./core/model/ids.ts";
import type { Workspace } from "./core/model/job-types.ts";
import type { WorkspaceDef } from "./core/model/runbook.ts";
import type { Shelf } from "./core/model/shelf.ts";
import type { ReadScripts } from "./core/script/script-check.ts";
import type { FileNow } from "./core/text/file-diff.ts";

/** The log: all events, written once, in order, never changed. */
export interface Log {
  /**
   * Reads what is there. Damage is reported, never hidden. A log of a newer version is refused and left untouched.
   * Damage that a start should not settle by itself is refused too; with `repair` it is set aside and the log stays in
   * use.
   */
  open(input?: { repair?: boolean }): Promise<Opened>;
  /** Events with `seq` above `after`, oldest first, at most `limit`. */
  read(after: number, limit: number): Promise<Event[]>;
  /**
   * Like `read`, for callers that only look: an event that can't be read is replaced by `log:lost`. `find` does the
   * same.
   */
  look(after: number, limit: number): Promise<Event[]>;
  /**
   * Reads the events that the state was not made from, while everything else runs. Returns what is wrong with them, or
   * null.
   */
  verify(): Promise<Damage | null>;
  /**
   * Returns the events that name one of these ids, among the next `limit` events after `after`. `last`: where to
   * continue; null at the end.
   */
  find(
    after: number,
    limit: number,
    ids: readonly string[],
  ): Promise<{ events: Event[]; last: number | null }>;
  /**
   * Takes a turn at writing: `decide` is called while nobody else can write, and what it returns is on disk once this
   * returns. All of it or nothing. `after` is the last event that the caller has seen. Throws `Behind` if there is
   * more to see than a turn may take, and a `store.*` refusal if nothing could be written.
   */
  turn(after: number, decide: Decide): Promise<void>;
  /** Calls whenever somebody else may have written. The returned function ends that. */
  follow(call: () => void): () => void;
  lastHeard?(): number | null; // when the store could last be reached, if it can't now; else null
  /**
   * Says that this daemon is there, and what its machine is called. Returns the machines that share the log, this one
   * among them; none if there can be no others.
   */
  machines(self: MachineName): Promise<Presence[]>;
  /** What this machine's daemon writes from now on is refused. */
  banish(machine: MachineName): Promise<void>;
  /**
   * What will take the place of events once the event that erases their texts is written, in the same commit. The
   * returned function gives that up.
   */
  leaving(remnants: readonly Remnant[]): () => void;
  /** Leaves nothing of erased texts in snapshots and files. Does nothing if nothing was erased since the last time. */
  scour(): Promise<void>;
  /** Folds the log up to `seq` into a snapshot while appends continue. */
  snapshot(seq: number): Promise<void>;
  /** Removes events up to `seq`, as far as a snapshot covers them. Returns how many were removed. */
  compact(seq: number): Promise<number>;
  close(): Promise<void>;
}

export interface Opened {
  /** The newest intact snapshot: `state` is what `encodeState` returned. */
  snapshot: { seq: number; state: string } | null;
  /** The last event, and the oldest that still exists (0 and 1 in an empty log). */
  tip: number;
  first: number;
  damage: Damage | null;
  /** What the store knows this machine by, if others may share the log. */
  machine: string | null;
  /** Snapshots that could not be used, a sentence each; an older one or the whole log was used instead. */
  skipped: string[];
}

/** A machine that shares the log, and since when its daemon has not been there, in the store's time. */
export interface Presence {
  name: MachineName;
  away: { since_ms: number; for_ms: number } | null;
}

/** Something in the log that could not be read. None of it was thrown away: it is in `kept`. */
export interface Damage {
  seq: number;
  what: string;
  /** The number of records set aside, if they can be counted. */
  records: number | null;
  kept: string;
}

/**
 * Gets the events that others wrote since, oldest first, and the store's time (null: it has no clock of its own).
 * Returns the events to write, which follow the last one. It may be called again, with what is new since: only the last
 * call counts.
 */
export type Decide = (news: readonly Event[], at_ms: number | null) => readonly Event[];

/** The terminals don't respond. We don't know whether the call was carried out: look again before doing it twice. */
export class Unreachable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Unreachable";
  }
}

/** Others have written so much that it must be read first, outside of any turn. */
export class Behind extends Error {
  /** The bundle of a store has a class of its own by this name. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "Behind";
  }

  constructor() {
    super("the log has moved on");
    this.name = "Behind";
  }
}

/** Runs scripts, each in a process group of its own. */
export interface Shell {
  /** Runs the script to its end. Rejects only if it could not even be attempted. */
  run(script: Script, how: ShellManner): Promise<ShellOutcome>;
  /** Ends the whole process group and returns once it is gone. Does nothing if there is none. */
  stop(run_id: RunId): Promise<void>;
  /**
   * What a daemon that died left of this run: nothing, or something that had begun. Processes that are still alive are
   * ended.
   */
  recover(run_id: RunId): Promise<"never-began" | "began">;
  /** The outcome of every run that an earlier daemon left is recorded, so what `recover` fears is over. */
  tookOver(): Promise<void>;
  /** Runs that an earlier daemon left something of: files from before this time. */
  left(before_ms: number): AsyncIterable<RunId>;
  /** The run's outcome is recorded: removes what `recover` would look at. */
  forget(run_id: RunId): Promise<void>;
  /** Ends everything that runs, because the daemon stops. Each run reports that as its outcome. */
  close(): Promise<void>;
}

/** The part of a run that the shell needs. */
export type Script = Pick<ShellRun, "run_id" | "job_id" | "cwd" | "script" | "values" | "env">;

export interface ShellManner {
  /** The base environment; the step's own variables override it. */
  env: Readonly<Record<string, string>>;
  /** The mark of the agent whose code the script may run. */
  mark?: number | null;
  timeoutMs: number | null;
  /** Bytes of output that the outcome contains; the rest only goes to `onOutput`. */
  keepBytes: number;
  keep: "head" | "tail";
  /** Both streams are read as one, in the order they were written; its errors are then part of the output. */
  oneStream?: boolean;
  /** The script waits while this does, so that a flood of output can't fill the memory. */
  onOutput(part: Buffer): Promise<void>;
}

/** Folders that jobs work in. Making or removing one twice is the same as once. */
export interface Workspaces {
  make(job_id: JobId, def: WorkspaceDef, root: string): Promise<Workspace>;
  /** Returns where unsaved work was put, if there was any. */
  remove(job_id: JobId, workspace: Workspace): Promise<{ kept: string | null }>;
}

/** What is kept of each job besides its events: its output, and the environment it was started with. */
export interface JobFiles {
  /** Resolves once it is written. Never rejects, because output must not decide how a job ends. */
  write(owner_id: JobId | CrewId, part: Buffer | string): Promise<void>;
  /** The output so far (its last `lines`), then, with `follow`, what is written until `abort`. */
  read(
    owner_id: JobId | CrewId,
    input: { lines: number | null; follow: boolean; abort: AbortSignal },
  ): AsyncIterable<Buffer>;
  /** Rejects with a `store.*` refusal if it could not be saved. */
  saveEnv(owner_id: JobId | CrewId, env: Readonly<Record<string, string>>): Promise<void>;
  loadEnv(owner_id: JobId | CrewId): Promise<Record<string, string> | null>;
  /**
   * Owners whose environment was saved before this time, with nothing written since: such a job or crew may never have
   * existed.
   */
  bare(before_ms: number): AsyncIterable<JobId | CrewId>;
  purge(owner_id: JobId | CrewId): Promise<void>;
}

export interface Clock {
  now(): number;
  /** Milliseconds that only ever go forward, whatever happens to the wall clock. */
  monotonic(): number;
  /** Calls once after this time; the returned function disarms it. */
  after(ms: number, call: () => void): () => void;
}

/** The daemon's own log: one line each, with fields. */
export interface Journal {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Tells a person something, somehow. Both resolve with why nothing can be shown, or null, and never reject. */
export interface Notifier {
  notify(notice: Notice): Promise<string | null>;
  check(): Promise<string | null>;
}

export interface Notice {
  title: string;
  text: string;
  /** Stays on the screen until somebody has seen it, where the desktop can do that. */
  isUrgent: boolean;
}

export interface Programs {
  /** What the program prints when asked for its version, or null. Cheap: no file is asked twice. */
  version(name: string, at: { cwd: string; env: Readonly<Record<string, string>> }): Promise<string | null>;
}

/**
 * Reads a text file that an agent names, as it is now. Opens nothing but regular files inside `roots`, reads no more than
 * a screenful of code would need, never waits long and never rejects: what can't be read says why.
 */
export type ReadSource = (path: string, at: { cwd: string; roots: readonly string[] }) => Promise<FileNow>;

export interface Ports {
  log: Log;
  shell: Shell;
  workspaces: Workspaces;
  files: JobFiles;
  terminals: Terminals;
  notifier: Notifier;
  programs: Programs;
  /** Never rejects: a script that can't be checked has no problems. */
  readScripts: ReadScripts;
  readSource: ReadSource;
  realPaths: RealPaths;
  isRunning(process: string): boolean | null; // `pid.start`; null where nobody can tell
  channels: ChannelPorts;
  beads: Beads;
  clock: Clock;
  journal: Journal;
  random(bytes: number): Iterable<number>;
  /** A new shelf, for the texts of settled decisions. */
  shelf(): Shelf;
}

/**
 * The real path of each of these absolute paths, after links and `..`; null for one that can't be told. What does not
 * exist yet is where it would be made.
 */
export type RealPaths = (paths: readonly string[]) => Promise<Map<string, string | null>>;

/** The terminals that agents live in. They outlive the daemon: the next one finds them by their agent. */
export interface Terminals {
  /** Starts a program in a terminal of its own. Refuses if this agent already has a terminal. */
  start(input: TerminalStart): Promise<void>;
  /** Every terminal that exists, including those that an earlier daemon started. */
  list(): Promise<TerminalInfo[]>;
  /** Pastes text (bracketed, so that its lines stay together) without submitting it. */
  paste(agent_id: AgentId, text: string, onto?: Sight): Promise<void>;
  /** Presses keys, by tmux's names: "Enter", "Down", "1", "C-u". */
  press(agent_id: AgentId, keys: readonly string[], onto?: Sight): Promise<void>;
  /** What is on the screen now, lines without trailing blanks; with `history`, also that many lines above it. */
  screen(agent_id: AgentId, how?: { ansi?: boolean; history?: number }): Promise<string>;
  /**
   * Everything the terminal printed, as bytes, up to the log's limit: the last `lines`, then, with `follow`, what comes
   * next.
   */
  output(
    agent_id: AgentId,
    input: { lines: number | null; follow: boolean; abort: AbortSignal },
  ): AsyncIterable<Buffer>;
  /** When the terminal last printed something, on the wall clock; null if nothing is known of it. */
  printedAt(agent_id: AgentId): Promise<number | null>;
  resize(agent_id: AgentId, columns: number, rows: number): Promise<void>;
  /** Ends every process of the terminal and the terminal itself, and returns once they are gone. Keeps its output. */
  kill(agent_id: AgentId): Promise<void>;
  /** Removes the agent's kept output. */
  purge(agent_id: AgentId): Promise<void>;
  /** How a person attaches: the program and its arguments. */
  attachCommand(agent_id: AgentId): string[];
  /** Reports every exit, and output (at most every 50 ms for one agent). */
  watch(watcher: TerminalWatcher): () => void;
  /** Disconnects from the terminals; they stay alive. */
  close(): Promise<void>;
}

/**
 * What is to be on the screen, and what is not, when a terminal gets to it. That may be seconds after somebody looked,
 * and a key would go to something else: then `Changed` is thrown, and nothing was typed. In a line only ASCII counts,
 * and of that mostly letters and digits.
 */
export interface Sight {
  /** Lines, from anywhere to their end. */
  shows: readonly string[];
  /** Parts of lines. */
  lacks: readonly string[];
}

/** The screen is not what somebody saw who wanted to type. */
export class Changed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Changed";
  }
}

export interface TerminalStart {
  agent_id: AgentId;
  /** The program and its arguments; there is no shell in between. */
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  columns: number;
  rows: number;
}

export interface TerminalInfo {
  agent_id: AgentId;
  alive: boolean;
  pid: number | null;
  exit: TerminalExit | null;
  /** Somebody is attached to it. */
  attached: boolean;
}

export interface TerminalExit {
  code: number | null;
  signal: string | null;
}

export interface TerminalWatcher {
  exited(agent_id: AgentId, exit: TerminalExit): void;
  printed(agent_id: AgentId): void;
  /** Somebody attached to the terminal, and nobody was before. */
  attached?(agent_id: AgentId): void;
  /** Somebody sent keys or text to the terminal this many times: neither oj nor a person who attached. */
  keyed?(agent_id: AgentId, times: number): void;
}
