/** `oj audit erase`: the texts of a decision go; who decided what, and when, stays proven. */
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { confirm, yesFlag } from "../base/confirm.ts";

export const command = defineCommand({
  name: "audit erase",
  summary: "Erase the texts of a decision for good (recorded)",
  args: "ID",
  completes: "decision",
  flags: {
    reason: { type: "string", value: "TEXT", help: "why; it is recorded, so don't repeat the text here" },
    ...yesFlag,
  },
  examples: [
    { run: "oj audit erase dec-4f2a --reason 'a password in it'", does: "it can't be taken back" },
    { run: "oj audit verify", does: "still proves everything else, and says what was erased by whom" },
  ],

  async run(context, [id = ""], { reason, yes = false }) {
    const { client, json, out } = context;
    const question = `Erase what was asked and answered in ${id}, for good?`;
    if (!(await confirm(context, { question, yes, hint: `oj audit erase ${id} --yes` }))) {
      out.say("nothing was erased");
      return 1;
    }
    const done = await client.eraseDecision(id, { reason: reason ?? null });
    if (json) out.json(done);
    else
      out.print(
        `${out.style.green("✓")} the texts of ${done.id} are erased, in ${count(done.events, "event")}`,
      );
    if (done.problem === null) return 0;
    out.say(`${out.style.yellow("!")} not yet in all files: ${safeLine(done.problem)}`);
    out.say("  → oj daemon restart tries again");
    return 1;
  },
});
