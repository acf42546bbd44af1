/** `oj decision turn-clear`: a person's prompt begins a new turn (a hook on prompts). */
import { command } from "../base/command.ts";
import { turn } from "./turn.ts";

export const it = command({
  name: "decision turn-clear",
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
  run: (context) => turn(context, { part: "turn-clear" }),
});
