/** `oj decision remind`: tells the caller what waits; an agent also how to offer a decision. */
import { randomUUID } from "node:crypto";
import { command } from "../command.ts";
import { recipientOf } from "../inject/recipient.ts";
import { ownFlags, ownQuery, reminder } from "./own.ts";

export const it = command({
  name: "decision remind",
  summary: "Say what waits, and to an agent how to offer a decision",
  args: "",
  flags: ownFlags,
  examples: [
    { run: "oj decision remind", does: "for you: what waits for an answer" },
    {
      run: "oj decision remind --as builder",
      does: "as it reads for an agent: good in prime.signal of a runbook",
    },
    { run: "oj decision remind --session 8396cce3 --inject", does: "that session hears it next" },
  ],
  async run(context, _, flags) {
    const { client, config, out, json, now } = context;
    const [own, templates] = await Promise.all([
      client.ownDecisions(ownQuery(context, flags)),
      client.templates({ cwd: config.cwd }),
    ]);
    const lines = reminder(own, templates, now());
    if (flags.inject) {
      const to = recipientOf(context, flags, "oj decision remind --inject");
      await client.inject({ ...to, id: randomUUID(), kind: "reminder", text: lines.join("\n") });
    }
    if (json) return out.json({ ...own, text: lines.join("\n"), injected: flags.inject ?? false });
    if (flags.inject) return out.say("it will be heard next");
    out.print(lines.join("\n"));
    if (own.inbox && lines.length > 0) out.say(`  ${out.style.cyan("→")} oj decision review`);
  },
});
