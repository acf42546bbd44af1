/** `oj inject status`: what waits for whom. */
import type { QueueView } from "../../api/api.ts";
import { shortAge } from "../../core/text/words.ts";
import { table, tableWidth, truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { chosenProject, projectFlag } from "../base/values.ts";

export const command = defineCommand({
  name: "inject status",
  summary: "Show how many messages wait for each session or name",
  args: "",
  flags: {
    all: { type: "boolean", help: "include those with nothing waiting" },
    ...projectFlag,
  },
  examples: [
    { run: "oj inject status", does: "each recipient with how many messages are waiting, and since when" },
  ],

  async run(context, _, flags) {
    const { client, json, out } = context;
    const all = await client.queues(chosenProject(context, flags.project));
    const queues = flags.all ? all : all.filter((it) => it.waiting + it.in_hand > 0);
    if (json) return out.json(queues);
    if (queues.length === 0) return out.print("nothing is waiting");
    for (const line of lines(queues, context)) out.print(line);
  },
});

function lines(queues: QueueView[], { out, now }: Context): string[] {
  const rows = queues.map((it) => [
    truncate(safeLine(it.recipient), 60),
    String(it.waiting + it.in_hand),
    String(it.answers),
    it.oldest_at_ms === null ? "" : shortAge(now() - it.oldest_at_ms),
    it.left_out > 0 ? String(it.left_out) : "",
  ]);
  const paint = (cell: string, row: number) => (row === 0 ? out.style.dim(cell) : cell);
  return table([["FOR", "WAITING", "ANSWERS", "SINCE", "LEFT OUT"], ...rows], {
    width: tableWidth(out),
    paint,
  });
}
