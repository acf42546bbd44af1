/** `oj job logs`: the output of a job's steps. */

import type { Context, Flags, Given } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { write } from "../base/output.ts";
import { countOf } from "../base/values.ts";
import { followLog, logSoFar } from "../owner/log-stream.ts";
import { safely } from "../owner/safe-log.ts";

export const logFlags = {
  follow: { type: "boolean", short: "f", help: "keep printing until it ends" },
  lines: { type: "string", short: "n", value: "N", help: "only the last N lines" },
  raw: { type: "boolean", help: "exactly as written; your terminal may obey codes in it" },
} as const satisfies Flags;

export const command = defineCommand({
  name: "job logs",
  summary: "Show what a job's steps wrote",
  args: "ID",
  flags: logFlags,
  completes: "job",
  examples: [
    { run: "oj job logs job-7k3m -f", does: "everything so far, then new output until the job ends" },
    { run: "oj job logs job-7k3m -n 20", does: "the last 20 lines" },
    { run: "oj job logs job-7k3m --raw > build.log", does: "a copy with its colours" },
  ],

  run: (context, [id = ""], flags) => showLogs(context, id, flags),
});

/** Shared with `oj crew logs`. */
export async function showLogs(
  context: Context,
  given: string,
  { follow, lines, raw, gates = false }: Given<typeof logFlags> & { gates?: boolean | undefined },
): Promise<void> {
  const { json, out } = context;
  const wanted = { id: (await context.client.job(given)).id, tail: countOf(lines), gates };
  const texts: string[] = [];
  const show = raw ? { text: (text: string) => write(1, text), end: () => {} } : safely(out.print);
  const onText = json ? (text: string) => void texts.push(text) : show.text;
  if (follow) await followLog(context, wanted, onText);
  else for await (const part of logSoFar(context, wanted)) onText(part);
  if (json) out.json({ id: wanted.id, output: texts.join("") });
  else show.end();
}
