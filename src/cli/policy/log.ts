/** `oj policy log`: what policies have answered, the latest first. */
import { describeAge } from "../../core/text/words.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "policy log",
  summary: "See what policies have answered",
  args: "",
  flags: {},
  examples: [{ run: "oj policy log", does: "each answer, by which policy, and about what" }],

  async run({ client, config, json, out }, given) {
    if (given.length > 0) throw usage("oj policy log takes no arguments", "oj policy log");
    const log = await client.policyLog({ project: config.project });
    if (json)
      return out.json(
        log.map(({ decision, name, hash, text, at_ms }) => ({ decision, name, hash, text, at_ms })),
      );
    if (log.length === 0) out.print("no policy has answered anything yet");
    for (const it of log)
      out.print(
        `${it.decision}  ${it.outcome.padEnd(8)} ${safeLine(it.name)}  ${safeLine(it.title)}  ${out.style.dim(describeAge(Date.now() - it.at_ms))}`,
      );
  },
});
