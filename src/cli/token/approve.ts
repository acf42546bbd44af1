/** `oj token approve`: lets a login in that was asked for with a code on another machine. */
import { formatDuration } from "../../core/text/duration.ts";
import { localTime } from "../../inbox/card/times.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { confirm, yesFlag } from "../base/confirm.ts";

export const command = defineCommand({
  name: "token approve",
  summary: "Approve a login by its code (oj login)",
  args: "CODE",
  flags: {
    for: { type: "string", value: "PERSON", help: "whom it stands for (default: you)" },
    ...yesFlag,
  },
  examples: [
    { run: "oj token approve WDJB-MJHT", does: "shows who asks, and what it could do; then asks you" },
    { run: "oj token approve WDJB-MJHT --for ana --yes", does: "for somebody else, if you administer" },
  ],

  async run(context, [code = ""], { for: person, yes = false }) {
    const { client, json, out } = context;
    const waiting = await client.device(code);
    const whom = safeLine(person ?? waiting.person);
    if (!json) {
      out.say(`${safeLine(waiting.label)} asks to log in`);
      out.say(`  from      ${safeLine(waiting.address)}, ${localTime(waiting.asked_at_ms)}`);
      out.say(`  as        ${whom}`);
      out.say(`  it could  ${waiting.scopes.join(", ")}, as far as the roles of ${whom} allow`);
      out.say(`  for       ${formatDuration(waiting.lasts_ms)} at most`);
    }
    const hint = `oj token approve ${safeLine(waiting.code)} --yes`;
    if (!(await confirm(context, { question: "Did you ask for this yourself, just now?", yes, hint }))) {
      out.say(`nothing was changed; to turn it down: oj token deny ${safeLine(waiting.code)}`);
      return 1;
    }
    const done = await client.approveDevice(waiting.code, person ?? null);
    if (json) return out.json(done);
    out.print(`${out.style.green("✓")} ${safeLine(done.label)} is logged in as ${safeLine(done.person)}`);
    out.say("  → oj token list shows it, oj token revoke ID ends it");
  },
});
