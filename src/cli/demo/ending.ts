/** How the tour went, told from the record. */
import type { JobView } from "../../api/api.ts";
import type { Event } from "../../core/model/events.ts";
import { hang } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import type { Moment } from "./history.ts";
import { historiesOf } from "./history.ts";
import { call, tell } from "./talk.ts";
import { eventsSoFar } from "./wait.ts";

/** Everything that happened to each agent, and what became of its job. */
export async function tellAll(context: Context, jobs: JobView[], moments: readonly Moment[]): Promise<void> {
  const { out } = context;
  tell(context, "And this is how it went, agent by agent, from the record:");
  const events = await eventsSoFar(context);
  const from = events[0]?.at_ms ?? 0;
  for (const { name, agent, job, moments: own } of historiesOf(events, moments)) {
    out.print(`\n${out.style.bold(safeLine(name))}  ${out.style.dim(`${agent}, job ${safeLine(job)}`)}`);
    for (const { at_ms, text } of own) {
      const at = `${((at_ms - from) / 1000).toFixed(1)}s`.padStart(7);
      for (const line of hang(`${at}  `, safeLine(text), out.width)) out.print(line);
    }
  }
  out.print("");
  await tellEnd(context, jobs);
}

/** What became of the jobs. */
export async function tellEnd(context: Context, jobs: JobView[]): Promise<void> {
  await call(context, "job list", []);
  tell(context, ending(jobs, await eventsSoFar(context)));
}

function ending(jobs: readonly JobView[], events: readonly Event[]): string {
  const completed = jobs.filter((it) => it.status === "completed").length;
  const others = jobs.filter((it) => it.status !== "completed").map((it) => `${it.name} is ${it.status}`);
  const count = (type: Event["type"]) => events.filter((it) => it.type === type).length;
  const answers = `${count("decision:resolved")} answers were given, ${count("decision:acknowledged")} arrived.`;
  return others.length === 0
    ? `All ${completed} jobs completed. ${answers}`
    : `${completed} of ${jobs.length} jobs completed; ${others.join(", ")}. ${answers}`;
}
