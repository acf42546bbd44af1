/**
 * Settings files of a client, as far as they decide which hooks it runs: where they are, and what follows from them.
 * Pure.
 */

export type HookKind = "http" | "command";

/** The kind of hooks that the client will run for us. */
export type HookDoor = HookKind | "none";

export interface HookRule {
  door: HookDoor;
  /** What ruled out the better kind: "SETTING in FILE". */
  by: string | null;
}

export interface ClientSettings {
  /** Where settings may be, weakest first. */
  files(place: SettingsPlace): SettingsFile[];
  /** Which hooks it runs if they report to this address. `variable` is the one that their header names. */
  rule(sources: readonly SettingsSource[], report: { url: string; variable: string }): HookRule;
}

export interface SettingsPlace {
  /** The environment that the client is started with. */
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  platform: string;
  /** The folder it is started in, and the project's. */
  folders: readonly string[];
  /** The company's folder. Default: the system's. */
  managed?: string;
}

export interface SettingsFile {
  /** A path that ends with `/` is a folder: each JSON file in it counts. */
  file: string;
  scope: "user" | "project" | "local" | "managed";
}

export interface SettingsSource extends SettingsFile {
  settings: Readonly<Record<string, unknown>>;
}
