/** `oj inject add`: something that a session or a name must hear next. */
import { randomUUID } from "node:crypto";
import { command } from "../command.ts";
import { usage } from "../fail.ts";
import { patiently } from "../patience.ts";
import { recipientFlags, recipientOf } from "./recipient.ts";

export const it = command({
  name: "inject add",
  summary: "Put in what a session must hear next",
  args: "TEXT…",
  flags: {
    ...recipientFlags,
    id: { type: "string", value: "ID", help: "the same id twice is one message" },
    reminder: { type: "boolean", help: "it is a reminder" },
  },
  examples: [
    {
      run: 'oj inject add --session 8396cce3 "The build is red again"',
      does: "it hears this with its next prompt or command",
    },
  ],

  async run(context, words, flags) {
    const { client, json, out } = context;
    const example = 'oj inject add "…"';
    const text = words.join(" ");
    if (text.trim() === "") throw usage("what must it hear?", `${example} --session S`);
    const body = {
      ...recipientOf(context, flags, example),
      id: flags.id ?? randomUUID(),
      kind: flags.reminder ? ("reminder" as const) : ("message" as const),
      text,
    };
    const queue = await patiently(context, null, () => client.inject(body));
    if (json) return out.json({ id: body.id, ...queue });
    out.print(`${queue.waiting} ${queue.waiting === 1 ? "waits" : "wait"} for it`);
  },
});
