/** `oj daemon start`: starts the daemon and returns when it is ready, or stays in the foreground until it ends. */
import type { DaemonStatus } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { safe } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { connectionOf, probe } from "./process.ts";

export const command = defineCommand({
  name: "daemon start",
  local: true,
  summary: "Start the daemon (other commands do so when needed)",
  args: "",
  flags: {
    foreground: { type: "boolean", help: "stay in the foreground and show its log; Ctrl-C stops it" },
    repair: { type: "boolean", help: "set damaged parts of the store aside and start with the rest" },
  },
  examples: [
    { run: "oj daemon start", does: "says so if it is already running" },
    { run: "oj daemon start --foreground", does: "for a service manager, or to watch it" },
    { run: "oj daemon start --repair", does: "when it refuses to start because its store is damaged" },
  ],

  async run(context, _, { foreground, repair }) {
    const { json, out } = context;
    const running = await probe(context);
    if (running && repair)
      throw new Refusal(
        "daemon.already-running",
        `the daemon is running (pid ${running.pid}); stop it before you repair its store`,
        "oj daemon stop",
      );
    if (running) return tell("is already running", running);
    const flags = repair ? ["--repair"] : [];
    if (foreground) {
      const { runInForeground } = await import("./foreground.ts");
      return runInForeground(context, flags);
    }
    const { spawnDaemon } = await import("../../client/spawn-daemon.ts");
    await spawnDaemon(connectionOf(context), flags);
    const started = await probe(context);
    if (!started) throw new Refusal("daemon.failed", "the daemon started, then exited", "oj daemon logs");
    return tell("is running", started);

    function tell(what: string, status: DaemonStatus): void {
      if (json) return out.json(status);
      out.print(`${out.style.green("✓")} the daemon ${what} (pid ${status.pid})`);
      for (const warning of status.warnings) out.say(`${out.style.yellow("!")} ${safe(warning)}`);
    }
  },
});
