/**
 * `npm run fixture -- NAME [DIST]`: keeps a log that a built `oj` wrote, and what it said about it, in test/fixtures/logs. Made at
 * every release; test/specs/old-logs.test.ts reads them all. It uses only what every version understands.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { root } from "../torture/daemon.ts";

interface Decision {
  id: string;
  state: string;
  source: string;
  title: string;
  context: string;
  urgency: string;
  requested_by: string | null;
  options: { label: string }[];
  answer: { labels: string[]; message: string | null; by: string } | null;
}

interface Job {
  id: string;
  name: string;
  status: string;
}

const RUNBOOK = `
command "build" { run = "echo built" }
command "break" { run = "echo no; exit 3" }
command "release" { run = { job = "release" } }
job "release" {
  step "test" { run = "echo tested" }
  step "confirm" {
    decision {
      prompt = "Release?"
      option "go" { label = "Go" }
      option "stop" {
        label  = "Stop"
        action = "cancel"
      }
    }
  }
  step "ship" { run = "echo shipped" }
}
`;

const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 100;

const [name, dist = path.join(root, "dist")] = process.argv.slice(2);
if (!name || !/^[\w.-]+$/.test(name)) throw new Error("usage: npm run fixture -- NAME [DIST]");

const home = fs.mkdtempSync(path.join(os.tmpdir(), "oj-fixture-"));
const [dir, state] = [path.join(home, "shop"), path.join(home, "state")];
fs.mkdirSync(path.join(dir, ".oj/runbooks"), { recursive: true });
fs.writeFileSync(path.join(dir, ".oj/runbooks/a.hcl"), RUNBOOK);
// nothing of this machine gets into the log
const env = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: home,
  OJ_STATE_DIR: state,
  OJ_USER: "ana",
  LANG: "C.UTF-8",
};

try {
  await play();
  const says = {
    decisions: (await json<Decision[]>("decision", "list", "--all")).map(said),
    jobs: (await json<Job[]>("job", "list")).map(({ id, name, status }) => ({ id, name, status })),
  };
  await oj("daemon", "stop");
  keep(says);
  process.stdout.write(`${name}: ${says.decisions.length} decisions, ${says.jobs.length} jobs\n`);
} finally {
  await oj("daemon", "stop").catch(() => {});
  fs.rmSync(home, { recursive: true, force: true });
}

/** Jobs and requests with every outcome that all versions have. */
async function play(): Promise<void> {
  await started("build", "completed");
  await started("break", "failed");
  const released = await started("release", "waiting");
  const step = (await pending()).find((it) => it.source === "step");
  await oj("decision", "resolve", step?.id ?? "", "1", "-m", "looks good · très bien 🚢");
  await until(
    async () => (await jobs()).find((it) => it.id === released.id && it.status === "completed"),
    "the release",
  );
  await started("release", "waiting");
  const answered = await request("bot-a", "Drop the table?", "--context", "It has 3 rows.\n\n- one\n- two");
  await oj("decision", "resolve", answered.id, "2");
  const withdrawn = await request("bot-b", "Never mind?");
  await oj("decision", "cancel", withdrawn.id);
  await request("bot-c", "This way?");
  await request("bot-c", "Or rather that way?");
  await request("bot-d", "Still open?", "--urgency", "high");
}

function said({ options, answer, ...rest }: Decision) {
  const { id, state, source, title, context, urgency, requested_by } = rest;
  return {
    ...{ id, state, source, title, context, urgency, requested_by },
    options: options.map((it) => it.label),
    answer: answer && { labels: answer.labels, message: answer.message, by: answer.by },
  };
}

function keep(says: object): void {
  const kept = fs
    .readdirSync(state, { encoding: "utf8", recursive: true })
    .filter((it) => /^events\.(db|tip)$|^jobs\/[^/]+\/env\.json$/.test(it)); // never the key of a machine
  const files = Object.fromEntries(kept.map((it) => [it, fs.readFileSync(path.join(state, it), "base64")]));
  const folder = path.join(root, "test/fixtures/logs");
  fs.mkdirSync(folder, { recursive: true });
  const bytes = gzipSync(JSON.stringify({ files, says }), { level: 9 });
  fs.writeFileSync(path.join(folder, `${name}.json.gz`), bytes);
}

async function started(command: string, status: string): Promise<Job> {
  const before = (await jobs()).map((it) => it.id);
  await oj("run", command);
  const isIt = (it: Job) => !before.includes(it.id) && it.status === status;
  return until(async () => (await jobs()).find(isIt), `${command} ${status}`);
}

async function request(as: string, prompt: string, ...more: string[]): Promise<Decision> {
  const options = ["--option", "Yes: all of it", "--option", "No"];
  await oj("decision", "request", "--as", as, "--prompt", prompt, ...options, ...more);
  return until(async () => (await pending()).find((it) => it.title === prompt), prompt);
}

function jobs(): Promise<Job[]> {
  return json("job", "list");
}

function pending(): Promise<Decision[]> {
  return json("decision", "list");
}

function oj(...args: string[]): Promise<{ stdout: string }> {
  return promisify(execFile)(process.execPath, [path.join(dist, "oj.cjs"), ...args], { cwd: dir, env });
}

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await oj(...args, "-o", "json")).stdout) as T;
}

async function until<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
  for (const began = Date.now(); Date.now() < began + PATIENCE_MS; await sleep(LOOK_AGAIN_MS)) {
    const found = await ask();
    if (found) return found;
  }
  throw new Error(`${what} did not happen`);
}
