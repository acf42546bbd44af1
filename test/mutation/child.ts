/** The process that mutants are tried in. A mutant may never return, so whoever started it watches and may end it. */
import { tests } from "./tests.ts";

export interface Known {
  /** The tests that reach each mutant, by number, the fastest first. */
  reached: [mutant: number, tests: number[]][];
  /** Reached while the modules were loaded: no test can switch them on in time. */
  early: number[];
  /** Tests that fail here without any mutant. */
  failing: string[];
  tests: number;
}

/** `trying` comes again with every test. */
export type Told = { known: Known } | { trying: number } | { tried: number; by: string | null };
export type Asked = { look: true } | { mutants: [mutant: number, tests: number[]][] };

const hits = new Set<number>();
let active = -1;
Object.assign(globalThis, {
  __mutant(id: number) {
    if (active === -1) hits.add(id);
    return id === active;
  },
});

let stray: unknown = null;
process.on("unhandledRejection", (error) => (stray = error));
process.stdout.write = () => true;
process.on("message", (asked: Asked) => void ("look" in asked ? look() : tryAll(asked.mutants)));

const tell = (told: Told) => process.send?.(told);

async function passes(test: number): Promise<boolean> {
  stray = null;
  try {
    await tests[test]?.run();
    return stray === null;
  } catch {
    return false;
  }
}

async function look(): Promise<void> {
  const early = [...hits];
  const reached = new Map<number, number[]>();
  const failing: string[] = [];
  const took: number[] = [];
  for (const [n, { name }] of tests.entries()) {
    hits.clear();
    const { user } = process.cpuUsage();
    const isPassed = await passes(n);
    took.push(process.cpuUsage().user - user);
    if (!isPassed) failing.push(name);
    else for (const id of hits) reached.set(id, [...(reached.get(id) ?? []), n]);
  }
  for (const them of reached.values()) them.sort((a, b) => (took[a] ?? 0) - (took[b] ?? 0));
  tell({ known: { reached: [...reached], early, failing, tests: tests.length } });
}

async function tryAll(mutants: [number, number[]][]): Promise<void> {
  for (const [id, covering] of mutants) {
    active = id;
    let by: string | null = null;
    for (const n of covering) {
      tell({ trying: id });
      if (await passes(n)) continue;
      by = tests[n]?.name ?? "";
      break;
    }
    active = -2;
    tell({ tried: id, by });
  }
  process.exit(0);
}
