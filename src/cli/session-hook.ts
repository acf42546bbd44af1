/** `oj __hook`: what `oj init claude` has hooks call where there is no curl. All that a hook is for, by its own name. */
import { command } from "./command.ts";
import { turn } from "./decision/turn.ts";

export const it = command({
  name: "__hook",
  summary: "A hook of a session that oj did not start",
  args: "",
  flags: {
    soft: { type: "boolean", help: "turns may end without a decision" },
    wait: { type: "string", value: "SECONDS", help: "a turn that ends with a question open waits so long" },
    client: { type: "string", value: "PID", help: "the process of the session's client" },
    within: { type: "string", value: "SECONDS", help: "so long the daemon may take; 2 when not given" },
  },
  lenient: true,
  examples: [{ run: "oj __hook", does: "with a hook's JSON on stdin; prints its reply" }],
  run: (context, _, { soft, wait, within, client }) => {
    const query = {
      ...(soft ? { soft } : {}),
      ...(wait ? { wait_s: Number(wait) } : {}),
      ...(client ? { client } : {}),
    };
    return turn(context, query, within ? Number(within) * 1000 : undefined);
  },
});
