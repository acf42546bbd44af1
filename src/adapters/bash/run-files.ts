/** The files of runs that an earlier daemon left: the script of each start, and the one that says it has begun. */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { RunId } from "../../core/model/ids.ts";
import type { StepProcesses } from "../processes/step-processes.ts";
import { atMost } from "../system/at-most.ts";

/** The content of that file if a later daemon took the run over: the script must not begin. */
const TAKEN_OVER = "taken over";

/** Files open at once: hundreds of runs may be taken over together, and descriptors are few. */
const OPEN_FILES = 8;

export interface TakenOver extends Pick<StepProcesses, "scripts" | "leaders"> {
  /** Had one of its starts begun? Ask only when its processes are gone: a script about to start may still say so. */
  began(): Promise<boolean>;
}

export function leftFiles(dir: string) {
  const limited = atMost(OPEN_FILES);
  let listing: Promise<string[]> | null = null;
  /** Starts of runs that were taken over, until they are forgotten. */
  const taken = new Map<RunId, string[]>();

  /** Callers in the same tick share one look at the folder. */
  function names(): Promise<string[]> {
    listing ??= Promise.resolve().then(() => {
      listing = null;
      return fs.readdir(dir).catch(unlessMissing([]));
    });
    return listing;
  }

  async function filesOf(id: RunId): Promise<string[]> {
    return (await names()).filter((it) => it.startsWith(`${id}.`));
  }

  /** From here on, a start that has not begun never will. */
  async function claim(start: string): Promise<StepProcesses["leaders"]> {
    const begun = `${start}.begun`;
    const isMine = await fs.writeFile(begun, TAKEN_OVER, { flag: "wx", mode: 0o600 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    const pid = isMine ? null : await pidIn(begun);
    if (pid === null) return [];
    const { mtimeMs } = await fs.stat(begun);
    return [{ pid, began_s: (mtimeMs - Date.now()) / 1000 + os.uptime() }];
  }

  return {
    async takeOver(run_id: RunId): Promise<TakenOver> {
      const starts = [...new Set((await filesOf(run_id)).map((it) => it.replace(/\.(sh|begun)$/, "")))];
      const paths = starts.map((it) => path.join(dir, it));
      if (paths.length > 0) taken.set(run_id, paths);
      const leaders = await Promise.all(paths.map((it) => limited(() => claim(it))));
      return {
        scripts: paths.map((it) => `${it}.sh`),
        leaders: leaders.flat(),
        began: async () => {
          const texts = await Promise.all(
            paths.map((it) =>
              limited(() => fs.readFile(`${it}.begun`, "utf8").catch(unlessMissing(TAKEN_OVER))),
            ),
          );
          return texts.some((it) => it !== TAKEN_OVER);
        },
      };
    },
    async *runs(before_ms: number): AsyncIterable<RunId> {
      const ids = new Set<string>();
      for (const name of await names()) {
        const file = await fs.stat(path.join(dir, name)).catch(() => null);
        if (file && file.mtimeMs < before_ms) ids.add(name.split(".", 1)[0] ?? "");
      }
      for (const id of ids) if (id.startsWith("run-")) yield id as RunId;
    },
    /** What was taken over, plus the start that the caller made itself; the folder may be large, and is not searched. */
    async forget(run_id: RunId, own: string): Promise<void> {
      for (const start of [...(taken.get(run_id) ?? []), own])
        for (const kind of ["sh", "begun"]) await limited(() => fs.rm(`${start}.${kind}`, { force: true }));
      taken.delete(run_id);
    },
  };
}

/** The process that wrote this file; null if none could. */
export async function pidIn(begun: string): Promise<number | null> {
  const pid = Number(await fs.readFile(begun, "utf8").catch(unlessMissing("")));
  return Number.isInteger(pid) && pid > 1 ? pid : null;
}

function unlessMissing<T>(otherwise: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return otherwise;
    throw error;
  };
}
