/** Stops random processes for a while, as an overloaded machine would; only those that were started in one folder. */
import fs from "node:fs";

const MOST_BETWEEN_MS = 700;

export interface Pauses {
  /** Lets all stopped processes continue; returns how many pauses there were. */
  end(): number;
}

export function startPauses(folder: string, longest_ms: number): Pauses {
  const stopped = new Map<number, NodeJS.Timeout>();
  let count = 0;
  let timer = setTimeout(pause, 0);

  function pause(): void {
    timer = setTimeout(pause, Math.random() * MOST_BETWEEN_MS);
    const pids = isWithin(folder).filter((it) => !stopped.has(it));
    const pid = pids[Math.floor(Math.random() * pids.length)];
    if (pid === undefined || !signal(pid, "SIGSTOP")) return;
    count += 1;
    const goOn = () => {
      signal(pid, "SIGCONT");
      stopped.delete(pid);
    };
    stopped.set(pid, setTimeout(goOn, Math.random() ** 2 * longest_ms)); // most pauses are short
  }

  return {
    end() {
      clearTimeout(timer);
      for (const [pid, goesOn] of stopped) {
        clearTimeout(goesOn);
        signal(pid, "SIGCONT");
      }
      return count;
    },
  };
}

/** The processes whose environment names the folder. */
export function isWithin(folder: string): number[] {
  return fs.readdirSync("/proc").flatMap((it) => {
    const pid = Number(it);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      return fs.readFileSync(`/proc/${pid}/environ`, "utf8").includes(`${folder}/`) ? [pid] : [];
    } catch {
      return []; // it has just ended, or belongs to somebody else
    }
  });
}

/** Again and again: one of them may just have started another. */
export function killAll(folder: string): void {
  for (let round = 0; round < 50; round++) {
    const pids = isWithin(folder);
    if (pids.length === 0) return;
    for (const pid of pids) signal(pid, "SIGKILL");
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
