/** `oj decision turn-clear`: a person's prompt begins a new turn (a hook on prompts). */
import { defineCommand } from "../base/command.ts";
import { reportTurn } from "../base/turn.ts";

export const command = defineCommand({
  name: "decision turn-clear",
  local: true,
  summary: "Hook: a new turn begins",
  args: "",
  flags: {},
  lenient: true,
  examples: [
    {
      run: "oj decision turn-clear",
      does: "reads a hook's JSON from stdin; oj init claude sets up the hooks",
    },
  ],
  run: (context) => reportTurn(context, { part: "turn-clear" }),
});
