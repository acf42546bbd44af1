/** `oj __hook`: what the hooks of `oj init CLIENT` call if there is no curl. Everything a hook is for, under its own name. */
import { defineCommand } from "./base/command.ts";
import { reportTurn } from "./base/turn.ts";

export const command = defineCommand({
  name: "__hook",
  local: true,
  summary: "Hook of a session that oj did not start",
  args: "",
  flags: {
    of: { type: "string", value: "CLIENT", help: "the client that reports" },
    stops: { type: "boolean", help: "a stop is put into the inbox" },
    hold: { type: "boolean", help: "turns may end once a decision was offered" },
    soft: { type: "boolean", help: "turns may end without a decision" },
    wait: { type: "string", value: "SECONDS", help: "how long a turn that ends with an open question waits" },
    client: { type: "string", value: "PID", help: "the process of the session's client" },
    within: { type: "string", value: "SECONDS", help: "how many seconds the daemon may take (default 2)" },
  },
  lenient: true,
  examples: [{ run: "oj __hook", does: "reads a hook's JSON from stdin and prints the reply" }],
  run: (context, _, { of, stops, hold, soft, wait, within, client }) => {
    const query = {
      ...(of ? { of } : {}),
      ...(stops ? { stops } : {}),
      ...(hold ? { hold } : {}),
      ...(soft ? { soft } : {}),
      ...(wait ? { wait_s: Number(wait) } : {}),
      ...(client ? { client } : {}),
    };
    return reportTurn(context, query, within ? Number(within) * 1000 : undefined);
  },
});
