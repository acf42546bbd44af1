/** `oj daemon restart`: stop and start; whatever was pending still is. */

import { spawnDaemon } from "../../client/spawn-daemon.ts";
import { Refusal } from "../../core/model/errors.ts";
import { defineCommand } from "../base/command.ts";
import { connectionOf, probe } from "./process.ts";
import { stop } from "./stop.ts";

export const command = defineCommand({
  name: "daemon restart",
  local: true,
  summary: "Stop the daemon and start it again",
  args: "",
  flags: { kill: { type: "boolean", help: "kill it if it does not respond or stop on its own" } },
  examples: [{ run: "oj daemon restart", does: "after an update or a change to its settings" }],

  async run(context, _, { kill = false }) {
    const { json, out } = context;
    const before = await stop(context, kill);
    await spawnDaemon(connectionOf(context));
    const status = await probe(context);
    if (!status) throw new Refusal("daemon.failed", "the daemon started, then exited", "oj daemon logs");
    if (json) return out.json(status);
    out.print(
      `${out.style.green("✓")} the daemon ${before === null ? "is running" : "was restarted"} (pid ${status.pid})`,
    );
  },
});
