/** `oj init claude`: hooks for sessions of Claude Code that oj does not start, in the project's settings or the user's. */
import fs from "node:fs";
import path from "node:path";
import { Refusal } from "../../core/errors.ts";
import type { Context } from "../command.ts";
import { safeLine } from "../safe.ts";
import type { Wanted } from "./claude-hooks.ts";
import { claudeHooks } from "./claude-hooks.ts";
import { NotSettings, withHooks, withoutHooks } from "./claude-settings.ts";
import { COSTS, sessionsOff } from "./switched-off.ts";

export interface Given extends Wanted {
  global: boolean;
  remove: boolean;
  /** Only show what the file would be. */
  print: boolean;
}

export async function initClaude({ config, out, json }: Context, given: Given): Promise<void> {
  const { env, home, root } = config;
  const file = given.global
    ? path.join(env.CLAUDE_CONFIG_DIR || path.join(home, ".claude"), "settings.json")
    : path.join(root, ".claude/settings.json");
  const before = textIn(file);
  const after = changed(file, before, given);
  if (given.print) return out.print((after ?? "").trimEnd());
  if (after !== before) write(file, after);
  const off = given.remove ? null : await sessionsOff(config);
  if (json)
    return out.json({
      file,
      changed: after !== before,
      hooks: Object.keys(given.remove ? {} : claudeHooks(given)),
      switched_off_by: off,
    });
  const { style } = out;
  const where = safeLine(file);
  const done = given.remove ? "took our hooks out of" : "put our hooks into";
  const none = given.remove ? "has no hooks of ours" : "has them already; it stays as it is";
  out.print(after === before ? `${style.dim("–")} ${where} ${none}` : `${style.green("✓")} ${done} ${where}`);
  if (off !== null) out.print(`${style.yellow("!")} they are switched off by ${safeLine(off)}: ${COSTS}`);
  else if (!given.remove && after !== before)
    out.say(`  ${style.cyan("→")} sessions that start from now on have them`);
}

function changed(file: string, before: string | null, given: Given): string | null {
  try {
    if (!given.remove) return withHooks(before, claudeHooks(given));
    return before === null ? null : withoutHooks(before);
  } catch (error) {
    if (!(error instanceof NotSettings)) throw error;
    throw new Refusal(
      "request.invalid",
      `${file} can't be changed: ${error.message}. It stays as it is`,
      "mend it, then: oj init claude",
    );
  }
}

function textIn(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new Refusal("request.invalid", `${file} can't be read: ${message}`, "oj init claude --print");
  }
}

/** All of it or nothing: a new file takes the place of the old one. A link stays one. */
function write(file: string, text: string | null): void {
  try {
    if (text === null) return removeFile(file);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const target = fs.existsSync(file) ? fs.realpathSync(file) : file;
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
      "oj init claude --print",
    );
  }
}

/** It was all ours; so was its folder, if nothing else is in it. */
function removeFile(file: string): void {
  fs.rmSync(file);
  if (fs.readdirSync(path.dirname(file)).length === 0) fs.rmdirSync(path.dirname(file));
}
