/** `oj decision auto-close`: expires requests that nobody has answered for too long. */
import { randomUUID } from "node:crypto";
import type { RecipientBody } from "../../api/api.ts";
import type { Recipient } from "../../core/model/queue-types.ts";
import { nameRecipient, sessionRecipient } from "../../core/model/queue-types.ts";
import { formatDuration, parseDuration } from "../../core/text/duration.ts";
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { recipientFlags, recipientOf } from "../base/recipient.ts";

const A_DAY = "24h";

function queueOf({ project, session, as }: RecipientBody): Recipient {
  return session === undefined ? nameRecipient(project ?? "", as ?? "") : sessionRecipient(session);
}

export const command = defineCommand({
  name: "decision auto-close",
  summary: "Expire requests that nobody has answered in time",
  args: "",
  flags: {
    threshold: { type: "string", value: "D", help: `pending for longer than this (default ${A_DAY})` },
    "dry-run": { type: "boolean", help: "only list them" },
    ...recipientFlags,
    inject: { type: "boolean", help: "queue what expired as their next message: for hooks" },
  },
  examples: [
    {
      run: "oj decision auto-close --threshold 2d --dry-run",
      does: "lists this project's requests that are older than two days",
    },
    {
      run: "oj decision auto-close --threshold 2d",
      does: "expires them; whoever awaits one gets exit code 4",
    },
    {
      run: "oj decision auto-close --threshold 10m --session 8396cce3 --inject",
      does: "in a hook: the session hears what expired",
    },
  ],
  async run(context, _, flags) {
    const { client, config, out, json } = context;
    const to = flags.inject ? recipientOf(context, flags, "oj decision auto-close --inject") : null;
    const text = flags.threshold ?? A_DAY;
    const threshold_ms = parseDuration(text);
    if (threshold_ms === null) throw usage(`"${text}" is not a duration`, "write it as 30s, 5m or 1h30m");
    const dry_run = flags["dry-run"] ?? false;
    const result = await client.autoClose({ project: config.project, threshold_ms, dry_run });
    const { expired } = result;
    const age = `pending for more than ${formatDuration(threshold_ms)}`;
    const lines = (some: typeof expired) => [
      `${count(some.length, "request")} ${dry_run ? "would expire" : "expired"}: ${age}`,
      ...some.map(({ id, owner, title }) => `  ${id}  ${safeLine(owner.name)}  ${safeLine(title)}`),
    ];
    // whoever asked is told of their own anyway
    const others = to ? expired.filter((it) => it.recipient !== queueOf(to)) : [];
    const injected = to !== null && !dry_run && others.length > 0;
    if (injected)
      await client.inject({ ...to, id: randomUUID(), kind: "reminder", text: lines(others).join("\n") });
    if (json) return out.json(to ? { ...result, injected } : result);
    if (injected) return out.say("queued as the next message");
    if (to) return out.say("nobody else's request expired, so nothing was queued");
    if (expired.length === 0) return out.print(`no request in ${safeLine(config.project)} has been ${age}`);
    out.print(lines(expired).join("\n"));
  },
});
