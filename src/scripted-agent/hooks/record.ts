/** The record: what the agent was told and what became of it, as JSON lines, for tests to read. */
import fs from "node:fs";

export type Recorder = (kind: string, fields?: Record<string, unknown>) => void;

/** Written at once, so that it is there if the agent is killed. */
export function recorder(file: string | null): Recorder {
  if (file === null) return () => {};
  return (kind, fields = {}) =>
    fs.appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), kind, ...fields })}\n`);
}
