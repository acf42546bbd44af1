/** A job's output as it comes, across restarts of the daemon. It is raw: make it safe before showing it. */

import { isDisconnect } from "../../client/disconnect.ts";
import { hasEnded } from "../../core/model/job-types.ts";
import type { Context } from "../base/command.ts";
import { directClient, patiently, stopped } from "../base/patience.ts";

export interface LogWanted {
  id: string;
  /** Last lines only. */
  tail: number | null;
  /** Of a crew: what its gates printed, in place of its terminal. */
  gates?: boolean;
}

/** The output so far. */
export function logSoFar({ client }: Context, { id, tail, gates }: LogWanted): AsyncIterable<string> {
  return client.jobLogs(id, { ...(tail === null ? {} : { tail }), ...(gates ? { gates } : {}) });
}

/** The output so far and what comes, until the job ends. */
export async function followLog(
  context: Context,
  wanted: LogWanted,
  onText: (text: string) => void,
): Promise<void> {
  const { id, tail } = wanted;
  let seen = 0;
  if (tail !== null) {
    const all = await wholeLog(context, wanted);
    seen = all.length;
    onText(lastLines(all, tail));
  }
  await patiently(context, null, async () => {
    let at = 0;
    for await (const part of context.client.jobLogs(id, {
      follow: true,
      ...(wanted.gates ? { gates: true } : {}),
    })) {
      const fresh = part.slice(Math.max(0, seen - at));
      at += part.length;
      seen = Math.max(seen, at);
      if (fresh !== "") onText(fresh);
    }
    if (!(await isOver(context, id))) throw stopped();
  });
  // What was written as the job ended may have missed the stream.
  const rest = (await wholeLog(context, wanted)).slice(seen);
  if (rest !== "") onText(rest);
}

/** Asked without starting a daemon: a stream that ended may mean that somebody stopped it. */
async function isOver(context: Context, id: string): Promise<boolean> {
  try {
    return hasEnded(await directClient(context, context.abort).job(id));
  } catch (error) {
    throw isDisconnect(error) ? stopped() : error;
  }
}

async function wholeLog(context: Context, wanted: LogWanted): Promise<string> {
  let all = "";
  for await (const part of logSoFar(context, { ...wanted, tail: null })) all += part;
  return all;
}

export function lastLines(text: string, count: number): string {
  if (count === 0) return "";
  const end = text.endsWith("\n") ? "\n" : "";
  const lines = text.slice(0, text.length - end.length).split("\n");
  return lines.slice(-count).join("\n") + end;
}
