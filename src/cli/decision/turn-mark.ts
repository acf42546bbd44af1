/** `oj decision turn-mark`: a command ran; if it asked for a decision, one was offered (a hook on commands that ran). */
import { defineCommand } from "../base/command.ts";
import { reportTurn } from "../base/turn.ts";

export const command = defineCommand({
  name: "decision turn-mark",
  local: true,
  summary: "Hook: note that this turn offered a decision",
  args: "",
  flags: {},
  lenient: true,
  examples: [
    {
      run: "oj decision turn-mark",
      does: "reads a hook's JSON from stdin; only a request that succeeded counts",
    },
  ],
  run: (context) => reportTurn(context, { part: "turn-mark" }),
});
