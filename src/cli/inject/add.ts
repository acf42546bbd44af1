/** `oj inject add`: something that a session or a name must hear next. */
import { randomUUID } from "node:crypto";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { patiently } from "../base/patience.ts";
import { recipientFlags, recipientOf } from "../base/recipient.ts";

export const command = defineCommand({
  name: "inject add",
  summary: "Queue a message for a session",
  args: "TEXT…",
  flags: {
    ...recipientFlags,
    id: { type: "string", value: "ID", help: "an id of your own; the same id twice is one message" },
    reminder: { type: "boolean", help: "mark it as a reminder" },
  },
  examples: [
    {
      run: 'oj inject add --session 8396cce3 "The build is red again"',
      does: "it gets this with its next prompt or command",
    },
  ],

  async run(context, words, flags) {
    const { client, json, out } = context;
    const example = 'oj inject add "…"';
    const text = words.join(" ");
    if (text.trim() === "") throw usage("the message is missing", `${example} --session S`);
    const body = {
      ...recipientOf(context, flags, example),
      id: flags.id ?? randomUUID(),
      kind: flags.reminder ? ("reminder" as const) : ("message" as const),
      text,
    };
    const queue = await patiently(context, null, () => client.inject(body));
    if (json) return out.json({ id: body.id, ...queue });
    out.print(`${queue.waiting} ${queue.waiting === 1 ? "message" : "messages"} waiting for it`);
  },
});
