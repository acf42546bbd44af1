/** `oj daemon stop`: asks the daemon to end, and with `--kill` doesn't take no for an answer. */
import type { DaemonStatus } from "../../api/api.ts";
import { untilGone } from "../../client/process.ts";
import { Refusal } from "../../core/model/errors.ts";
import { count } from "../../inbox/card/words.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { directClient } from "../base/patience.ts";
import { livingPid, probe } from "./process.ts";

/** A stop first ends what is running: its processes get `kill_after_s` to go. */
const STOPS_WITHIN_MS = 30_000;
const KILLED_WITHIN_MS = 5000;

export const command = defineCommand({
  name: "daemon stop",
  local: true,
  lenient: true,
  summary: "Stop the daemon; shell steps end, agents keep running",
  args: "",
  flags: { kill: { type: "boolean", help: "kill it if it does not respond or stop on its own" } },
  examples: [
    {
      run: "oj daemon stop",
      does: "nothing is lost: decisions and jobs are still there when it starts again",
    },
    { run: "oj daemon stop --kill", does: "if it hangs" },
  ],

  async run(context, _, { kill = false }) {
    const { json, out } = context;
    const pid = await stop(context, kill, (status) => warnOfAgents(context, status));
    if (json) return out.json({ stopped: pid !== null, pid });
    out.print(
      pid === null
        ? "the daemon isn't running"
        : `${out.style.green("✓")} the daemon (pid ${pid}) has stopped`,
    );
  },
});

/** Returns the pid of the daemon that is gone now, or null if there was none. */
export async function stop(
  context: Context,
  kill: boolean,
  warn: (status: DaemonStatus) => void = () => {},
): Promise<number | null> {
  const status = await probe(context, kill ? 2000 : undefined).catch((error) => {
    if (kill && error instanceof Refusal) return null;
    throw error;
  });
  const pid = status?.pid ?? livingPid(context.config);
  if (pid === null) return null;
  if (status) {
    warnOfWork(context, status);
    warn(status);
    await directClient(context, context.abort).stop({ kill });
  } else signal(pid, kill ? "SIGKILL" : "SIGTERM"); // its socket is gone, so it can't be asked
  if (await untilGone(pid, kill ? KILLED_WITHIN_MS : STOPS_WITHIN_MS)) return pid;
  if (!kill)
    throw new Refusal(
      "daemon.failed",
      `the daemon (pid ${pid}) did not stop within ${STOPS_WITHIN_MS / 1000} s`,
      "oj daemon stop --kill",
    );
  signal(pid, "SIGKILL");
  if (await untilGone(pid, KILLED_WITHIN_MS)) return pid;
  throw new Refusal("daemon.failed", `the daemon (pid ${pid}) can't be killed`, `check process ${pid}`);
}

function warnOfWork({ out }: Context, { running_jobs }: DaemonStatus): void {
  if (running_jobs > 0)
    out.say(
      `${out.style.yellow("!")} ${count(running_jobs, "job")} with a running step: the step ends, and its runbook says what the job does next`,
    );
}

/** An older daemon does not tell. */
function warnOfAgents({ out }: Context, { live_agents = 0 }: Partial<DaemonStatus>): void {
  if (live_agents === 0) return;
  const [live, them] =
    live_agents === 1
      ? ["1 agent keeps running; any oj command it runs", "it"]
      : [`${live_agents} agents keep running; any oj command they run`, "them"];
  out.say(`${out.style.yellow("!")} ${live} starts the daemon again`);
  out.say(`  ${out.style.cyan("→")} to stop ${them} first: oj job cancel ID, oj agent kill ID`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return;
    throw new Refusal("daemon.failed", `process ${pid} can't be stopped: ${(error as Error).message}`, null);
  }
}
