/** A person's terminal becomes an agent's, until they detach. */
import type { Context } from "./command.ts";
import { usage } from "./fail.ts";

export async function attach(
  { client, config, out }: Pick<Context, "client" | "config" | "out">,
  id: string,
): Promise<number> {
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
