/**
 * The tour that plays by itself, for pipes and `--yes`: four agents at work, each of which needs a person in its own
 * way; a crash in the middle; and what became of it all.
 */
import fs from "node:fs";
import path from "node:path";
import type { DecisionView, JobView } from "../../api/api.ts";
import { hasEnded } from "../../core/model/job-types.ts";
import { safe } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { JOBS, SHOWN } from "./agents-project.ts";
import { answerOne } from "./answer.ts";
import { tellAll } from "./ending.ts";
import type { Moment } from "./history.ts";
import { crashDaemon } from "./stage.ts";
import { call, tell, type, whatNext } from "./talk.ts";
import { until } from "./wait.ts";

/** More than the agents ever ask. */
const MOST_ANSWERS = 12;
const BEFORE_THE_CRASH = 2;
const ORDER: DecisionView["source"][] = ["question", "plan", "approval", "gate"];

export async function agentTour(context: Context): Promise<JobView[]> {
  await begin(context);
  const moments: Moment[] = [];
  for (let answered = 0; answered < MOST_ANSWERS; answered++) {
    if (answered === BEFORE_THE_CRASH) moments.push(await crash(context));
    const next = await nextQuestion(context);
    if (!next) break;
    await answerOne(context, next);
  }
  const jobs = await context.client.jobs();
  await tellAll(context, jobs, moments);
  whatNext(context);
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

/** The next one that waits; null if all jobs have ended. */
function nextQuestion(context: Context): Promise<DecisionView | null> {
  return until<{ next: DecisionView | null }>(context, "the jobs did not continue", async () => {
    const [pending, jobs] = await Promise.all([context.client.decisions(), context.client.jobs()]);
    const [next] = pending.sort(bySource);
    if (next) return { next };
    return jobs.every(hasEnded) ? { next: null } : null;
  }).then((it) => it.next);
}

function bySource(a: DecisionView, b: DecisionView): number {
  return ORDER.indexOf(a.source) - ORDER.indexOf(b.source);
}
