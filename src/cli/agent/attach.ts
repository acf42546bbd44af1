/** `oj agent attach` and `oj job attach`: your terminal becomes the agent's, until you detach. */
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

export const command = defineCommand({
  name: "agent attach",
  summary: "Attach to an agent's terminal",
  args: "ID",
  flags: {},
  completes: "agent",
  examples: [{ run: "oj agent attach agt-7k3m", does: "Ctrl-b d detaches; the agent keeps running" }],
  run: (context, [id = ""]) => attach(context, id),
});

export async function attach({ client, config, out }: Context, id: string): Promise<number> {
  const { argv } = await client.attachAgent(id);
  if (!out.isTerminal) throw usage("attaching needs a terminal", argv.join(" "));
  const [program = "tmux", ...args] = argv;
  const { spawn } = await import("node:child_process");
  return new Promise((resolve, reject) => {
    const { TMUX: _, ...env } = config.env; // a person may well call this from inside their own tmux
    spawn(program, args, { stdio: "inherit", env })
      .once("error", reject)
      .once("exit", (code) => resolve(code ?? 1));
  });
}
