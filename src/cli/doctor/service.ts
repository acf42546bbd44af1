/** The daemon, its store, and the project's runbooks, checked without starting anything. */
import type { DaemonStatus } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { count } from "../../inbox/card/words.ts";
import { version } from "../../version.ts";
import type { Context } from "../base/command.ts";
import { directClient } from "../base/patience.ts";
import { livingPid, probe } from "../daemon/process.ts";
import type { Check } from "./check.ts";
import { ok, problem, warning } from "./check.ts";

const ANSWERS_WITHIN_MS = 3000;

export async function checkDaemon(context: Context): Promise<Check[]> {
  const found = await probe(context, ANSWERS_WITHIN_MS).catch((error) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  if (found instanceof Refusal) return [problem("daemon", found.message, found.hint), runbooksUnknown()];
  if (!found) return [absent(context), runbooksUnknown()];
  return [running(found), ...warned(found), await checkRunbooks(context)];
}

function absent({ config }: Context): Check {
  const pid = livingPid(config);
  if (pid !== null)
    return problem("daemon", `process ${pid} is running, but its socket is gone`, "oj daemon restart");
  return ok("daemon", "isn't running; the next command that needs it starts it");
}

function running({ pid, version: theirs }: DaemonStatus): Check {
  if (theirs === version) return ok("daemon", `running (pid ${pid}, version ${theirs})`);
  return warning("daemon", `pid ${pid} has version ${theirs}; this is oj ${version}`, "oj daemon restart");
}

function warned({ warnings, seq }: DaemonStatus): Check[] {
  if (warnings.length === 0) return [ok("store", count(seq, "event"))];
  return warnings.map((text) => {
    const now = NOW.find((it) => text.startsWith(it.says));
    return now ? problem(now.name, text, now.cure) : warning("store", text, "oj daemon logs");
  });
}

/** What ends by itself once its cause is gone. */
const NOW = [
  {
    says: "the store can't be written to",
    name: "store",
    cure: "free up space, or make the state folder writable; it recovers on its own",
  },
  {
    says: "the agents can't be seen",
    name: "agents",
    cure: "make tmux work where the daemon runs; it recovers on its own",
  },
];

async function checkRunbooks(context: Context): Promise<Check> {
  const abort = AbortSignal.any([context.abort, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
  try {
    const { files, problems } = await directClient(context, abort).checkRunbooks({
      cwd: context.config.cwd,
      files: [],
    });
    if (problems.length > 0)
      return problem(
        "runbooks",
        `${count(problems.length, "problem")} in ${count(files.length, "file")}`,
        "oj runbook check",
      );
    if (files.length === 0) return ok("runbooks", "none in this project; oj init writes one");
    return ok("runbooks", `${count(files.length, "file")}, no problems`);
  } catch (error) {
    return problem("runbooks", (error as Error).message, "oj runbook check");
  }
}

function runbooksUnknown(): Check {
  return ok("runbooks", "not checked, as the daemon isn't running; use oj runbook check");
}
