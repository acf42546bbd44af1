/** What the command line knows of a client that people start themselves: how it is found, and where our hooks for its sessions go. Pure. */
import type { ClientSettings, SettingsPlace } from "./client-settings.ts";

export interface ClientSetup {
  /** As `oj init` calls it. It is also its program's name. */
  name: string;
  /** As people call it. */
  title: string;
  /** What makes it say its version, and what brings it a newer one. */
  version: readonly string[];
  update: string;
  /** What to say of a version that is older than the one we are tested with; null when there is nothing to say. */
  olderThanTested(version: string | null): string | null;
  settings: ClientSettings;
  /** The files that hold our hooks: the project's, and the person's own. */
  hookFiles(place: Pick<SettingsPlace, "env" | "home"> & { root: string }): { project: string; user: string };
  /** A file that has this has hooks of ours. */
  mark: string;
}

/** Puts our hooks into a settings file and takes them out again, beside what else is there: text to text. */
export interface HookInstaller {
  setup: ClientSetup;
  /** Null: there is no file. Throws `NotSettings`. */
  put(text: string | null, wanted: WantedHooks): string;
  /** What is left without ours; null when the file was ours altogether. Throws `NotSettings`. */
  take(text: string): string | null;
  /** The events that they are for. */
  events(wanted: WantedHooks): string[];
}

export interface WantedHooks {
  /** Turns without a decision are only remarked upon. */
  soft: boolean;
  /** Questions and permissions reach the inbox too. */
  permissions: boolean;
  /** How long a turn that ends with a pending question waits for the answer. */
  wait_s: number | null;
}

/** Text that we can't work on, and why. */
export class NotSettings extends Error {}
