/** `oj crew peek`: the screen of a crew's agent. */
import { peek } from "../agent/peek.ts";
import { command } from "../command.ts";
import { crewId } from "./id.ts";

export const it = command({
  name: "crew peek",
  summary: "Show the screen of a crew's agent",
  args: "ID",
  flags: { ansi: { type: "boolean", help: "with its colours; only for a screen you trust" } },
  completes: "crew",
  examples: [{ run: "oj crew peek crew-7k3m", does: "its agent's screen as text" }],
  run: (context, [id = ""], { ansi }) => peek(context, crewId(id), ansi ?? false),
});
