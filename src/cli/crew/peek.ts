/** `oj crew peek`: the screen of a crew's agent. */
import { peekCommand } from "../agent/peek.ts";
import { crewId } from "../owner/id.ts";

export const command = peekCommand({
  of: "crew",
  summary: "Show the screen of a crew's agent",
  example: { run: "oj crew peek crew-7k3m", does: "its agent's screen as text" },
  agentOf: (_, id) => crewId(id),
});
