/** `oj run`: starts what a runbook's command names, and can stay with it to its end. */
import type { RunBody } from "../api/api.ts";
import { wrap } from "../text/layout.ts";
import { safeLine } from "../text/safe.ts";
import type { Context } from "./base/command.ts";
import { defineCommand } from "./base/command.ts";
import { deadlineOf } from "./base/deadline.ts";
import { usage } from "./base/fail.ts";
import { namedOf } from "./base/named-args.ts";
import { renderProblem } from "./runbook/problem.ts";

export const command = defineCommand({
  name: "run",
  summary: "Start a runbook's command; without one, list the commands",
  args: "[COMMAND] [args…]",
  flags: {
    arg: { type: "string", short: "a", multiple: true, value: "K=V", help: "an argument by name" },
    wait: { type: "boolean", help: "stay until it ends: exit 0 completed, 1 failed, 4 cancelled" },
    attach: { type: "boolean", help: "stay and show its output" },
    timeout: {
      type: "string",
      value: "D",
      help: "with --wait or --attach: give up after 30s, 5m, 1h30m (exit 5)",
    },
  },
  completes: "command",
  passesFlags: true,
  examples: [
    { run: "oj run", does: "lists this project's commands, and runbooks that can't be read" },
    {
      run: 'oj run feature login "a login form" --base main',
      does: "flags that are not oj's own go to the command",
    },
    { run: "oj run release -a version=1.2.0 --wait", does: "stays until the job has ended" },
    {
      run: "oj run build -- -o out.txt",
      does: "everything after -- goes to the command, whatever it looks like",
    },
  ],

  async run(context, [name, ...argv], flags) {
    if (name === undefined) return listCommands(context);
    if (flags.attach && context.json)
      throw usage("--attach shows text, so it can't be used with -o json", `oj run ${name} --wait -o json`);
    const deadline = deadlineOf(flags.timeout);
    const { client, config, json, out } = context;
    const stays = flags.wait || flags.attach;
    const body: RunBody = {
      cwd: config.cwd,
      project: config.project,
      command: name,
      argv,
      named: namedOf(flags.arg ?? []),
      env: config.env,
    };
    const after = stays ? (await client.health()).seq : 0;
    const result = await client.run(body);
    const id = "job_id" in result ? result.job_id : result.crew_id;
    if (stays) {
      const { stay } = await import("./owner/stay.ts");
      return stay(context, { id, after, deadline, attach: flags.attach ?? false });
    }
    if (json) return out.json(result);
    out.print(id);
    const next = "job_id" in result ? `oj job logs ${id} -f` : `oj crew show ${id}`;
    out.say(`  ${out.style.cyan("→")} ${next}`);
  },
});

async function listCommands({ client, config, json, out }: Context): Promise<void> {
  const list = await client.commands({ cwd: config.cwd });
  if (json) return out.json(list);
  const { commands, problems } = list;
  const { style, width } = out;
  for (const { name, usage: words, description, path, line } of commands) {
    out.print(style.bold(`oj run ${safeLine(`${name} ${words}`)}`.trimEnd()));
    for (const text of wrap(safeLine(description ?? ""), width - 4)) if (text) out.print(`    ${text}`);
    out.print(style.dim(`    ${safeLine(path)}:${line}`));
  }
  for (const problem of problems) out.say(renderProblem(problem, style, width));
  if (problems.length > 0) return out.say(`  ${style.cyan("→")} oj runbook check`);
  if (commands.length > 0) return;
  out.print("no runbook in this project has a command");
  out.say(`  ${style.cyan("→")} oj init`);
}
