/** `oj runbook check`: every problem of the runbooks at once, without running anything. */
import path from "node:path";
import { count } from "../../inbox/card/words.ts";
import { defineCommand } from "../base/command.ts";
import { renderProblem } from "./problem.ts";

export const command = defineCommand({
  name: "runbook check",
  summary: "Check runbooks without running them",
  args: "[FILE…]",
  flags: {},
  examples: [
    {
      run: "oj runbook check",
      does: "every file in .oj/runbooks, each problem with its place and a suggestion",
    },
    { run: "oj runbook check .oj/runbooks/feature.hcl", does: "one file" },
    { run: "oj runbook check -o json", does: "files and problems, for an editor" },
  ],

  async run({ client, config, json, out }, given) {
    const files = given.map((file) => path.resolve(config.cwd, file));
    const result = await client.checkRunbooks({ cwd: config.cwd, files });
    const failed = result.problems.length > 0;
    if (json) {
      out.json(result);
      return failed ? 1 : 0;
    }
    const { style, width } = out;
    for (const problem of result.problems) out.print(`${renderProblem(problem, style, width)}\n`);
    for (const warning of result.warnings ?? []) out.print(`${renderProblem(warning, style, width, true)}\n`);
    if (failed) {
      const bad = new Set(result.problems.map((it) => it.path)).size;
      out.print(
        `${count(result.problems.length, "problem")} in ${bad} of ${count(result.files.length, "file")}`,
      );
      return 1;
    }
    if (result.files.length === 0) {
      out.print("there are no runbooks in .oj/runbooks");
      out.say(`  ${style.cyan("→")} oj init`);
      return 0;
    }
    const { commands } = await client.commands({ cwd: config.cwd });
    const offers = given.length > 0 ? "" : `, ${count(commands.length, "command")}`;
    out.print(`${style.green("✓")} ${count(result.files.length, "file")}${offers}, no problems`);
    return 0;
  },
});
