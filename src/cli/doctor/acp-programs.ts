/** The programs that speak ACP and that the project's runbooks name (`run = "acp:PROGRAM …"`): which are installed. */
import fs from "node:fs";
import path from "node:path";
import { setups } from "../../agents/known/setups.ts";
import type { Config } from "../../config.ts";
import type { Check } from "./check.ts";
import { ok, warning } from "./check.ts";
import { find, versionOf } from "./programs.ts";

const MOST_FILES = 200;
const STARTS_MS = 10_000;

export async function checkAcpPrograms({ root, env }: Pick<Config, "root" | "env">): Promise<Check[]> {
  const named = new Map<string, string>();
  for (const file of runbooksIn(root))
    for (const program of acpProgramsIn(textOf(file)))
      if (!named.has(program)) named.set(program, path.relative(root, file));
  const others = [...named].filter(([program]) => !setups.some((it) => it.name === program));
  return Promise.all(
    others.map(([program, file]) => check(program, file, { root, searchPath: env.PATH ?? "" })),
  );
}

/** The text is read as it is: a runbook with a mistake names its programs too. Pure. */
export function acpProgramsIn(runbook: string): string[] {
  const lines = runbook.split("\n").filter((it) => !/^\s*(#|\/\/)/.test(it));
  const words = lines.flatMap((line) => [...line.matchAll(/"acp:\s*((?:\w+=\S*\s+)*)([^\s"\\$]+)/g)]);
  return [...new Set(words.map(([, , program]) => program ?? ""))];
}

/** A program that is named by a path is not started: a project's file must not make us run another. */
async function check(
  program: string,
  runbook: string,
  { root, searchPath }: { root: string; searchPath: string },
): Promise<Check> {
  const isPath = program.includes("/");
  const file = isPath
    ? find(path.basename(program), path.dirname(path.resolve(root, program)))
    : find(program, searchPath);
  const by = `${runbook} names it for ACP`;
  if (file === null) return warning(program, `not found; ${by}`, `install ${program}, or change ${runbook}`);
  const version = isPath ? file : await versionOf(file, ["--version"], STARTS_MS);
  return ok(program, `${version}; ${by}; oj was not tested with it`);
}

function runbooksIn(root: string): string[] {
  try {
    const folder = path.join(root, ".oj/runbooks");
    const names = fs.readdirSync(folder, { encoding: "utf8", recursive: true });
    return names
      .filter((it) => it.endsWith(".hcl"))
      .slice(0, MOST_FILES)
      .map((it) => path.join(folder, it));
  } catch {
    return []; // there are none
  }
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return ""; // the runbooks' own check says so
  }
}
