/**
 * `oj init CLIENT --plugin`: a folder of files that are all ours. A list beside them says what we wrote, so that a file
 * that somebody has changed since is never overwritten and never deleted.
 */
import fs from "node:fs";
import path from "node:path";
import type { HookInstaller, WantedHooks } from "../../agents/setup.ts";
import type { Config } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";
import { sha256 } from "../../core/text/hash.ts";
import { hang } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { version } from "../../version.ts";
import type { Context } from "../base/command.ts";
import { changesFor } from "./changes.ts";

type Place = Pick<Config, "root" | "env" | "home">;

/** By path in the folder: what we wrote, as hashes. */
type Written = Record<string, string>;

const LIST = "written-by-oj.json";

function pluginFolder({ root, env, home }: Place, name: string, global: boolean): string {
  const base = global ? path.join(env.XDG_CONFIG_HOME || path.join(home, ".config"), "oj") : `${root}/.oj`;
  return path.join(base, `${name}-plugin`);
}

/** The plugins of ours for this client: the project's, the user's, or both. */
export function pluginFolders(place: Place, name: string): string[] {
  const both = [false, true].map((global) => pluginFolder(place, name, global));
  return both.filter((it) => fs.existsSync(path.join(it, LIST)));
}

export interface GivenPlugin extends WantedHooks {
  global: boolean;
  remove: boolean;
  print: boolean;
}

export function initPlugin(
  { config, out, json }: Context,
  installer: HookInstaller,
  given: GivenPlugin,
): void {
  const { setup, plugin } = installer;
  if (plugin === null) throw new Refusal("request.invalid", `${setup.title} takes no plugin of ours`);
  const folder = pluginFolder(config, setup.name, given.global);
  const files = given.remove ? {} : plugin.files(given, version);
  if (given.print) {
    for (const [name, text] of Object.entries(files)) out.print(`# ${name}\n${text.trimEnd()}\n`);
    return;
  }
  const { changed, kept } = attempt(folder, () => replace(folder, files));
  const changes = given.remove ? [] : changesFor(installer, given);
  if (json) return out.json({ folder, changed, kept, changes });
  const { style } = out;
  const where = safeLine(folder);
  const done = given.remove ? `removed our plugin from ${where}` : `wrote our plugin to ${where}`;
  const none = given.remove ? `there is no plugin of ours in ${where}` : `${where} is as it should be`;
  out.print(changed ? `${style.green("✓")} ${done}` : `${style.dim("–")} ${none}`);
  for (const name of kept)
    out.print(`${style.yellow("!")} ${safeLine(name)} was changed by somebody and is left alone`);
  if (given.remove) return;
  out.print(`\nTo use it, in ${setup.title}:`);
  for (const line of plugin.use(folder)) out.print(`  ${style.cyan("→")} ${safeLine(line)}`);
  out.print(`\nIn sessions with the plugin:`);
  for (const change of changes) for (const line of hang("  • ", change, out.width)) out.print(line);
  out.say(`\nTo undo it: oj init ${setup.name} --plugin --remove`);
}

/** Deletes what we wrote and nobody changed; returns what was left. */
export function removePlugin(folder: string): string[] {
  return attempt(folder, () => replace(folder, {})).kept;
}

/** Puts these files in place of what we wrote before. */
function replace(
  folder: string,
  files: Readonly<Record<string, string>>,
): { changed: boolean; kept: string[] } {
  const before = writtenIn(folder);
  const now: Written = {};
  const kept: string[] = [];
  let changed = false;
  for (const name of new Set([...Object.keys(before), ...Object.keys(files)])) {
    const file = path.join(folder, name);
    const text = files[name];
    const there = textIn(file);
    if (text !== undefined && there === text) {
      now[name] = sha256(text);
    } else if (there !== null && sha256(there) !== before[name]) {
      kept.push(name);
    } else if (text !== undefined) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
      now[name] = sha256(text);
      changed = true;
    } else if (there !== null) {
      fs.rmSync(file);
      removeEmpty(path.dirname(file), folder);
      changed = true;
    }
  }
  const list = path.join(folder, LIST);
  if (Object.keys(files).length > 0) fs.writeFileSync(list, `${JSON.stringify(now, null, 2)}\n`);
  else {
    fs.rmSync(list, { force: true });
    removeEmpty(folder, path.dirname(folder));
  }
  return { changed, kept };
}

/** Only names that stay in the folder: the list may have been changed by anybody. */
function writtenIn(folder: string): Written {
  const text = textIn(path.join(folder, LIST));
  if (text === null) return {};
  const value: unknown = JSON.parse(text);
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter(([name]) => path.resolve(folder, name).startsWith(`${path.resolve(folder)}/`)),
  );
}

function removeEmpty(folder: string, upTo: string): void {
  for (let at = folder; at !== upTo && isEmpty(at); at = path.dirname(at)) fs.rmdirSync(at);
}

function isEmpty(folder: string): boolean {
  return fs.existsSync(folder) && fs.readdirSync(folder).length === 0;
}

function textIn(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function attempt<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Refusal(
      "request.invalid",
      `the plugin in ${folder} can't be changed: ${(error as Error).message}`,
      "oj init claude --plugin --print",
    );
  }
}
