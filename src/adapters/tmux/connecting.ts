/**
 * While a connection in control mode is being made, 3.3a crashes, and all agents with it, when a session turns to another window.
 * The server knows from a mark that one is coming; whatever would turn a session then is put off until the connection is there.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isAgentId } from "./panes.ts";
import { COMING, HUB, OVER, TELLS_WITHIN_MS } from "./server.ts";
import type { Command } from "./text.ts";

/** A connection of the ordinary kind sets the mark: those are told nothing. Without a server there is nothing to mark. */
export async function announce({ socket, env }: { socket: string; env: Readonly<Record<string, string>> }) {
  const mark = ["-S", socket, "set-option", "-g", COMING, "1"];
  const how = { env, cwd: "/", timeout: TELLS_WITHIN_MS, killSignal: "SIGKILL" } as const;
  await promisify(execFile)("tmux", mark, how).catch(() => undefined);
}

/** Takes the mark away, and turns the sessions whose programs ended meanwhile to the hub's window. */
export async function arrived(run: (...commands: Command[]) => Promise<string[][]>): Promise<void> {
  const list = ["list-panes", "-a", "-F", "#{session_name}|#{window_name}|#{session_windows}"];
  const [, lines = []] = await run(["set-option", "-gu", COMING], list);
  for (const line of lines) {
    const [session = "", window, windows] = line.split("|");
    if (!isAgentId(session) || window !== OVER || windows !== "1") continue;
    await run(["link-window", "-s", `=${HUB}:`, "-t", `=${session}:`]).catch(() => undefined); // somebody closed it
  }
}
