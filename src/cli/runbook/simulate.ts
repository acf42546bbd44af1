/** `oj runbook simulate`: plays a job in virtual time. Nothing is run, nobody is asked. */
import { formatDuration } from "../../core/text/duration.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { namedOf } from "../base/named-args.ts";
import { placeOf } from "./place.ts";
import { storyLines } from "./story.ts";

export const command = defineCommand({
  name: "runbook simulate",
  summary: "Play a job in virtual time, without running anything",
  args: "COMMAND [args…]",
  flags: {
    arg: { type: "string", short: "a", multiple: true, value: "K=V", help: "an argument by name" },
    script: {
      type: "string",
      value: "FILE",
      help: "how agents and scripts behave and what is answered: the body of a test",
    },
    seed: { type: "string", value: "N", help: "draw what the script doesn't say, the same for the same N" },
  },
  completes: "command",
  passesFlags: true,
  examples: [
    {
      run: "oj runbook simulate fix 'the cart'",
      does: "everything goes well, what is recommended is chosen",
    },
    { run: "oj runbook simulate fix 'the cart' --seed 7", does: "things go wrong now and then" },
    { run: "oj runbook simulate fix 'the cart' --script worst.hcl", does: "as that file says" },
  ],

  async run({ config, json, out }, [name, ...argv], { arg, script, seed }) {
    if (name === undefined) throw usage("which command?", "oj runbook simulate COMMAND");
    if (seed !== undefined && !/^\d{1,9}$/.test(seed))
      throw usage(`--seed takes a number, not "${seed}"`, "oj runbook simulate COMMAND --seed 7");
    const { simulate } = await import("../../trial/main.ts");
    const input = { command: name, argv, named: namedOf(arg ?? []), script: script ?? null };
    const result = await simulate(placeOf(config), {
      ...input,
      seed: seed === undefined ? null : Number(seed),
    });
    const isWell = result.problem === null && result.status === "completed";
    if (json) {
      out.json(result);
      return isWell ? 0 : 1;
    }
    for (const line of storyLines(result.timeline, out, true)) out.print(line);
    const { style } = out;
    if (result.problem) out.print(`\n  ${style.red("✗")} ${safeLine(result.problem)}`);
    const mark = isWell ? style.green("✓") : style.red("✗");
    out.print(`\n${mark} ${result.status} after ${formatDuration(result.took_ms)} of virtual time`);
    return isWell ? 0 : 1;
  },
});
