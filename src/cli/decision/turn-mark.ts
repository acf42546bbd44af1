/** `oj decision turn-mark`: a command ran; if it asked for a decision, one was offered (a hook on commands that ran). */
import { command } from "../command.ts";
import { turn } from "./turn.ts";

export const it = command({
  name: "decision turn-mark",
  summary: "A hook: a request in this turn counts as offered",
  args: "",
  flags: {},
  lenient: true,
  examples: [
    {
      run: "oj decision turn-mark",
      does: "with a hook's JSON on stdin; only a request that succeeded counts",
    },
  ],
  run: (context) => turn(context, { part: "turn-mark" }),
});
