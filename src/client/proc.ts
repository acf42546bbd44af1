/**
 * What Linux tells us about a process. Nothing if there is no `/proc`, the process has ended, or it is somebody else's.
 */
import fs from "node:fs";

export interface Process {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** When it started, in ticks since the machine booted. */
  start: string;
}

export function processAt(pid: number): Process | null {
  // the name, in parentheses, may contain anything; the state and the parent follow it
  const [, rest] = /^\d+ \([\s\S]*\) (.*)/.exec(read(`/proc/${pid}/stat`)) ?? [];
  if (rest === undefined) return null;
  const fields = rest.split(" ");
  const [parent = 0, group = 0, session = 0] = fields.slice(1, 4).map(Number);
  return { pid, parent, group, session, start: fields[19] ?? "" };
}

/** The environment as it was when the program started. */
export function environmentOf(pid: number): string {
  return read(`/proc/${pid}/environ`);
}

export function variable(env: string, name: string): string {
  const start = `\0${env}`.indexOf(`\0${name}=`);
  return start < 0 ? "" : (env.slice(start + name.length + 1).split("\0", 1)[0] ?? "");
}

export function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
