/** `oj job delete`: removes a job that has ended, with its output, workspace and decisions. */
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "job delete",
  summary: "Remove a job that has ended, with its output and decisions",
  args: "ID",
  flags: {},
  completes: "job",
  examples: [{ run: "oj job delete job-7k3m", does: "removes it; cancel it first if it has not ended" }],

  run: (context, [id = ""]) => deleteRun(context, id),
});

/** Shared with `oj crew delete`. */
export async function deleteRun({ client, json, out }: Context, given: string): Promise<void> {
  const { id } = await client.job(given);
  await client.deleteJob(id);
  if (json) return out.json({ id, deleted: true });
  out.print(`${id} is deleted`);
}
