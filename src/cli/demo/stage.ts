/** Where the tour takes place: a state folder, a project and a daemon of its own, all gone at the end, whatever happens. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { connect } from "../../client/connect.ts";
import { untilGone } from "../../client/process.ts";
import { loadConfig } from "../../config.ts";
import type { Context } from "../command.ts";
import { connectionOf, livingPid, probe } from "../daemon/process.ts";
import { directClient } from "../patience.ts";
import { GIT_ENV, makeProject } from "./project.ts";
import { sweep } from "./sweep.ts";

export interface Stage {
  /** As for any command, but for the tour's project and daemon. */
  context: Context;
  close(): Promise<void>;
}

/** main.ts gives an interrupted command a second. */
const STOPS_WITHIN_MS = 600;
const GONE_WITHIN_MS = 10_000;

export function setStage(from: Context): Stage {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "oj-demo-"));
  const project = path.join(folder, "shop");
  const { OJ_PROJECT: _, ...env } = from.config.env;
  const own = {
    ...env,
    ...GIT_ENV,
    OJ_STATE_DIR: path.join(folder, "state"),
    XDG_CONFIG_HOME: path.join(folder, "config"),
  };
  const removeAtOnce = () => sweep(folder, livingPid({ stateDir: own.OJ_STATE_DIR }));
  process.once("exit", removeAtOnce); // also when we are ended in the middle
  makeProject(project, own);
  const config = loadConfig(own, project);
  const { out, json, abort, now } = from;
  const client = connect(connectionOf({ config, out, abort }));
  const context: Context = { client, config, out, json, abort, now };
  return {
    context,
    async close() {
      await stopDaemon(context);
      removeAtOnce();
      process.off("exit", removeAtOnce);
    },
  };
}

/** Ends the tour's daemon as a crash would. Returns the pid it had, when it is gone. */
export async function crashDaemon({ config }: Context): Promise<number | null> {
  const pid = livingPid(config);
  if (pid === null) return null;
  process.kill(pid, "SIGKILL");
  await untilGone(pid, GONE_WITHIN_MS);
  return pid;
}

/** Not with the tour's own abort: it may have been interrupted. */
async function stopDaemon({ config }: Context): Promise<void> {
  const abort = AbortSignal.timeout(STOPS_WITHIN_MS);
  try {
    const status = await probe({ config, abort }, STOPS_WITHIN_MS);
    if (!status) return;
    await directClient({ config }, abort).stop({ kill: true });
    await untilGone(status.pid, STOPS_WITHIN_MS);
  } catch {
    // it is killed then
  }
}
