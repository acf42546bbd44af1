/** `oj policy check`: every problem of the policies, without letting them count. */
import { count } from "../../inbox/card/words.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { renderProblem } from "../runbook/problem.ts";

export const command = defineCommand({
  name: "policy check",
  summary: "Check the policies here, without accepting them",
  args: "",
  flags: {},
  examples: [{ run: "oj policy check", does: "each problem with its place and a suggestion" }],

  async run({ client, config, json, out }, given) {
    if (given.length > 0) throw usage("oj policy check takes no arguments", "oj policy list");
    const { cwd, project } = config;
    const { files, policies } = await client.policies({ cwd, project });
    const problems = files.flatMap((it) => it.problems);
    if (json) out.json({ files: files.map(({ file, state }) => ({ file, state })), problems });
    else {
      for (const problem of problems) out.print(`${renderProblem(problem, out.style, out.width)}\n`);
      out.print(
        problems.length > 0
          ? count(problems.length, "problem")
          : `${out.style.green("✓")} ${policies.length} ${policies.length === 1 ? "policy" : "policies"}, no problems`,
      );
    }
    return problems.length > 0 ? 1 : 0;
  },
});
