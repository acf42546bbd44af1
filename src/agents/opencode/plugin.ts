/**
 * The plugin that `oj init opencode` writes: a program of one file, for opencode's own runtime. It passes on what the
 * sessions do, and gives opencode the answers. Pure.
 */
import { sha256 } from "../../core/text/hash.ts";
import { SECONDS, stopQuery } from "../session-hook-line.ts";
import type { WantedHooks } from "../setup.ts";
import { SOURCE } from "./plugin-source.ts";
import { opencodeSession } from "./session.ts";
import { MARK } from "./setup.ts";

/** A person may take days. opencode waits as long for them, and its terminal stays free. */
const HOLD_SECONDS = 7 * 86_400;

export function pluginText(wanted: WantedHooks): string {
  const stop = stopQuery({ ...wanted, wait_s: wanted.wait_s ?? HOLD_SECONDS });
  const source = [
    "// Written by oj init opencode. oj init opencode --remove deletes it, unless somebody has changed it.",
    SOURCE.replace("__OF__", JSON.stringify(opencodeSession.name))
      .replace("__STOP__", JSON.stringify(stop))
      .replace("__SECONDS__", String(SECONDS))
      .replace("__HOLD_SECONDS__", String(HOLD_SECONDS)),
  ].join("\n");
  return `${MARK} ${sha256(source)}\n${source}`;
}

/** Whether the text is as some version of oj wrote it. */
export function isUnchanged(text: string): boolean {
  const end = text.indexOf("\n");
  return text.slice(0, end) === `${MARK} ${sha256(text.slice(end + 1))}`;
}
