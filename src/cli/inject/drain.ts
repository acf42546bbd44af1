/** `oj inject drain`: takes out what waits for a session or a name. Taking it is the receipt. */
import { randomUUID } from "node:crypto";
import { safe } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { patiently } from "../base/patience.ts";
import { recipientFlags, recipientOf } from "../base/recipient.ts";
import { wholeNumber } from "../base/values.ts";

export const command = defineCommand({
  name: "inject drain",
  summary: "Take the messages waiting for a session, once",
  args: "",
  flags: {
    ...recipientFlags,
    limit: { type: "string", value: "N", help: "at most this many (default 100)" },
    "drain-id": {
      type: "string",
      value: "ID",
      help: "an id of your own; the same id returns the same entries",
    },
  },
  examples: [
    { run: "oj inject drain --session 8396cce3", does: "prints them, oldest first, and removes them" },
    { run: "oj inject drain --as builder -o json", does: "entries[], and how many are still waiting" },
  ],

  async run(context, _, flags) {
    const { client, json, out } = context;
    const limit = wholeNumber("--limit", flags.limit);
    const body = {
      ...recipientOf(context, flags, "oj inject drain"),
      drain_id: flags["drain-id"] ?? randomUUID(),
      ...(limit === undefined ? {} : { limit }),
    };
    const taken = await patiently(context, null, () => client.drain(body));
    if (json) return out.json(taken);
    if (taken.text !== "") out.print(safe(taken.text));
  },
});
