/** `oj agent peek`, and what `oj job peek` and `oj crew peek` share with it: what is on an agent's screen now. */

import { safe } from "../../text/safe.ts";
import type { Command, Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { write } from "../base/output.ts";

interface Peek {
  of: "agent" | "job" | "crew";
  summary: string;
  example: Command["examples"][number];
  /** The agent that the given id leads to. */
  agentOf(context: Context, id: string): string | Promise<string>;
}

export const command = peekCommand({
  of: "agent",
  summary: "Show an agent's screen",
  example: { run: "oj agent peek agt-7k3m", does: "its screen as text" },
  agentOf: (_, id) => id,
});

export function peekCommand({ of, summary, example, agentOf }: Peek) {
  return defineCommand({
    name: `${of} peek`,
    summary,
    args: "ID",
    flags: { ansi: { type: "boolean", help: "keep the colours; only for a screen you trust" } },
    completes: of,
    examples: [example],
    run: async (context, [id = ""], { ansi }) => peek(context, await agentOf(context, id), ansi ?? false),
  });
}

async function peek({ client, json, out }: Context, id: string, ansi: boolean): Promise<void> {
  let text = "";
  for await (const part of client.agentScreen(id, ansi ? { ansi } : {})) text += part;
  if (json) return out.json({ id, screen: text });
  if (ansi) write(1, text);
  else out.print(safe(text.trimEnd()));
}
