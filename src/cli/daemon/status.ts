/** `oj daemon status`: whether the daemon runs. It is the only query that doesn't start it. */
import type { DaemonStatus } from "../../api/api.ts";
import { describeAge } from "../../core/text/words.ts";
import { count } from "../../inbox/card/words.ts";
import { hang, pad } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { version } from "../../version.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { probe } from "./process.ts";

export const command = defineCommand({
  name: "daemon status",
  local: true,
  lenient: true,
  summary: "Show whether the daemon is running, without starting it",
  args: "",
  flags: {},
  examples: [
    {
      run: "oj daemon status",
      does: "exit 0 whether it is running or not; 3 if it is running but does not respond",
    },
    { run: "oj daemon status -o json | jq .running", does: "true or false" },
  ],

  async run(context) {
    const { json, out } = context;
    const status = await probe(context);
    if (json) return out.json(status ?? absent(context));
    if (!status) {
      out.print("the daemon isn't running");
      return out.say(`  ${out.style.cyan("→")} oj daemon start (most other commands start it too)`);
    }
    for (const line of statusLines(status, context)) out.print(line);
  },
});

/** The fields of a status, for a daemon that isn't there. */
function absent({ config }: Context): Record<keyof DaemonStatus, unknown> {
  const nothing = {
    pid: null,
    version: null,
    uptime_ms: 0,
    port: null,
    seq: 0,
    pending: 0,
    running_jobs: 0,
    live_agents: 0,
    memory_bytes: 0,
    quiet: config.settings.notices.quiet,
  };
  return { running: false, socket: config.socket, ...nothing, warnings: [] };
}

function statusLines(status: DaemonStatus, { out }: Context): string[] {
  const { style, width } = out;
  const other = status.version === version ? "" : `; this is oj ${version}: oj daemon restart`;
  const rows: [string, string][] = [
    ["pid", String(status.pid)],
    ["version", `${safeLine(status.version)}${other}`],
    ["started", describeAge(status.uptime_ms)],
    ["socket", safeLine(status.socket)],
    ...(status.port === null ? [] : [["port", String(status.port)] as [string, string]]),
    ["events", String(status.seq)],
    ["pending", count(status.pending, "decision")],
    ["running", count(status.running_jobs, "job")],
    ["memory", `${Math.round(status.memory_bytes / 1e6)} MB`],
  ];
  return [
    `${style.green("✓")} the daemon is running`,
    ...rows.map(([name, text]) => `  ${style.dim(pad(name, 8))} ${text}`),
    ...status.warnings.flatMap((it) => hang(`${style.yellow("!")} `, safe(it), width)),
  ];
}
