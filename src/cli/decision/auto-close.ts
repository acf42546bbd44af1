/** `oj decision auto-close`: expires requests that nobody has answered for too long. */
import { formatDuration, parseDuration } from "../../core/text/duration.ts";
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

const A_DAY = "24h";

export const command = defineCommand({
  name: "decision auto-close",
  summary: "Expire requests that nobody has answered in time",
  args: "",
  flags: {
    threshold: { type: "string", value: "D", help: `pending for longer than this (default ${A_DAY})` },
    "dry-run": { type: "boolean", help: "only list them" },
  },
  examples: [
    {
      run: "oj decision auto-close --threshold 2d --dry-run",
      does: "lists this project's requests that are older than two days",
    },
    {
      run: "oj decision auto-close --threshold 2d",
      does: "expires them; whoever awaits one gets exit code 4",
    },
  ],
  async run({ client, config, out, json }, _, flags) {
    const text = flags.threshold ?? A_DAY;
    const threshold_ms = parseDuration(text);
    if (threshold_ms === null) throw usage(`"${text}" is not a duration`, "write it as 30s, 5m or 1h30m");
    const dry_run = flags["dry-run"] ?? false;
    const result = await client.autoClose({ project: config.project, threshold_ms, dry_run });
    if (json) return out.json(result);
    const { expired } = result;
    const age = `pending for more than ${formatDuration(threshold_ms)}`;
    if (expired.length === 0) return out.print(`no request in ${safeLine(config.project)} has been ${age}`);
    out.print(`${count(expired.length, "request")} ${dry_run ? "would expire" : "expired"}: ${age}`);
    for (const { id, owner, title } of expired)
      out.print(`  ${id}  ${safeLine(owner.name)}  ${safeLine(title)}`);
  },
});
