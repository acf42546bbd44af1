/** `oj decision turn-check`: may the turn end? (a Stop hook). The reply on stdout is what the client obeys. */
import { defineCommand } from "../base/command.ts";
import { reportTurn } from "../base/turn.ts";

export const command = defineCommand({
  name: "decision turn-check",
  local: true,
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
  run: (context, _, { soft }) => reportTurn(context, { part: "turn-check", ...(soft ? { soft } : {}) }),
});
