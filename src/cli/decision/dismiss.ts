/** `oj decision dismiss`: not now. Nothing is done, and whoever asked is told. */
import { chosenIds, severalFlags } from "../answer/chosen.ts";
import { tellResults } from "../answer/results.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "decision dismiss",
  summary: "Put decisions aside: nothing is done",
  args: "[ID…]",
  flags: {
    message: { type: "string", short: "m", value: "TEXT", help: "why; whoever asked sees it" },
    ...severalFlags,
  },
  completes: "decision",
  examples: [
    {
      run: "oj decision dismiss 7k3",
      does: "the decision leaves the inbox; its job or agent stays as it is, and `await` ends with 4",
    },
    { run: 'oj decision dismiss 7k3 p4q -m "not this week"', does: "two of them, with a reason" },
    { run: "oj decision dismiss --all --project shop", does: "all that wait in a project, after a question" },
  ],
  async run(context, given, { message = null, ...flags }) {
    const ids = await chosenIds(context, given, flags, {
      verb: "dismiss",
      title: "Dismiss",
      noun: "decision",
      includes: () => true,
    });
    if (ids === null) return undefined;
    const answer = { choices: [], option: "dismiss", text: null, message };
    return tellResults(context, await context.client.resolveDecisions([...ids], answer));
  },
});
