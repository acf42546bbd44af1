/** Shows a line to everybody who is attached to a person's own tmux. Never in the tmux server that agents live in. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ChannelError } from "../channel.ts";

const WITHIN_MS = 5000;
/** The option by which we know the server of our agents: see `adapters/tmux/server.ts`. */
const OURS = "@oj_now";
const FINAL = { isFinal: true };

export interface PersonalTmux {
  /** Who is attached. This and `show` reject with a `ChannelError`. */
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
      killSignal: "SIGKILL", // merely told to end, tmux exits with 0 and has said nothing
      cwd: "/",
    }).catch((error) => {
      throw troubleWith(error);
    });
    return stdout;
  };
  return {
    async clients() {
      const found = await run("list-clients", "-F", "#{client_name}");
      if ((await run("show-options", "-sqv", OURS)).trim() !== "")
        throw new ChannelError("this tmux server is the one that agents live in, not a person's", FINAL);
      return found.split("\n").filter((it) => it !== "");
    },
    async show(client, line, forMs) {
      await run("display-message", "-c", client, "-d", String(forMs), line);
    },
  };
}

/** A tmux that hangs may go on; one that answers says how things stand. */
function troubleWith({ stderr = "", killed, message }: Error & { stderr?: string; killed?: boolean }) {
  if (killed) return new ChannelError(`tmux did not answer within ${WITHIN_MS / 1000} s`);
  if (/no server running|error connecting/.test(stderr))
    return new ChannelError("tmux is not running", FINAL);
  if (/No such file/.test(stderr)) return new ChannelError("tmux is not installed", FINAL);
  return new ChannelError(`tmux can't be asked: ${(stderr.trim() || message).slice(0, 200)}`, FINAL);
}
