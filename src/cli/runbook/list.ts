/** `oj runbook list`: what the project's runbooks offer, and what is wrong with them. */

import { table, tableWidth } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { renderProblem } from "./problem.ts";

export const command = defineCommand({
  name: "runbook list",
  summary: "List what the runbooks offer and any problems in them",
  args: "",
  flags: {},
  examples: [{ run: "oj runbook list", does: "each command with its file and line" }],

  async run({ client, config, json, out }) {
    const list = await client.commands({ cwd: config.cwd });
    if (json) return out.json(list);
    const { style, width } = out;
    const rows = list.commands.map((it) => [
      safeLine(it.name),
      `${safeLine(it.path)}:${it.line}`,
      safeLine(it.description ?? ""),
    ]);
    const paint = (cell: string, row: number, column: number) =>
      row === 0 || column === 1 ? style.dim(cell) : cell;
    if (rows.length > 0) {
      for (const line of table([["COMMAND", "FILE", "WHAT IT DOES"], ...rows], {
        width: tableWidth(out),
        paint,
      }))
        out.print(line);
    } else out.print("no runbook in this project has a command");
    for (const problem of list.problems) out.say(renderProblem(problem, style, width));
    if (rows.length === 0)
      out.say(`  ${style.cyan("→")} ${list.problems.length > 0 ? "oj runbook check" : "oj init"}`);
  },
});
