/** `oj decision turn-check`: may the turn end? (a Stop hook). The reply on stdout is what the client obeys. */
import { command } from "../base/command.ts";
import { turn } from "./turn.ts";

export const it = command({
  name: "decision turn-check",
  summary: "Hook: may the turn end without a decision?",
  args: "",
  flags: {
    soft: { type: "boolean", help: "only warn about a turn without one, and let it end" },
  },
  lenient: true,
  examples: [
    {
      run: "oj decision turn-check",
      does: 'prints {"decision":"block",…} at most three times in a row, else {}; always exit code 0',
    },
  ],
  run: (context, _, { soft }) => turn(context, { part: "turn-check", ...(soft ? { soft } : {}) }),
});
