/** Commands that read from a pipe. */
import { spawn } from "node:child_process";
import path from "node:path";
import type { Project } from "./project.ts";

const OJ = path.join(import.meta.dirname, "../../../dist/oj.cjs");

/** Runs `oj` with that input, which then ends. */
export function piped(project: Project, input: string, ...args: string[]) {
  return finished(project, process.execPath, [OJ, ...args], input);
}

export function shell(project: Project, script: string) {
  return finished(project, "bash", ["-c", script], "");
}

function finished(project: Project, program: string, args: string[], input: string) {
  const child = spawn(program, args, { cwd: project.dir, env: project.env });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part) => {
    stdout += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part) => {
    stderr += part;
  });
  child.stdin.end(input);
  return new Promise<{ stdout: string; stderr: string; code: number | null }>((resolve) => {
    child.once("close", (code) => resolve({ stdout, stderr, code }));
  });
}
