/** `oj decision remind`: tells the caller what is pending, and an agent also how to offer a decision. */
import { randomUUID } from "node:crypto";
import { defineCommand } from "../base/command.ts";
import { recipientOf } from "../base/recipient.ts";
import { ownFlags, ownQuery, reminder } from "../card/own.ts";

export const command = defineCommand({
  name: "decision remind",
  summary: "Show what is waiting, and how an agent offers a decision",
  args: "",
  flags: ownFlags,
  examples: [
    { run: "oj decision remind", does: "for you: what is waiting for an answer" },
    {
      run: "oj decision remind --as builder",
      does: "as an agent reads it; useful in a runbook's prime.signal",
    },
    { run: "oj decision remind --session 8396cce3 --inject", does: "queues it for that session" },
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
    if (flags.inject) return out.say("queued as the next message");
    out.print(lines.join("\n"));
    if (own.inbox && lines.length > 0) out.say(`  ${out.style.cyan("→")} oj decision review`);
  },
});
