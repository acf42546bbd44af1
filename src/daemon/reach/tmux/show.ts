/** Shows a line to everybody who is attached to a person's own tmux. Never in the tmux server that agents live in. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const WITHIN_MS = 5000;
/** The option by which we know the server of our agents: see `adapters/tmux/server.ts`. */
const OURS = "@oj_now";

export interface PersonalTmux {
  /** Who is attached; rejects with a sentence if that can't be found out. */
  clients(): Promise<string[]>;
  show(client: string, line: string, forMs: number): Promise<void>;
}

/** `socket`: null for the server that `tmux` uses by itself. */
export function personalTmux(socket: string | null): PersonalTmux {
  // a daemon that was started from a terminal of an agent has that agent's server in its environment
  const clean = ["-u", "TMUX", "-u", "TMUX_PANE", "tmux", ...(socket === null ? [] : ["-S", socket])];
  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)("env", [...clean, ...args], {
      timeout: WITHIN_MS,
      cwd: "/",
    });
    return stdout;
  };
  return {
    async clients() {
      const found = await run("list-clients", "-F", "#{client_name}").catch((error) => {
        throw new Error(wordsFor(error));
      });
      if ((await run("show-options", "-sqv", OURS)).trim() !== "")
        throw new Error("this tmux server is the one that agents live in, not a person's");
      return found.split("\n").filter((it) => it !== "");
    },
    async show(client, line, forMs) {
      await run("display-message", "-c", client, "-d", String(forMs), line);
    },
  };
}

function wordsFor({ stderr = "", message }: Error & { stderr?: string }): string {
  if (/no server running|error connecting/.test(stderr)) return "tmux is not running";
  if (/No such file/.test(stderr)) return "tmux is not installed";
  return `tmux can't be asked: ${(stderr.trim() || message).slice(0, 200)}`;
}
