/** Runs a line of shell for the agent and keeps its output. */
import { spawn } from "node:child_process";

const MAX_OUTPUT = 100_000;

export interface ShellEnd {
  code: number | null;
  output: string;
}

export function runShell(
  command: string,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
  args: string[] = [],
): Promise<ShellEnd> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", command, "sh", ...args], {
      cwd,
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const add = (part: string) => {
      output = (output + part).slice(-MAX_OUTPUT);
    };
    child.stdout.setEncoding("utf8").on("data", add);
    child.stderr.setEncoding("utf8").on("data", add);
    child.on("error", (error) => resolve({ code: null, output: error.message }));
    child.on("close", (code) => resolve({ code, output }));
  });
}
