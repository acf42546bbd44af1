/** `oj agent peek` and `oj job peek`: what is on an agent's screen now. */
import type { Context } from "../command.ts";
import { command } from "../command.ts";
import { write } from "../output.ts";
import { safe } from "../safe.ts";

const flags = { ansi: { type: "boolean", help: "with its colours; only for a screen you trust" } } as const;

export const it = command({
  name: "agent peek",
  summary: "Show what is on an agent's screen",
  args: "ID",
  flags,
  completes: "agent",
  examples: [{ run: "oj agent peek agt-7k3m", does: "its screen as text" }],
  run: (context, [id = ""], { ansi }) => peek(context, id, ansi ?? false),
});

export async function peek({ client, json, out }: Context, id: string, ansi: boolean): Promise<void> {
  let text = "";
  for await (const part of client.agentScreen(id, ansi ? { ansi } : {})) text += part;
  if (json) return out.json({ id, screen: text });
  if (ansi) write(1, text);
  else out.print(safe(text.trimEnd()));
}
