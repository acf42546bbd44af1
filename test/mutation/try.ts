/** Tries each mutant with the tests that reach it, and goes on without those that never end. */
import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import type { Asked, Known, Told } from "./child.ts";
import type { Mutant } from "./mutants.ts";

export type Outcome = "found" | "endless" | "survived" | "unreached" | "early";

/** Longer than any one of these tests takes, even on a busy machine. */
const ENDLESS_MS = 30_000;

export async function tryMutants(
  program: string,
  mutants: readonly Mutant[],
): Promise<{ known: Known; outcomes: Map<number, Outcome> }> {
  const known = await firstLook(program);
  const reached = new Map(known.reached);
  const early = new Set(known.early);
  const outcomes = new Map<number, Outcome>();
  const left: [number, number[]][] = [];
  for (const { id } of mutants) {
    const tests = reached.get(id);
    if (tests) left.push([id, tests]);
    else outcomes.set(id, early.has(id) ? "early" : "unreached");
  }
  while (left.length > 0) {
    const stuck = await tryUntilStuck(program, left, outcomes);
    if (stuck !== null) outcomes.set(stuck, "endless");
    const rest = left.filter(([id]) => !outcomes.has(id));
    if (rest.length === left.length) throw new Error("the process that tries mutants ends at once");
    left.splice(0, left.length, ...rest);
  }
  return { known, outcomes };
}

function firstLook(program: string): Promise<Known> {
  return new Promise((resolve, reject) => {
    const child = started(program);
    child.once("exit", (code) => reject(new Error(`the tests could not be run: ${code}`)));
    child.on("message", (told: Told) => {
      if (!("known" in told)) return;
      resolve(told.known);
      child.kill();
    });
    ask(child, { look: true });
  });
}

/** Returns the one that did not end, or took the process with it; null if all are tried. */
function tryUntilStuck(
  program: string,
  mutants: [number, number[]][],
  outcomes: Map<number, Outcome>,
): Promise<number | null> {
  return new Promise((resolve) => {
    const child = started(program);
    let current: number | null = null;
    let late: NodeJS.Timeout | undefined;
    child.on("message", (told: Told) => {
      clearTimeout(late);
      if ("trying" in told) {
        current = told.trying;
        late = setTimeout(() => child.kill("SIGKILL"), ENDLESS_MS);
      }
      if (!("tried" in told)) return;
      current = null;
      outcomes.set(told.tried, told.by === null ? "survived" : "found");
    });
    child.once("exit", () => {
      clearTimeout(late);
      resolve(current);
    });
    ask(child, { mutants });
  });
}

function started(program: string): ChildProcess {
  return fork(program, [], { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
}

function ask(child: ChildProcess, asked: Asked): void {
  child.send(asked);
}
