/** What the daemon needs from the outside, in our words. Adapters fulfil it; fakes pass the same contract suites. */

import type { ShellOutcome } from "./core/control/job.ts";
import type { ShellRun } from "./core/model/effects.ts";
import type { Event } from "./core/model/events.ts";
import type { AgentId, CrewId, JobId, RunId } from "./core/model/ids.ts";
import type { Workspace } from "./core/model/job-types.ts";
import type { WorkspaceDef } from "./core/model/runbook.ts";
import type { Shelf } from "./core/model/shelf.ts";
import type { ReadScripts } from "./core/script/script-check.ts";

/** The events as the log keeps them. Written once, in order, never changed. */
export interface Log {
  /**
   * Reads what is there. Damage is reported, never hidden; a log of a newer version is refused untouched. Damage
   * that a start should not settle by itself is refused too; with `repair` it is set aside and the log goes on.
   */
  open(input?: { repair?: boolean }): Promise<Opened>;
  /** Events with `seq` above `after`, oldest first, at most `limit`. */
  read(after: number, limit: number): Promise<Event[]>;
  /** The same for those who only look: in place of an event that can't be read stands `log:lost`. `find` does so too. */
  look(after: number, limit: number): Promise<Event[]>;
  /** Reads what the state was not made from, beside everything else. What it finds wrong, or null. */
  verify(): Promise<Damage | null>;
  /** Of the next `limit` events after `after`, those that name one of these ids. `last`: where to look on; null at the end. */
  find(
    after: number,
    limit: number,
    ids: readonly string[],
  ): Promise<{ events: Event[]; last: number | null }>;
  /**
   * Writes all events or none and returns when they are on disk. Throws `Conflict` when a stream that the rule
   * read has moved on, and a `store.*` refusal when they could not be written.
   */
  append(events: readonly Event[], expected: Expected): Promise<void>;
  /** Folds the log up to `seq` into a snapshot, beside the running appends. */
  snapshot(seq: number): Promise<void>;
  /** Forgets events up to `seq`, as far as a snapshot covers them. Returns how many went. */
  compact(seq: number): Promise<number>;
  close(): Promise<void>;
}

export interface Opened {
  /** The newest sound snapshot: `state` is what `encodeState` gave. */
  snapshot: { seq: number; state: string } | null;
  /** Last event, and the oldest that is still there (0 and 1 in an empty log). */
  tip: number;
  first: number;
  damage: Damage | null;
  /** Snapshots that could not be used, a sentence each; an older one or the whole log stood in. */
  skipped: string[];
}

/** Something in the log that could not be read. Nothing of it was thrown away: it is in `kept`. */
export interface Damage {
  seq: number;
  what: string;
  /** Records set aside, where that can be counted. */
  records: number | null;
  kept: string;
}

export interface Expected {
  after: number;
  streams: readonly string[];
}

/** The terminals don't answer. Whether what was asked for was done is not known: look again before doing it twice. */
export class Unreachable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Unreachable";
  }
}

export class Conflict extends Error {
  readonly stream: string;
  constructor(stream: string) {
    super(`${stream} has moved on`);
    this.name = "Conflict";
    this.stream = stream;
  }
}

/** Runs scripts, each in a process group of its own. */
export interface Shell {
  /** Runs it to its end. Rejects only when not even the attempt could be made. */
  run(script: Script, how: ShellManner): Promise<ShellOutcome>;
  /** Ends the whole process group and returns when it is gone; nothing happens when there is none. */
  stop(run_id: RunId): Promise<void>;
  /** What a daemon that died left of this run: nothing, or something that had begun. Whatever still lives is ended. */
  recover(run_id: RunId): Promise<"never-began" | "began">;
  /** Runs that an earlier daemon left something of: files from before that time. */
  left(before_ms: number): AsyncIterable<RunId>;
  /** The run's outcome is recorded; what `recover` would look at may go. */
  forget(run_id: RunId): Promise<void>;
  /** Ends everything that runs, as the daemon stops; each run reports that as its outcome. */
  close(): Promise<void>;
}

/** What of a run the shell must know. */
export type Script = Pick<ShellRun, "run_id" | "job_id" | "cwd" | "script" | "values" | "env">;

export interface ShellManner {
  /** The environment below the step's own. */
  env: Readonly<Record<string, string>>;
  /** The mark of the agent whose code it may run. */
  mark?: number | null;
  timeoutMs: number | null;
  /** Bytes of output that the outcome carries; the rest only goes to `onOutput`. */
  keepBytes: number;
  keep: "head" | "tail";
  /** The script waits while this does, so that a flood of output can't fill the memory. */
  onOutput(part: Buffer): Promise<void>;
}

