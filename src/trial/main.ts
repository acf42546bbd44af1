/** `oj runbook simulate` and `oj runbook test`: reads runbooks and tests, plays them, and reports. Starts nothing. */
import fs from "node:fs/promises";
import path from "node:path";
import type { DecisionView } from "../api/api.ts";
import type { JobInput } from "../core/flow/job-start.ts";
import { Refusal } from "../core/model/errors.ts";
import type { JobId } from "../core/model/ids.ts";
import type { Problem } from "../core/model/runbook.ts";
import { lineWords } from "../core/text/line-words.ts";
import { suggest } from "../core/text/suggest.ts";
import { argsOf, commandNamed } from "../daemon/runbooks/command.ts";
import { bundleOf, crewOf } from "../daemon/runbooks/library.ts";
import { decisionView } from "../daemon/views/views.ts";
import type { Loaded } from "../runbook/load.ts";
import { loadRunbooks } from "../runbook/load.ts";
import type { Trial } from "../runbook/trials.ts";
import { readScript, readTrials } from "../runbook/trials.ts";
import type { Played } from "./play.ts";
import { play } from "./play.ts";

export interface Place {
  root: string;
  cwd: string;
  project: string;
  env: Readonly<Record<string, string>>;
  settings: {
    max_entries: number;
    context_timeout_ms: number;
    context_max_bytes: number;
    hung_after_ms: number;
  };
}

export interface StoryLine {
  at_ms: number;
  text: string;
  decision?: DecisionView;
}

export interface Simulation {
  job: string;
  status: Played["status"];
  /** Why it stopped before the job had ended, or what the script expected and did not get. */
  problem: string | null;
  took_ms: number;
  timeline: StoryLine[];
}

export interface TestReport {
  name: string;
  file: string;
  line: number;
  ok: boolean;
  /** What went wrong, and where in the file. */
  problem: { line: number; text: string } | null;
  took_ms: number;
  timeline: StoryLine[];
}

export interface TestRun {
  tests: TestReport[];
  /** What could not be read in the test files. */
  problems: Problem[];
}

const TESTS = ".oj/tests";
const LARGEST = 1024 * 1024;

export async function simulate(
  place: Place,
  input: {
    command: string;
    argv: string[];
    named: Record<string, string>;
    script: string | null;
    seed: number | null;
  },
): Promise<Simulation> {
  const script =
    input.script === null ? null : await scriptIn(path.resolve(place.cwd, input.script), input.script);
  const loaded = await loadRunbooks(place.root);
  const job = jobFor(loaded, place, input);
  const hungAfterMs = place.settings.hung_after_ms;
  const played = await play({ job, script, seed: input.seed, toTheEnd: true, hungAfterMs });
  return {
    job: job.id,
    status: played.status,
    problem: played.problem ? `line ${played.problem.line}: ${played.problem.text}` : played.stuck,
    took_ms: played.took_ms,
    timeline: timelineOf(played),
  };
}

async function scriptIn(file: string, shown: string): Promise<Trial> {
  const text = await textIn(file);
  const { script, problems } =
    "why" in text ? { script: null, problems: [unreadable(shown, text.why)] } : readScript(shown, text.text);
  const [first] = problems;
  if (first || !script)
    throw new Refusal(
      "runbook.invalid",
      `${shown}:${first?.line ?? 1}  ${first?.message ?? "can't be read"}`,
      first?.hint ?? "oj runbook simulate --help",
      { problems: problems.length },
    );
  return script;
}

/** All tests of the project, or those that are named. Files that can't be read are problems; their tests don't run. */
export async function test(place: Place, names: readonly string[]): Promise<TestRun> {
  const { trials, problems } = await readAll(place.root);
  const chosen = names.length === 0 ? trials : names.flatMap((it) => named(it, trials, problems));
  const loaded = await loadRunbooks(place.root);
  const tests: TestReport[] = [];
  for (const trial of new Set(chosen)) tests.push(await testOne(place, loaded, trial));
  return { tests, problems };
}

