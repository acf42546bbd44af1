/** The tour without agents, if there is no tmux: a job runs, asks, is answered, and continues. */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunView } from "../../api/api.ts";
import { hasEnded } from "../../core/model/job-types.ts";
import { safe } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { EXIT } from "../base/fail.ts";
import { RUNBOOK } from "./project.ts";
import { crashDaemon } from "./stage.ts";
import { call, Interrupted, tell, type, whatNext } from "./talk.ts";

const LOOK_AGAIN_MS = 30;

export async function shellTour(context: Context, asks: boolean): Promise<RunView[]> {
  const { config, out } = context;
  tell(context, "This project's runbook has a job with three steps. The second one asks a person:");
  type(context, `cat ${RUNBOOK}`);
  out.print(out.style.dim(safe(fs.readFileSync(path.join(config.root, RUNBOOK), "utf8").trimEnd())));

  tell(context, "Start it. The first command also starts the daemon:");
  await call(context, "run", ["release", "1.2.0"]);
  const [{ id = "" } = {}] = await context.client.jobs();
  const waiting = await settled(context, id);

  tell(context, "The tests ran, and now the job is waiting for a person. It is on the list of decisions:");
  await call(context, "status", []);

  tell(
    context,
    "It waits as long as it takes, and it survives a crash. Kill the daemon and look again; the next command starts a new one:",
  );
  type(context, `kill -9 ${await crashDaemon(context)}`);
  await call(context, "decision list", []);

  await answer(context, waiting, asks);
  const job = await untilEnded(context, id, asks);

  tell(context, "And this is how it went:");
  await call(context, "job show", [id]);
  await call(context, "job logs", [id]);
  tell(context, `The job ${ending(job)}.`);
  whatNext(context);
  return [job];
}

/** Until the job has ended. It may ask again: "Not yet" goes back to the tests. */
async function untilEnded(context: Context, id: string, asks: boolean): Promise<RunView> {
  for (let asked = 1; ; asked++) {
    const job = await settled(context, id);
    if (hasEnded(job)) return job;
    // Left open by a person who skipped it, or asked over and over: the tour has an end.
    const again = asks && asked < 3 && job.steps.some((it) => it.name === "test" && it.entries > asked);
    await answer(context, job, again);
  }
}

async function answer(context: Context, job: RunView, asks: boolean): Promise<void> {
  const id = job.pending_decision ?? "";
  if (asks) {
    tell(
      context,
      "Now it is your turn. Press a key to choose, then add a message if you like; the next step gets it:",
    );
    if ((await call(context, "decision review", [])) === EXIT.interrupted) throw new Interrupted();
    return;
  }
  tell(context, "Everything you need to decide is in one place:");
  await call(context, "decision show", [id]);
  tell(context, "The tour answers by itself here. The message goes to the next step:");
  await call(context, "decision resolve", [id, "1"], { message: "go ahead, the numbers are right" });
}

/** Until the job has ended or waits for an answer. */
async function settled({ client, abort }: Context, id: string): Promise<RunView> {
  for (;;) {
    const job = await client.job(id);
    if (hasEnded(job) || job.pending_decision) return job;
    await sleep(LOOK_AGAIN_MS, undefined, { signal: abort });
  }
}

function ending(job: RunView): string {
  return job.status === "cancelled" ? "was cancelled, as you chose" : job.status;
}
