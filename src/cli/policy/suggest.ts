/** `oj policy suggest`: policies that your own answers suggest. Nothing is written. */
import { count } from "../../inbox/card/words.ts";
import { safe } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "policy suggest",
  summary: "See policies that your answers suggest",
  args: "",
  flags: {},
  examples: [
    { run: "oj policy suggest", does: "what you approve again and again, as policies" },
    { run: "oj policy suggest -o json", does: "the same with the decisions that each rests on" },
  ],

  async run({ client, config, json, out }, given) {
    if (given.length > 0) throw usage("oj policy suggest takes no arguments", "oj policy try FILE");
    const { cwd, project } = config;
    const suggestions = await client.suggestPolicies({ cwd, project });
    if (json) return out.json(suggestions);
    if (suggestions.length === 0) out.print("your answers suggest no policy yet");
    for (const { text, answers, days, jobs, decisions } of suggestions) {
      out.print(
        `# approved ${count(answers, "time")} on ${count(days, "day")} in ${count(jobs, "job")}, never denied`,
      );
      out.print(`# ${decisions.slice(-5).join(" ")}${decisions.length > 5 ? " …" : ""}`);
      out.print(safe(text));
    }
    if (suggestions.length > 0) {
      out.say(`  ${out.style.cyan("→")} oj policy try --suggested`);
      out.say("  to use one, put it into a runbook, then: oj policy accept");
    }
  },
});
