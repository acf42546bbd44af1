/**
 * What the command line knows about a client that people start themselves: how to find it, and where our hooks for its
 * sessions go. Pure.
 */
import type { ClientSettings, SettingsPlace } from "./client-settings.ts";

export interface ClientSetup {
  /** Its name in `oj init`, which is also the name of its program. */
  name: string;
  /** The name that people know it by. */
  title: string;
  /** The arguments that print its version, and the command that updates it. */
  version: readonly string[];
  update: string;
  /** What to say about a version older than the one we are tested with; null if there is nothing to say. */
  olderThanTested(version: string | null): string | null;
  settings: ClientSettings;
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
  /** The events that the hooks are for. */
  events(wanted: WantedHooks): string[];
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
