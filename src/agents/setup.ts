/**
 * What the command line knows about a client that people start themselves: how to find it, and where our hooks for its
 * sessions go. Pure.
 */
import type { ClientSettings, SettingsPlace } from "./client-settings.ts";

/** A client as a program on somebody's machine. */
export interface ClientProgram {
  /** The name of its program. */
  name: string;
  /** The name that people know it by. */
  title: string;
  /** The arguments that print its version, and the command that updates it. */
  version: readonly string[];
  update: string;
  /** The version that we are tested with. */
  tested: string;
}

/** Its `name` is also its name in `oj init`. */
export interface ClientSetup extends ClientProgram {
  /** The settings that may switch our hooks off; null if none do. */
  settings: ClientSettings | null;
  /** The files that hold our hooks: the project's, and the user's own. */
  hookFiles(place: Pick<SettingsPlace, "env" | "home"> & { root: string }): { project: string; user: string };
  /** A file that contains this has hooks of ours. */
  mark: string;
}

/** Adds our hooks to a settings file and removes them again, leaving everything else alone: text to text. */
export interface HookInstaller {
  setup: ClientSetup;
  /** Null: there is no file. Throws `NotSettings`. */
  put(text: string | null, wanted: WantedHooks): string;
  /** The text without our hooks; null if the file was entirely ours. Throws `NotSettings`. */
  take(text: string): string | null;
  /** Why the client would not read a file with this text, and what to do; null if it reads it. */
  unread(text: string): string | null;
  /** What becomes of its dialogs, in words for the person. */
  dialogs(wanted: WantedHooks): string;
  /** What becomes of its stops, if not what becomes of every client's. */
  stops?(wanted: WantedHooks): string;
  /** The same as a plugin of the client's; null if it has none. */
  plugin: ClientPlugin | null;
  /** The events that the hooks are for. */
  events(wanted: WantedHooks): string[];
}

export interface ClientPlugin {
  /** Its files, by their path in its folder. */
  files(wanted: WantedHooks, version: string): Record<string, string>;
  /** What a person types to use the plugin in that folder. */
  use(folder: string): string[];
}

export interface WantedHooks {
  /** A turn may end once a decision was offered in it. */
  hold: boolean;
  /** A turn without a decision only gets a remark. */
  soft: boolean;
  /** How long a turn that ends with a question waits for the answer. */
  wait_s: number | null;
}

/** The text is not something we can edit; the message says why. */
export class NotSettings extends Error {}
