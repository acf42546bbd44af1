/** The tour at a terminal: the real inbox on four agents, with a line above it that says what to press. */
import { setTimeout as sleep } from "node:timers/promises";
import type { JobView } from "../../api/api.ts";
import { hasEnded } from "../../core/model/job-types.ts";
import type { Context } from "../base/command.ts";
import { openKeyboard } from "../base/keys.ts";
import { openUrl } from "../base/open-url.ts";
import { write } from "../base/output.ts";
import { watchInbox } from "../watch/run.ts";
import { JOBS } from "./agents-project.ts";
import { tellEnd } from "./ending.ts";
import { guide } from "./guide.ts";
import { tell, whatNext } from "./talk.ts";
import { until } from "./wait.ts";

/** So that the last answer is seen to arrive. */
const LINGERS_MS = 1500;
/** A person may take as long as they like; agents that nobody keeps waiting may not. */
const AT_WORK_MS = 90_000;

export async function inboxTour(context: Context): Promise<JobView[]> {
  tell(context, "Starting the daemon, and four agents in terminals of their own …");
  await context.client.health();
  const over = new AbortController();
  const inside = { ...context, abort: AbortSignal.any([context.abort, over.signal]) };
  let haveAsked = false;
  /** Whether the agents got to their end. */
  const story = async (): Promise<boolean> => {
    try {
      await begin(inside);
      haveAsked = true;
      await untilOver(inside);
      return true;
    } catch (error) {
      if (inside.abort.aborted) return false; // the person has left
      throw error;
    } finally {
      over.abort();
    }
  };
  const words = guide(context.out.style, JOBS.length, () => haveAsked);
  const inbox = watchInbox(inside, {}, words).finally(() => over.abort());
  const [played] = await Promise.allSettled([story(), inbox]);
  if (played.status === "rejected") throw played.reason;
  await inbox;
  const jobs = await context.client.jobs();
  if (!played.value) return jobs;
  tell(context, "This is what became of your answers:");
  await tellEnd(context, jobs);
  await offerBrowser(context);
  whatNext(context);
  return jobs;
}

/** Starts the agents, and stays until each has asked for the first time. */
async function begin(context: Context): Promise<void> {
  await startAll(context);
  const isBusy = (job: JobView) => !hasEnded(job) && !isLeft(job) && job.pending_decision === null;
  const look = async () => ((await context.client.jobs()).some(isBusy) ? null : true);
  await until(context, "the agents did not ask", look, AT_WORK_MS);
}

/** Stays until all of them have ended or are left waiting. */
async function untilOver(context: Context): Promise<void> {
  for (let isOver = false; !isOver; ) {
    isOver = await until(
      context,
      "the agents did not continue",
      async () => {
        const [jobs, pending] = await Promise.all([context.client.jobs(), context.client.decisions()]);
        if (jobs.every((it) => hasEnded(it) || isLeft(it))) return true;
        return pending.length > 0 ? false : null; // as long as somebody is asked, nothing is late
      },
      AT_WORK_MS,
    );
    await pause(context.abort, isOver ? LINGERS_MS : LOOKS_MS);
  }
}

const LOOKS_MS = 200;

async function startAll({ client, config }: Context): Promise<void> {
  const { cwd, project, env } = config;
  for (const command of JOBS) await client.run({ cwd, project, command, argv: [], named: {}, env });
}

/** Its question was dismissed: nothing will happen by itself. */
function isLeft(job: JobView): boolean {
  return job.status === "waiting" && job.pending_decision === null;
}

async function offerBrowser(context: Context): Promise<void> {
  const { client, config, out, abort } = context;
  tell(context, "The same inbox is in your browser too.");
  out.print("  b            opens it there, and the four agents ask again\n  another key  ends the tour");
  if ((await pressed(abort)) !== "b") return;
  await startAll(context);
  const { url } = await client.makeWebLink({});
  const isOpen = await openUrl(url, config.env);
  tell(context, isOpen ? "It is open in your browser." : "Open this link on this machine; it works once:");
  if (!isOpen) out.print(`  ${url}`);
  out.print("\n  Any key ends the tour, and everything of it is removed.");
  await pressed(abort);
}

/** The next key, as text; empty for any other, and when there will be none. */
async function pressed(abort: AbortSignal): Promise<string> {
  const keyboard = openKeyboard(process.stdin, (text) => write(2, text));
  try {
    const key = await keyboard.next(abort);
    return key.type === "text" ? key.text : "";
  } finally {
    keyboard.close();
  }
}

function pause(abort: AbortSignal, ms: number): Promise<void> {
  return sleep(ms, undefined, { signal: abort });
}
