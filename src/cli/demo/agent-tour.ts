/** The tour: four agents at work, each of which needs a person in its own way; a crash in the middle; and what became of it all. */
import fs from "node:fs";
import path from "node:path";
import type { DecisionView, JobView } from "../../api/api.ts";
import type { Event } from "../../core/model/events.ts";
import { hasEnded } from "../../core/model/job-types.ts";
import { hang } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { JOBS, SHOWN } from "./agents-project.ts";
import { answerOne } from "./answer.ts";
import type { Moment } from "./history.ts";
import { historiesOf } from "./history.ts";
import { crashDaemon } from "./stage.ts";
import { call, tell, type, whatNext } from "./talk.ts";
import { eventsSoFar, until } from "./wait.ts";

/** Whoever sends plans back over and over has seen it. */
const MOST_ANSWERS = 12;
const BEFORE_THE_CRASH = 2;
const ORDER: DecisionView["source"][] = ["question", "plan", "approval", "gate"];

export async function agentTour(context: Context, asks: boolean): Promise<JobView[]> {
  await begin(context);
  const moments: Moment[] = [];
  const left = new Set<string>();
  for (let answered = 0; answered < MOST_ANSWERS; answered++) {
    if (answered === BEFORE_THE_CRASH) moments.push(await crash(context));
    const next = await nextQuestion(context, left);
    if (!next) break;
    const reply = await answerOne(context, next, asks);
    if (reply === "quit") return context.client.jobs();
    if (reply === "left") left.add(next.id);
  }
  const jobs = await context.client.jobs();
  await end(context, jobs, moments);
  return jobs;
}

async function begin(context: Context): Promise<void> {
  const { config, out } = context;
  tell(
    context,
    "Four agents will work here at the same time. They are scripted (oj-agent plays a file); everything else is real: their terminals, their dialogs, the daemon. This is the runbook of one of them:",
  );
  type(context, `cat ${SHOWN}`);
  out.print(out.style.dim(safe(fs.readFileSync(path.join(config.root, SHOWN), "utf8").trimEnd())));
  tell(context, "Start all four. The first command also starts the daemon:");
  for (const job of JOBS) await call(context, "run", [job]);
  await until(context, "the agents did not ask", async () =>
    (await context.client.decisions()).length === JOBS.length ? true : null,
  );
  tell(context, "They have done some work, and now each needs a person. This is everything that is waiting:");
  await call(context, "status", []);
  tell(context, "Each has its own terminal in tmux, which you can look at and attach to:");
  await call(context, "agent list", []);
  const cart = (await context.client.jobs()).find((it) => it.name === "cart");
  if (cart) await call(context, "job peek", [cart.id]);
}

/** The death of the daemon, and proof that nothing is lost. */
async function crash(context: Context): Promise<Moment> {
  await until(context, "the jobs did not continue", async () => {
    const jobs = await context.client.jobs();
    return jobs.every((it) => hasEnded(it) || it.status === "waiting") ? true : null;
  });
  tell(
    context,
    "Now the daemon is killed while dialogs are open. The agents don't notice, the questions are on disk, and the next command starts a new daemon that finds the terminals again:",
  );
  const at_ms = context.now();
  type(context, `kill -9 ${await crashDaemon(context)}`);
  await call(context, "decision list", []);
  return { at_ms, text: "(the daemon is killed with kill -9, and started again)" };
}

/** The next one that nobody has looked at; null if all jobs have ended, or wait for what was left open. */
function nextQuestion(context: Context, left: ReadonlySet<string>): Promise<DecisionView | null> {
  return until<{ next: DecisionView | null }>(context, "the jobs did not continue", async () => {
    const [pending, jobs] = await Promise.all([context.client.decisions(), context.client.jobs()]);
    const [next] = pending.filter((it) => !left.has(it.id)).sort(bySource);
    if (next) return { next };
    const isParked = (job: JobView) =>
      job.status === "waiting" && (job.pending_decision === null || left.has(job.pending_decision));
    return jobs.every((it) => hasEnded(it) || isParked(it)) ? { next: null } : null;
  }).then((it) => it.next);
}

function bySource(a: DecisionView, b: DecisionView): number {
  return ORDER.indexOf(a.source) - ORDER.indexOf(b.source);
}

async function end(context: Context, jobs: JobView[], moments: readonly Moment[]): Promise<void> {
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
  await call(context, "job list", []);
  tell(context, ending(jobs, events));
  whatNext(context);
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
