/** `oj demo`: a tour that needs no account, no agent and no set-up. What it shows is what the commands really print. */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isatty } from "node:tty";
import type { JobView } from "../api.ts";
import { hasEnded } from "../core/job-types.ts";
import type { Command, Context } from "./command.ts";
import { command } from "./command.ts";
import { RUNBOOK } from "./demo/project.ts";
import { crashDaemon, setStage } from "./demo/stage.ts";
import { EXIT } from "./fail.ts";
import { wrap } from "./layout.ts";
import { loadCommand } from "./registry.ts";
import { safe } from "./safe.ts";

const LOOK_AGAIN_MS = 30;

export const it = command({
  name: "demo",
  summary: "Take a tour: a job runs, asks, is answered, and goes on",
  args: "",
  flags: { yes: { type: "boolean", short: "y", help: "answer by itself, also at a terminal" } },
  examples: [
    {
      run: "oj demo",
      does: "asks you at a terminal, else answers itself; works in folders of its own and removes them",
    },
    { run: "oj demo --yes", does: "the whole tour in a few seconds" },
  ],

  async run(given, _, { yes = false }) {
    // With -o json the tour is talk, and only its result is data.
    const from = given.json ? { ...given, json: false, out: { ...given.out, print: given.out.say } } : given;
    const asks = !yes && !given.json && given.out.isTerminal && isatty(0);
    const stage = setStage(from);
    try {
      const job = await tour(stage.context, asks);
      if (given.json) given.out.json({ job });
      return job.status === "failed" ? EXIT.refused : EXIT.done;
    } catch (error) {
      if (error instanceof Interrupted) return EXIT.interrupted;
      throw error;
    } finally {
      await stage.close();
    }
  },
});

/** Ctrl-C as a key, while a question is on the screen. */
class Interrupted extends Error {}

async function tour(context: Context, asks: boolean): Promise<JobView> {
  const { config, out } = context;
  tell(
    context,
    `A tour of oj, with a daemon and a project of its own in ${path.dirname(config.root)}. Both are removed at the end.`,
  );
  tell(context, "This project's runbook has a job of three steps. The second one asks a person:");
  type(context, `cat ${RUNBOOK}`);
  out.print(out.style.dim(safe(fs.readFileSync(path.join(config.root, RUNBOOK), "utf8").trimEnd())));

  tell(context, "Start it. The first command also starts the daemon:");
  await call(context, "run", ["release", "1.2.0"]);
  const [{ id = "" } = {}] = await context.client.jobs();
  const waiting = await settled(context, id);

  tell(context, "The tests ran, and now the job waits for a person. It is on the list of what waits:");
  await call(context, "status", []);

  tell(
    context,
    "It waits as long as it takes, and outlives a crash. Kill the daemon and look again; the next command starts it anew:",
  );
  type(context, `kill -9 ${await crashDaemon(context)}`);
  await call(context, "decision list", []);

  await answer(context, waiting, asks);
  const job = await untilEnded(context, id, asks);

  tell(context, "And this is how it went:");
  await call(context, "job show", [id]);
  await call(context, "job logs", [id]);
  tell(context, `The job ${ending(job)}. In a project of yours:`);
  out.print(
    "  oj init       writes a first runbook\n  oj doctor     looks whether all is in place\n  oj --help     has the rest",
  );
  return job;
}

/** Until the job has ended. It may ask again: "Not yet" goes back to the tests. */
async function untilEnded(context: Context, id: string, asks: boolean): Promise<JobView> {
  for (let asked = 1; ; asked++) {
    const job = await settled(context, id);
    if (hasEnded(job)) return job;
    // Left open by a person who skipped it, or asked again and again: the tour has an end.
    const again = asks && asked < 3 && job.steps.some((it) => it.name === "test" && it.entries > asked);
    await answer(context, job, again);
  }
}

async function answer(context: Context, job: JobView, asks: boolean): Promise<void> {
  const id = job.pending_decision ?? "";
  if (asks) {
    tell(context, "Now it is your turn. A key chooses, then a message may follow; the next step gets it:");
    if ((await call(context, "decision review", [])) === EXIT.interrupted) throw new Interrupted();
    return;
  }
  tell(context, "Everything that is needed to decide is in one place:");
  await call(context, "decision show", [id]);
  tell(context, "The tour answers by itself here. The message goes to the next step:");
  await call(context, "decision resolve", [id, "1"], { message: "go ahead, the numbers are right" });
}

/** Until the job has ended or waits for an answer. */
async function settled({ client, abort }: Context, id: string): Promise<JobView> {
  for (;;) {
    const job = await client.job(id);
    if (hasEnded(job) || job.pending_decision) return job;
    await sleep(LOOK_AGAIN_MS, undefined, { signal: abort });
  }
}

/** Shows what a person would type, and does it. */
async function call(
  context: Context,
  name: string,
  args: string[],
  flags: Record<string, string> = {},
): Promise<number> {
  const given = Object.entries(flags).map(([flag, value]) => `--${flag} '${value}'`);
  type(context, ["oj", name, ...args, ...given].join(" "));
  const found: Command = await loadCommand(name);
  return (await found.run(context, args, flags)) ?? EXIT.done;
}

function type({ out }: Context, line: string): void {
  out.print(`${out.style.dim("$")} ${out.style.bold(line)}`);
}

function tell({ out }: Context, text: string): void {
  out.print("");
  for (const line of wrap(text, Math.min(out.width, 90))) out.print(out.style.cyan(line));
}

function ending(job: JobView): string {
  return job.status === "cancelled" ? "was cancelled, as you chose" : job.status;
}