/** Folders that jobs work in. Making or removing twice is the same as once. */
export interface Workspaces {
  make(job_id: JobId, def: WorkspaceDef, root: string): Promise<Workspace>;
  /** Returns where unsaved work was put, if there was any. */
  remove(job_id: JobId, workspace: Workspace): Promise<{ kept: string | null }>;
}

/** What is kept of each job besides its events: its output, and the environment it was started with. */
export interface JobFiles {
  /** Resolves when it is written; never rejects, as output must not decide how a job goes. */
  write(owner_id: JobId | CrewId, part: Buffer | string): Promise<void>;
  /** The output so far (its last `lines`), then, with `follow`, what is written until `abort`. */
  read(
    owner_id: JobId | CrewId,
    input: { lines: number | null; follow: boolean; abort: AbortSignal },
  ): AsyncIterable<Buffer>;
  /** Rejects with a `store.*` refusal when it could not be kept. */
  saveEnv(owner_id: JobId | CrewId, env: Readonly<Record<string, string>>): Promise<void>;
  loadEnv(owner_id: JobId | CrewId): Promise<Record<string, string> | null>;
  /** Whose environment was saved before that time and nothing else since: no job or crew of that id may ever have been. */
  bare(before_ms: number): AsyncIterable<JobId | CrewId>;
  purge(owner_id: JobId | CrewId): Promise<void>;
}

export interface Clock {
  now(): number;
  /** Milliseconds that only ever go forward, whatever happens to the wall clock. */
  monotonic(): number;
  /** Calls once after that time; the returned function disarms it. */
  after(ms: number, call: () => void): () => void;
}

/** The daemon's own log: one line each, with fields. */
export interface Journal {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Tells a person something, somehow. Never rejects. */
export interface Notifier {
  notify(title: string, text: string): Promise<void>;
}

export interface Programs {
  /** What the program says when it is asked for its version; null when it can't be told. Cheap: never asked twice of one file. */
  version(name: string, at: { cwd: string; env: Readonly<Record<string, string>> }): Promise<string | null>;
}

export interface Ports {
  log: Log;
  shell: Shell;
  workspaces: Workspaces;
  files: JobFiles;
  terminals: Terminals;
  notifier: Notifier;
  programs: Programs;
  /** Never rejects: where it can't be told, a script has no problem. */
  readScripts: ReadScripts;
  clock: Clock;
  journal: Journal;
  random(bytes: number): Iterable<number>;
  /** A new place for the texts of what is settled. */
  shelf(): Shelf;
}

/** The terminals that agents live in. They outlive the daemon: whoever comes next finds them by their agent. */
export interface Terminals {
  /** Starts a program in a terminal of its own. Refuses when this agent has a terminal already. */
  start(input: TerminalStart): Promise<void>;
  /** Every terminal there is, including those that an earlier daemon started. */
  list(): Promise<TerminalInfo[]>;
  /** Pastes text (bracketed, so that its lines stay together) without sending it off. */
  paste(agent_id: AgentId, text: string): Promise<void>;
  /** Presses keys, by tmux's names: "Enter", "Down", "1", "C-u". */
  press(agent_id: AgentId, keys: readonly string[]): Promise<void>;
  /** What is on the screen now, lines without trailing blanks; with `history`, so many lines above it as well. */
  screen(agent_id: AgentId, how?: { ansi?: boolean; history?: number }): Promise<string>;
  /** All that the terminal printed, as bytes, up to the log's limit; the last `lines`, then, with `follow`, what comes. */
  output(
    agent_id: AgentId,
    input: { lines: number | null; follow: boolean; abort: AbortSignal },
  ): AsyncIterable<Buffer>;
  resize(agent_id: AgentId, columns: number, rows: number): Promise<void>;
  /** Ends every process of the terminal and the terminal itself, and returns when they are gone. Keeps its output. */
  kill(agent_id: AgentId): Promise<void>;
  /** Removes what is kept of the agent's output. */
  purge(agent_id: AgentId): Promise<void>;
  /** How a person attaches: the program and its arguments. */
  attachCommand(agent_id: AgentId): string[];
  /** Told of every exit and of output (at most every 50 ms for one agent). */
  watch(watcher: TerminalWatcher): () => void;
  /** Lets go of the terminals; they live on. */
  close(): Promise<void>;
}

export interface TerminalStart {
  agent_id: AgentId;
  /** The program and its arguments; no shell in between. */
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
}

export interface TerminalExit {
  code: number | null;
  signal: string | null;
}

export interface TerminalWatcher {
  exited(agent_id: AgentId, exit: TerminalExit): void;
  printed(agent_id: AgentId): void;
  /** Somebody sent keys or text there, so many times: not we, and no person who attached. */
  keyed?(agent_id: AgentId, times: number): void;
}
