/** `oj decision check`: what the caller asked, and what came of it; for a hook, nothing if there is nothing. */
import { createHash } from "node:crypto";
import { defineCommand } from "../base/command.ts";
import { recipientOf } from "../base/recipient.ts";
import { ownFlags, ownLines, ownQuery } from "../card/own.ts";

export const command = defineCommand({
  name: "decision check",
  summary: "See what you asked: what is pending and what was answered",
  args: "",
  flags: ownFlags,
  examples: [
    {
      run: "oj decision check",
      does: "the requests of an agent, a session or yourself; prints nothing if there are none",
    },
    {
      run: "oj decision check --session 8396cce3 --inject",
      does: "tells that session once what is pending",
    },
  ],
  async run(context, _, flags) {
    const { client, out, json, now } = context;
    const own = await client.ownDecisions(ownQuery(context, flags));
    if (!flags.inject) {
      if (json) return out.json(own);
      const lines = ownLines(own, now());
      if (lines.length === 0) return out.say("nothing you asked is pending or newly answered");
      return out.print(lines.join("\n"));
    }
    const { pending } = own;
    const to = recipientOf(context, flags, "oj decision check --inject");
    // Answers are in the queue already. The same pending questions are mentioned once, however often somebody checks.
    const id = `check-${createHash("sha256")
      .update(pending.map((it) => it.id).join())
      .digest("hex")
      .slice(0, 16)}`;
    const text = ownLines({ pending, news: [] }, now()).join("\n");
    if (pending.length > 0) await client.inject({ ...to, id, kind: "reminder", text });
    if (json) return out.json({ ...own, injected: pending.length > 0 });
    out.say(pending.length > 0 ? "queued as the next message" : "nothing is pending, so nothing was queued");
  },
});
