/** `oj job drop`: takes failed jobs out of the inbox. They stay as they are, and can still be resumed. */
import type { RunView } from "../../api/api.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { chosenProject } from "../base/values.ts";

export const command = defineCommand({
  name: "job drop",
  summary: "Take failed jobs out of the inbox",
  args: "[ID]…",
  flags: {
    all: { type: "boolean", help: "every failed job and crew in the inbox" },
    project: { type: "string", value: "NAME", help: "with --all: only those of this project" },
  },
  completes: "job",
  examples: [
    { run: "oj job drop job-7k3m", does: "you know about it, and it needs no retry" },
    { run: "oj job drop --all", does: "the same for everything that failed, of every project" },
  ],

  async run(context, ids, { all, project }) {
    if (Boolean(all) === ids.length > 0)
      throw usage("name the jobs to drop, or say --all", "oj job drop --all");
    await dropRuns(context, all ? await idsOfAll(context, project) : ids);
  },
});

async function idsOfAll(context: Context, project: string | undefined): Promise<string[]> {
  const failed = await context.client.failedRuns(chosenProject(context, project));
  return failed.map((it) => it.id);
}

/** Shared with `oj crew drop`. */
export async function dropRuns({ client, json, out }: Context, ids: readonly string[]): Promise<void> {
  const dropped: RunView[] = [];
  for (const id of ids) dropped.push(await client.seeFailure(id, { how: "dropped" }));
  if (json) return out.json(dropped);
  for (const it of dropped) out.print(`${it.id} is no longer in the inbox`);
  if (dropped.length === 0) out.print("no failed job is in the inbox");
}
