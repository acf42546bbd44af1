/** Whether one process still runs. Only Linux can tell the process from another one that has its id by now. */
import fs from "node:fs";
import type { Ports } from "../../ports.ts";

export const isRunning: Ports["isRunning"] = (name) => {
  const [, pid, start] = /^(\d+)\.(\d+)$/.exec(name) ?? [];
  if (pid === undefined) return null;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    // its name, in parentheses, may contain anything; the state follows it
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] !== "Z" && fields[19] === start;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ESRCH" ? false : null;
  }
};
