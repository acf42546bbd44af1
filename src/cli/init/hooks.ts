/** `oj init CLIENT`: hooks for sessions of a client that oj does not start, in the project's settings or the user's. */
import fs from "node:fs";
import path from "node:path";
import type { HookInstaller, WantedHooks } from "../../agents/setup.ts";
import { NotSettings } from "../../agents/setup.ts";
import { Refusal } from "../../core/model/errors.ts";
import { hang } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { changesFor } from "./changes.ts";
import { COSTS, switchedOff } from "./switched-off.ts";

export interface Given extends WantedHooks {
  global: boolean;
  remove: boolean;
  /** Only show what the file would become. */
  print: boolean;
}

export async function initHooks(
  { config, out, json }: Context,
  installer: HookInstaller,
  given: Given,
): Promise<void> {
  const { setup } = installer;
  const retry = `oj init ${setup.name}`;
  const files = setup.hookFiles(config);
  const file = path.normalize(given.global ? files.user : files.project);
  const before = textIn(file, retry);
  const after = changed(installer, file, before, given);
  if (given.print) return out.print((after ?? "").trimEnd());
  if (after !== before) write(file, after, retry, config);
  const off = given.remove ? null : await switchedOff(config, setup);
  const changes = given.remove ? [] : changesFor(installer, given);
  if (json)
    return out.json({
      file,
      changed: after !== before,
      hooks: given.remove ? [] : installer.events(given),
      changes,
      switched_off_by: off,
    });
  const { style } = out;
  const where = safeLine(file);
  const hadSome = before?.includes(setup.mark) ?? false;
  const done = given.remove
    ? "removed our hooks from"
    : `${hadSome ? "replaced" : "added"} our hooks ${hadSome ? "in" : "to"}`;
  const none = given.remove ? "has no hooks of ours" : "already has them; nothing changed";
  out.print(after === before ? `${style.dim("–")} ${where} ${none}` : `${style.green("✓")} ${done} ${where}`);
  if (off !== null) out.print(`${style.yellow("!")} they are switched off by ${safeLine(off)}: ${COSTS}`);
  if (given.remove) return;
  const unread = installer.unread(after ?? "");
  if (unread !== null) out.print(`${style.yellow("!")} ${unread}`);
  const place = given.global ? "everywhere" : "in this project";
  out.print(`\nIn sessions of ${setup.title} that start ${place} from now on:`);
  for (const change of changes) for (const line of hang("  • ", change, out.width)) out.print(line);
  out.say(`\nEverything else stays as it is. To undo it: oj init ${setup.name} --remove`);
}

/** The files with hooks of ours: the project's settings, the user's, or both. */
export function hookedFiles({ config }: Pick<Context, "config">, { setup }: HookInstaller): string[] {
  const files = setup.hookFiles(config);
  const both = new Set([files.project, files.user].map((it) => path.normalize(it)));
  return [...both].filter((file) => textIn(file, `oj init ${setup.name}`)?.includes(setup.mark));
}

/** Removes our hooks from a file, and nothing else. */
export function removeHooks(
  { config }: Pick<Context, "config">,
  installer: HookInstaller,
  file: string,
): void {
  const retry = `oj init ${installer.setup.name} --remove`;
  const before = textIn(file, retry);
  const remove = { remove: true, global: false, print: false, hold: false, soft: false, wait_s: null };
  const after = changed(installer, file, before, remove);
  if (after !== before) write(file, after, retry, config);
}

function changed(
  { setup, put, take }: HookInstaller,
  file: string,
  before: string | null,
  given: Given,
): string | null {
  try {
    if (!given.remove) return put(before, given);
    return before === null ? null : take(before);
  } catch (error) {
    if (!(error instanceof NotSettings)) throw error;
    throw new Refusal(
      "request.invalid",
      `${file} can't be changed: ${error.message}. It was left alone`,
      `fix it, then: oj init ${setup.name}`,
    );
  }
}

function textIn(file: string, retry: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new Refusal("request.invalid", `${file} can't be read: ${message}`, `${retry} --print`);
  }
}

/** All or nothing: a new file replaces the old one. A symlink stays one. */
function write(file: string, text: string | null, retry: string, folders: Folders): void {
  try {
    const target = targetOf(file);
    if (text === null) return isLink(file) ? fs.rmSync(target) : removeFile(file, folders);
    refuseOtherText(target);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    const mode = fs.existsSync(target) ? fs.statSync(target).mode & 0o777 : 0o644;
    const draft = `${target}.oj-${process.pid}`;
    const fd = fs.openSync(draft, "wx", mode);
    try {
      fs.writeFileSync(fd, text);
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(draft, target);
  } catch (error) {
    throw new Refusal(
      "request.invalid",
      `${file} can't be written: ${(error as Error).message}`,
      `${retry} --print`,
    );
  }
}

/** Where the file is, or would be: a symlink may lead to a file that is not there yet. */
function targetOf(file: string): string {
  if (fs.existsSync(file)) return fs.realpathSync(file);
  return isLink(file) ? targetOf(path.resolve(path.dirname(file), fs.readlinkSync(file))) : file;
}

function isLink(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Bytes that are no UTF-8 would not survive being read as text and written again. */
function refuseOtherText(file: string): void {
  const bytes = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.of();
  if (!Buffer.from(bytes.toString()).equals(bytes))
    throw new Error("it is not UTF-8 text, so it was left alone");
}

/** It was all ours; so was its folder, and the client's folder around that, if nothing else is in it. */
function removeFile(file: string, { root, home, cwd }: Folders): void {
  fs.rmSync(file);
  let folder = path.dirname(file);
  for (let n = 0; n < 2; n++, folder = path.dirname(folder)) {
    const isTheirs = [root, home, cwd].some((it) => isWithin(it, folder));
    if (isTheirs || fs.readdirSync(folder).length > 0) return;
    fs.rmdirSync(folder);
  }
}

type Folders = Pick<Context["config"], "root" | "home" | "cwd">;

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}${path.sep}`);
}
