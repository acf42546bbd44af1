/** `oj uninstall`: ends the daemon, takes our hooks out of settings, and deletes the state if that is wanted. */
import fs from "node:fs";
import path from "node:path";
import { installers } from "../agents/known/setups.ts";
import type { DaemonStatus } from "../api/api.ts";
import { Refusal } from "../core/model/errors.ts";
import { count } from "../inbox/card/words.ts";
import { whyShared } from "../state-folder.ts";
import { safeLine } from "../text/safe.ts";
import type { Context } from "./base/command.ts";
import { defineCommand } from "./base/command.ts";
import { confirm, yesFlag } from "./base/confirm.ts";
import { directClient } from "./base/patience.ts";
import { hasLeftRunning } from "./daemon/left-running.ts";
import { connectionOf, probe } from "./daemon/process.ts";
import { stop } from "./daemon/stop.ts";
import { hookedFiles, removeHooks } from "./init/hooks.ts";
import { pluginFolders, removePlugin } from "./init/plugin.ts";

/** Ending an agent closes its terminal, which takes a moment. */
const AGENTS_END_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 100;

export const command = defineCommand({
  name: "uninstall",
  local: true,
  summary: "Stop oj and remove its hooks; with --state, everything",
  args: "",
  lenient: true,
  flags: {
    agents: { type: "boolean", help: "cancel running jobs and crews first, which ends their agents" },
    state: { type: "boolean", help: "delete what was recorded too: decisions, jobs, logs" },
    ...yesFlag,
  },
  examples: [
    {
      run: "oj uninstall",
      does: "says what it will do and asks; then the daemon ends and our hooks are gone; your records stay",
    },
    { run: "oj uninstall --agents --state --yes", does: "everything, without a question" },
  ],

  async run(context, _, { agents = false, state = false, yes = false }) {
    const { config, out, json } = context;
    const daemon = (await probe(context)) ?? (await startedFor(context));
    const live = daemon?.live_agents ?? 0;
    if (live > 0 && !agents) throw agentsLive(live);
    const hooks = installers.flatMap((installer) =>
      hookedFiles(context, installer).map((file) => ({ installer, file })),
    );
    const plugins = installers.flatMap((it) => pluginFolders(config, it.setup.name));
    const folder = state && fs.existsSync(config.stateDir) ? config.stateDir : null;
    if (folder !== null) refuseForeign(folder, config.home);
    const plan = [
      ...(live > 0 ? [`end ${count(live, "agent")}, by cancelling what they work for`] : []),
      ...(daemon ? [`stop the daemon (pid ${daemon.pid})`] : []),
      ...hooks.map(({ file }) => `remove our hooks from ${safeLine(file)}`),
      ...plugins.map((it) => `remove our plugin from ${safeLine(it)}`),
      ...(folder === null ? [] : [`delete ${safeLine(folder)}, with every decision and job in it`]),
    ];
    if (plan.length > 0) {
      if (!yes) for (const line of ["This will", ...plan.map((it) => `  • ${it}`)]) out.say(line);
      if (!(await confirm(context, { question: "Go on?", yes, hint: "oj uninstall --yes" }))) {
        out.say("nothing was done");
        return;
      }
    }
    if (live > 0) await endAgents(context);
    const pid = await stop(context, false);
    for (const { installer, file } of hooks) removeHooks(context, installer, file);
    for (const it of plugins) removePlugin(it);
    if (folder !== null) deleteFolder(folder);
    if (json)
      return out.json({
        stopped: pid,
        hooks_removed: [...hooks.map((it) => it.file), ...plugins],
        state_deleted: folder,
      });
    for (const line of plan) out.print(`${out.style.green("✓")} ${line}`);
    if (plan.length === 0) out.print("the daemon isn't running, and there are no hooks here");
    tellTheRest(context, folder !== null);
  },
});

function agentsLive(live: number): Refusal {
  return new Refusal(
    "job.not-ended",
    `${count(live, "agent")} ${live === 1 ? "is" : "are"} running`,
    "oj status shows them\noj uninstall --agents    (cancels their jobs and crews first)",
  );
}

/** Only what a daemon has written into is deleted: a mistyped OJ_STATE_DIR may be anything. */
function refuseForeign(folder: string, home: string): void {
  const shared = whyShared(folder, home);
  if (shared !== null)
    throw new Refusal(
      "request.invalid",
      `${folder} is not deleted: ${shared}`,
      "check OJ_STATE_DIR, and remove what oj wrote there by hand",
    );
  if (fs.existsSync(path.join(folder, "events.db")) || fs.readdirSync(folder).length === 0) return;
  throw new Refusal(
    "request.invalid",
    `${folder} does not look like the state of oj: it has no events.db`,
    "check OJ_STATE_DIR",
  );
}

/** A daemon that ends what an earlier one has left running; null if there is nothing. */
async function startedFor(context: Context): Promise<DaemonStatus | null> {
  if (!(await hasLeftRunning(context.config.stateDir))) return null;
  const { spawnDaemon } = await import("../client/spawn-daemon.ts");
  await spawnDaemon(connectionOf(context));
  return probe(context);
}

/** With what is in it, also where only a link stands for it. An empty one may stay: other disks are mounted at some. */
function deleteFolder(folder: string): void {
  const real = fs.realpathSync(folder);
  for (const name of fs.readdirSync(real)) fs.rmSync(path.join(real, name), { recursive: true, force: true });
  for (const it of new Set([real, folder]))
    try {
      fs.rmSync(it, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EBUSY") throw error;
    }
}

async function endAgents(context: Context): Promise<void> {
  const client = directClient(context, context.abort);
  const agents = (await client.agents()).filter((it) => it.status !== "ended");
  const owners = new Set(agents.map((it) => it.owner.id));
  for (const id of owners) {
    try {
      await client.cancelJob(id, { reason: "oj was uninstalled", now: true });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "job.ended") throw error;
    }
  }
  const deadline = performance.now() + AGENTS_END_WITHIN_MS;
  for (let left = await liveAgents(client); left > 0; left = await liveAgents(client)) {
    if (performance.now() > deadline)
      throw new Refusal("daemon.failed", `${count(left, "agent")} did not end`, "oj agent list");
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function liveAgents(client: { health(): Promise<DaemonStatus> }): Promise<number> {
  return (await client.health()).live_agents;
}

/** What we leave alone, and what only the person can do. */
function tellTheRest({ config, out }: Context, isGone: boolean): void {
  if (!isGone && fs.existsSync(config.stateDir))
    out.say(`your records stay in ${safeLine(config.stateDir)}; --state deletes them`);
  out.say("hooks in other projects, if any: oj init claude --remove in each; .oj folders are yours");
  out.say(`  ${out.style.cyan("→")} npm uninstall -g oddjobs`);
}