async function testOne(place: Place, loaded: Loaded, trial: Trial): Promise<TestReport> {
  const { name, path: file, line } = trial;
  try {
    const [command = "", ...argv] = lineWords(trial.run ?? "");
    const job = jobFor(loaded, place, { command, argv, named: {} });
    const hungAfterMs = place.settings.hung_after_ms;
    const played = await play({ job, script: trial, seed: null, toTheEnd: false, hungAfterMs });
    const { problem, took_ms } = played;
    return { name, file, line, ok: problem === null, problem, took_ms, timeline: timelineOf(played) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { name, file, line, ok: false, problem: { line, text: error.message }, took_ms: 0, timeline: [] };
  }
}

function named(name: string, trials: readonly Trial[], problems: readonly Problem[]): Trial[] {
  const found = trials.filter((it) => it.name === name || it.path === name);
  if (found.length > 0) return found;
  const near = suggest(name, [...trials.map((it) => it.name), ...trials.map((it) => it.path)]);
  const unread = problems.length > 0 ? "; some test files can't be read: oj runbook test" : "";
  throw new Refusal(
    "runbook.no-test",
    `there is no test "${name}" in ${TESTS}${near === null ? "" : `; did you mean "${near}"?`}${unread}`,
    "oj runbook test",
  );
}

async function readAll(root: string): Promise<{ trials: Trial[]; problems: Problem[] }> {
  const folder = path.join(root, TESTS);
  const entries = await fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  const all = { trials: [] as Trial[], problems: [] as Problem[] };
  for (const entry of entries.filter((it) => it.endsWith(".hcl")).sort()) {
    const shown = `${TESTS}/${entry}`;
    const text = await textIn(path.join(folder, entry));
    const { trials, problems } =
      "why" in text ? { trials: [], problems: [unreadable(shown, text.why)] } : readTrials(shown, text.text);
    all.problems.push(...problems);
    if (problems.length === 0) all.trials.push(...trials);
  }
  return all;
}

async function textIn(file: string): Promise<{ text: string } | { why: string }> {
  try {
    const stat = await fs.stat(file);
    if (!stat.isFile()) return { why: "it is not a file" };
    if (stat.size > LARGEST) return { why: `it has ${stat.size} bytes; ${LARGEST} is the most` };
    return { text: await fs.readFile(file, "utf8") };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

function unreadable(path: string, why: string): Problem {
  return { path, line: 1, column: 1, length: 1, message: `can't be read: ${why}`, excerpt: "" };
}

function jobFor(
  loaded: Loaded,
  { root, cwd, project, env, settings }: Place,
  { command: name, argv, named: given }: { command: string; argv: string[]; named: Record<string, string> },
): JobInput & { id: JobId } {
  const command = commandNamed(loaded, name);
  if (crewOf(loaded.runbook, command))
    throw new Refusal(
      "runbook.not-a-job",
      `"${name}" starts a crew: only jobs can be played`,
      "oj runbook list",
    );
  const args = argsOf(command, argv, given, { env, dir: cwd });
  const { def, library, env: names } = bundleOf(loaded.runbook, command);
  return {
    id: "job-trial",
    project,
    def,
    library,
    args,
    vars: Object.fromEntries(Object.entries(args).filter(([it]) => def.vars.includes(it))),
    env: Object.fromEntries(names.map((it) => [it, env[it] ?? ""])),
    invoke: cwd,
    root,
    by: "you",
    max_entries: settings.max_entries,
    context_timeout_ms: settings.context_timeout_ms,
    context_max_bytes: settings.context_max_bytes,
  };
}

function timelineOf({ story }: Played): StoryLine[] {
  return story.map(({ decision, ...it }) => (decision ? { ...it, decision: decisionView(decision) } : it));
}
