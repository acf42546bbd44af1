/** What a command is: its flags, its words, its call. Each lives in its own file, named as it is typed. */

import type { ApiClient } from "../../api/api.ts";
import type { Config } from "../../config.ts";
import type { Style } from "../../text/style.ts";

export interface Flag {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  /** What the value is called in usage lines: "D", "NAME". */
  value?: string;
  help: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** The values of the flags, typed after their declaration. */
export type Given<F extends Flags> = {
  [K in keyof F]?: F[K]["type"] extends "boolean"
    ? boolean
    : F[K]["multiple"] extends true
      ? string[]
      : string;
};

export interface Example {
  run: string;
  does: string;
}

export interface Command<F extends Flags = Flags> {
  /** As it is typed, without `oj`: "decision list". */
  name: string;
  summary: string;
  /** Positional arguments as in usage lines: "ID [N…]". */
  args: string;
  flags: F;
  examples: readonly Example[];
  /** What completion offers for positional arguments: ids of that kind, or the given words. */
  completes?: "decision" | "job" | "crew" | "agent" | "command" | readonly string[];
  /** What `-o` takes beside json and text. */
  formats?: readonly string[];
  /** Works even if a config file is broken: to find that out, and to get out of it. */
  lenient?: boolean;
  /** It is about this machine: `--server` means nothing to it. */
  local?: boolean;
  /** Unknown flags are passed on unchanged (only `run`). */
  passesFlags?: boolean;
  /** Returns the exit code; nothing means 0. Throws a Refusal for everything else that a person can cause. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands end with a call that returns nothing
  run(context: Context, args: string[], flags: Given<F>): Promise<number | undefined | void>;
}

/** Keeps a command's flags typed where it is declared. */
export function defineCommand<const F extends Flags>(spec: Command<F>): Command {
  return spec as unknown as Command;
}

export interface Context {
  client: ApiClient;
  config: Readonly<Config>;
  /** `-o json` or `--json` was given: data goes to stdout as JSON, everything else to stderr. */
  json: boolean;
  out: Output;
  /** Aborted by Ctrl-C. */
  abort: AbortSignal;
  /** The clock, for ages. */
  now(): number;
  /** When the daemon could last reach its store, if it can't now: what it showed is as of then. */
  asOf?(): number | null;
  /** Set if commands go to another machine: a client of its own, for what has another end than the command. */
  remote?(abort: AbortSignal, via: "cli" | "tui"): ApiClient;
  /** Whether a command can be called here, to hint at it. Not set: all can. */
  mayCall?(name: string): boolean;
  /** Every command, for those that call or complete others. The frequent ones start without them. */
  commands?: Commands;
}

/** The commands there are, by the words that are typed. */
export interface Commands {
  /** What a group of commands is about. */
  groups: Readonly<Record<string, string>>;
  isCommand(name: string): boolean;
  isGroup(name: string): boolean;
  /** The names that people may be told about, of a group or all. */
  namesIn(group?: string): string[];
  loadCommand(name: string): Promise<Command>;
}

export function commandsOf({ commands }: Context): Commands {
  if (!commands) throw new Error("a frequent command knows no others");
  return commands;
}

/** Where words go. Text from outside must pass `safe()` before it gets here. */
export interface Output {
  /** Data, to stdout. */
  print(text: string): void;
  /** One JSON value, to stdout. */
  json(value: unknown): void;
  /** Talk, to stderr. */
  say(text: string): void;
  style: Style;
  /** Columns to wrap to: the terminal's, else 100. */
  width: number;
  isTerminal: boolean;
}
