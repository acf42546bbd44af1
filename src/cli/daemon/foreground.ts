/** The daemon in the foreground: its log on the screen, and we end when it ends. */
import { spawn } from "node:child_process";
import path from "node:path";
import type { Readiness } from "../../client/spawn-daemon.ts";
import { Refusal } from "../../core/model/errors.ts";
import { safeJson } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { followLines } from "./log-file.ts";
import { logLine } from "./log-line.ts";
import { connectionOf } from "./process.ts";

export async function runInForeground(context: Context, flags: readonly string[]): Promise<number> {
  const { config, out, json } = context;
  const { daemonFile } = connectionOf(context);
  const child = spawn(process.execPath, [daemonFile, ...flags], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    cwd: "/",
    env: { ...config.env, OJ_STATE_DIR: config.stateDir },
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  let line = "";
  child.stdio[3]?.on("data", (part) => {
    line += part;
  });
  // Ctrl-C reaches it directly, as it is in our process group; a signal sent to us alone is passed on.
  const handOn = () => child.kill("SIGTERM");
  process.on("SIGTERM", handOn).on("SIGHUP", handOn);
  const over = new AbortController();
  void ended.finally(() => over.abort()).catch(() => {});
  const show = (text: string) => out.print(json ? safeJson(text) : logLine(text, out.style));
  await Promise.all([ended, followLines(path.join(config.stateDir, "daemon.log"), 0, over.signal, show)]);
  const readiness = line === "" ? null : (JSON.parse(line) as Readiness);
  if (readiness && !readiness.ready) throw new Refusal(readiness.code, readiness.message, readiness.hint);
  return ended;
}
