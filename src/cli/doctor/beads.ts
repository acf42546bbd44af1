/** Decisions as beads: the program that keeps them, and what the running daemon says about it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { BeadsView } from "../../api/api.ts";
import { OLDEST_BD } from "../../core/mirror/bead.ts";
import { compareVersions } from "../../core/text/semver.ts";
import { count } from "../../inbox/card/words.ts";
import type { Context } from "../base/command.ts";
import { directClient } from "../base/patience.ts";
import type { Check } from "./check.ts";
import { ok, problem } from "./check.ts";
import { find } from "./programs.ts";

const ANSWERS_WITHIN_MS = 5000;

/** Nothing at all if nobody asked for a mirror, as for most people. */
export async function checkBeads(context: Context): Promise<Check[]> {
  const { config } = context;
  const mirrors = await known(context);
  if (!config.settings.beads.mirror && mirrors.length === 0) return [];
  return [await checkBd(config.env.PATH ?? ""), ...mirrors.map(checkMirror)];
}

/** A daemon that doesn't run, or doesn't answer, is reported by its own check. */
async function known(context: Context): Promise<BeadsView[]> {
  const abort = AbortSignal.any([context.abort, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
  return directClient(context, abort)
    .beads()
    .catch(() => []);
}

async function checkBd(searchPath: string): Promise<Check> {
  const file = find("bd", searchPath);
  if (file === null)
    return problem(
      "bd",
      "not found; decisions are not mirrored as beads",
      "https://github.com/steveyegge/beads",
    );
  const env = { PATH: searchPath, BD_DISABLE_METRICS: "1" };
  const how = { timeout: ANSWERS_WITHIN_MS, killSignal: "SIGKILL", env } as const;
  const said = await promisify(execFile)(file, ["version"], how).catch(() => null);
  const version = /\d+\.\d+\.\d+\S*/.exec(said?.stdout ?? "")?.[0] ?? null;
  if (version === null) return problem("bd", `${file} does not say its version`, "bd version");
  const order = compareVersions(version, OLDEST_BD);
  if (order === null || order < 0)
    return problem("bd", `${version}; the mirror needs ${OLDEST_BD} or newer`, "install a newer bd");
  return ok("bd", `${version}; mirrors decisions as beads`);
}

function checkMirror({ project, dir, owed, trouble }: BeadsView): Check {
  const name = `beads of ${project}`;
  if (trouble !== null)
    return problem(name, `${trouble}; ${count(owed, "decision")} not mirrored`, "oj beads status");
  return ok(
    name,
    `${dir ?? "no folder .beads"}; ${owed === 0 ? "up to date" : `${count(owed, "decision")} to do`}`,
  );
}
