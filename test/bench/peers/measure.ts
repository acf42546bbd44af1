/** Lets all of them do each work in turn, and says how they stand. */
import fs from "node:fs";
import path from "node:path";
import { timed } from "../http.ts";
import type { Row } from "../rows.ts";
import { megabytes, ms, row, times } from "../rows.ts";
import { call, endIn } from "./commands.ts";
import type { Amounts, Contestant, Once, Work } from "./contestant.ts";
import { WORKS } from "./contestant.ts";

interface Task {
  says: string;
  runs: number;
  show(value: number): string;
}

function tasks({ pending, finished, jobs, callers }: Amounts): Record<Work, Task> {
  return {
    version: { says: "start of a process", runs: 11, show: ms },
    list: { says: `list of ${pending} entries`, runs: 11, show: ms },
    start: { says: "start of an empty daemon, until it answers", runs: 7, show: ms },
    recover: { says: `first answer after kill -9, ${finished} jobs had ended`, runs: 7, show: ms },
    memory: { says: "memory of an idle daemon", runs: 1, show: megabytes },
    job: { says: "a shell job, from `run` to its end", runs: 11, show: ms },
    many: { says: `${jobs} jobs by ${callers} callers`, runs: 2, show: ms },
    question: { says: "a question, recorded and answered", runs: 7, show: ms },
  };
}

/** The first of each warms up, except where one alone takes long. */
const warmUps = (runs: number) => (runs > 2 ? 1 : 0);

export async function measureAll(
  dir: string,
  own: Contestant,
  peers: readonly Contestant[],
  amounts: Amounts,
): Promise<Row[]> {
  const rows: Row[] = [];
  const all = tasks(amounts);
  for (const work of WORKS.filter((it) => own.works[it])) {
    const those = [own, ...(work === "version" ? [emptyNode] : []), ...peers].filter((it) => it.works[work]);
    rows.push(...(await measure(path.join(dir, work), work, all[work], those)));
    process.stderr.write(`bench: ${all[work].says}: ${those.map((it) => it.name).join(", ")}\n`);
  }
  return rows;
}

/** What any program in Node takes. */
const emptyNode: Contestant = {
  name: `node ${process.version}`,
  works: {
    version: {
      words: "node -e 0",
      begin: async (dir) => {
        const env = { PATH: process.env.PATH ?? "", HOME: path.join(dir, "home") };
        return () => timed(() => call({ file: process.execPath, cwd: dir, env }, "-e", "0"));
      },
    },
  },
};

/** A peer that fails says so in its row; the others go on. */
async function measure(dir: string, work: Work, task: Task, those: readonly Contestant[]): Promise<Row[]> {
  const taken = those.map(() => [] as number[]);
  const problems = those.map(() => null as string | null);
  const attempt = async (n: number, action: () => Promise<void>) => {
    if (problems[n] === null)
      await action().catch((error: Error) => {
        if (n === 0) throw error; // without ours, there is nothing to compare
        problems[n] = error.message.split("\n")[0] ?? "";
      });
  };
  try {
    const once: Once[] = [];
    for (const [n, { works }] of those.entries())
      await attempt(n, async () => {
        const own = path.join(dir, String(n));
        fs.mkdirSync(own, { recursive: true });
        const way = works[work];
        if (way) once[n] = await way.begin(own);
      });
    for (let run = -warmUps(task.runs); run < task.runs; run++)
      for (const n of those.keys())
        await attempt(n, async () => {
          const value = await once[n]?.();
          if (run >= 0 && value !== undefined) taken[n]?.push(value);
        });
  } finally {
    await endIn(dir);
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
  return rowsOf(work, task, those, taken, problems);
}

function rowsOf(
  work: Work,
  task: Task,
  [own, ...peers]: readonly Contestant[],
  [ours = [], ...others]: readonly number[][],
  [, ...problems]: readonly (string | null)[],
): Row[] {
  const value = Math.min(...ours);
  const best = task.runs > 1 ? ` (best of ${task.runs})` : "";
  const group = `beside others: ${task.says}${best}; oj: ${own?.works[work]?.words}`;
  if (peers.length === 0) {
    return [row(group, "nobody else here has that", { measured: task.show(value), values: { oj: value } })];
  }
  return peers.map(({ name, works }, n) => {
    const says = `${name}: ${works[work]?.words}`;
    const problem = problems[n];
    if (problem)
      return row(group, `${says}: failed: ${problem}`, { measured: task.show(value), values: { oj: value } });
    const peer = Math.min(...(others[n] ?? []));
    return row(group, says, {
      measured: task.show(value),
      floor: `${task.show(peer)} ${name}`,
      ratio: times(value / peer),
      values: { oj: value, peer },
    });
  });
}
