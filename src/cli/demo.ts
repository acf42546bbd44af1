/** `oj demo`: a tour that needs no account, no key and no set-up, in the real inbox or with the real commands. */
import path from "node:path";
import { isatty } from "node:tty";
import { defineCommand } from "./base/command.ts";
import { EXIT } from "./base/fail.ts";
import { agentTour } from "./demo/agent-tour.ts";
import { inboxTour } from "./demo/inbox-tour.ts";
import { shellTour } from "./demo/shell-tour.ts";
import { setStage, tmuxProblem } from "./demo/stage.ts";
import { Interrupted, tell } from "./demo/talk.ts";

export const command = defineCommand({
  name: "demo",
  local: true,
  summary: "Take a tour: agents work, ask, get answers and carry on",
  args: "",
  flags: { yes: { type: "boolean", short: "y", help: "let the tour answer by itself, even at a terminal" } },
  examples: [
    {
      run: "oj demo",
      does: "opens the inbox on four agents; without a terminal it answers by itself",
    },
    { run: "oj demo --yes", does: "the whole tour in a few seconds" },
  ],

  async run(given, _, { yes = false }) {
    // With -o json the tour is talk, and only its result is data.
    const from = given.json ? { ...given, json: false, out: { ...given.out, print: given.out.say } } : given;
    const asks = !yes && !given.json && given.out.isTerminal && isatty(0);
    const trouble = tmuxProblem(given.config.env);
    const stage = setStage(from, trouble === null ? "agents" : "shell");
    const { context } = stage;
    try {
      tell(
        context,
        `A tour of oj, with its own daemon and project in ${path.dirname(context.config.root)}. Everything is removed at the end.`,
      );
      if (trouble !== null)
        tell(context, `${trouble} So this tour shows a job that asks a question, without agents.`);
      const tour =
        trouble !== null ? shellTour(context, asks) : asks ? inboxTour(context) : agentTour(context);
      const jobs = await tour;
      if (given.json) given.out.json({ jobs });
      return jobs.some((it) => it.status === "failed") ? EXIT.refused : EXIT.done;
    } catch (error) {
      if (error instanceof Interrupted) return EXIT.interrupted;
      throw error;
    } finally {
      await stage.close();
    }
  },
});
