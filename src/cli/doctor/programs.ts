/** The programs that oj works with: which are installed, what each is for, and how to get the missing ones. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { setups } from "../../agents/known/setups.ts";
import type { ClientProgram } from "../../agents/setup.ts";
import { olderThan, testedness } from "../../agents/tested-version.ts";
import type { Check } from "./check.ts";
import { ok, problem, warning } from "./check.ts";

interface Program {
  name: string;
  purpose: string;
  version: string[];
  /** Without it nothing works. */
  required?: boolean;
  /** The package that provides it, if that has another name. */
  package?: Record<string, string>;
}

const PROGRAMS: readonly Program[] = [
  { name: "bash", purpose: "runs the steps of jobs", version: ["--version"], required: true },
  { name: "git", purpose: "for jobs with workspace { git = true }", version: ["--version"] },
  { name: "tmux", purpose: "for agents: each runs in its own terminal", version: ["-V"] },
  { name: "curl", purpose: "for the hooks of agents", version: ["--version"] },
];

const NOTIFIER: Program =
  process.platform === "darwin"
    ? { name: "osascript", purpose: "for desktop notifications", version: [] }
    : {
        name: "notify-send",
        purpose: "for desktop notifications",
        version: ["--version"],
        package: {
          "apt-get": "libnotify-bin",
          dnf: "libnotify",
          pacman: "libnotify",
          apk: "libnotify",
          zypper: "libnotify-tools",
        },
      };

/** Program → how it installs. The first one found counts. */
const INSTALLERS: Record<string, string> = {
  brew: "brew install",
  "apt-get": "sudo apt-get install",
  dnf: "sudo dnf install",
  pacman: "sudo pacman -S",
  apk: "sudo apk add",
  zypper: "sudo zypper install",
};

export async function checkPrograms(searchPath: string): Promise<Check[]> {
  const checks = [...PROGRAMS, NOTIFIER].map((it) => checkProgram(it, searchPath));
  return Promise.all([...checks, ...setups.map((it) => checkClient(it, searchPath))]);
}

/** Nobody without such agents needs it. */
async function checkClient(client: ClientProgram, searchPath: string): Promise<Check> {
  const { name, title, tested, update } = client;
  const file = find(name, searchPath);
  if (file === null) return ok(name, `not found; only agents and sessions of ${title} need it`);
  const version = await versionOf(file, client.version, CLIENT_TAKES_MS);
  const old = olderThan(title, tested, version);
  return old === null ? ok(name, testedness(tested, version)) : warning(name, old, update);
}

async function checkProgram(program: Program, searchPath: string): Promise<Check> {
  const { name, purpose } = program;
  const file = find(name, searchPath);
  if (file !== null) return ok(name, `${await versionOf(file, program.version)}; ${purpose}`);
  const detail = `not found; ${purpose}`;
  return program.required
    ? problem(name, detail, installer(program, searchPath))
    : warning(name, detail, installer(program, searchPath));
}

function installer(program: Program, searchPath: string): string {
  const found = Object.entries(INSTALLERS).find(([name]) => find(name, searchPath) !== null);
  if (!found) return `install ${program.name} with your system's package manager`;
  return `${found[1]} ${program.package?.[found[0]] ?? program.name}`;
}

/** Some clients are large programs that take seconds to start. */
const CLIENT_TAKES_MS = 10_000;

export async function versionOf(file: string, args: readonly string[], timeout = 2000): Promise<string> {
  if (args.length === 0) return file;
  try {
    const { stdout } = await promisify(execFile)(file, args, { timeout, killSignal: "SIGKILL" });
    return /\d+(\.\d+)+\w*/.exec(stdout)?.[0] ?? file;
  } catch {
    return file;
  }
}

export function find(name: string, searchPath: string): string | null {
  for (const folder of searchPath.split(path.delimiter)) {
    const file = path.join(folder || ".", name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // not here
    }
  }
  return null;
}
