/**
 * Scripted agents in real terminals: each plays a scenario, and writes down what it is told.
 *
 *     const stage = await agentStage({ asks: { scenario: { turns: [[{ ask: … }]] }, more: `on_idle = "done"` } });
 *     const run = await stage.job("asks");
 *     const decision = await run.asked("question");
 *     await run.answer(decision, "2");
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { onTestFinished } from "vitest";
import { call, socketOf } from "./http.ts";
import type { Given, Project } from "./project.ts";
import { tempProject } from "./project.ts";

const DIST = path.join(import.meta.dirname, "../../../dist");

export interface Cast {
  /** What the agent plays; a string is the `run` line of another program. */
  scenario: object | string;
  /** More attributes of the agent's block. */
  more?: string;
  prompt?: string | null;
}

export interface Event {
  seq: number;
  type: string;
  id: string;
  [field: string]: unknown;
}

export interface Decision {
  id: string;
  source: string;
  state: string;
  title: string;
  context: string;
  agent_id: string;
  superseded_by: string | null;
  owner: { kind: string; id: string; name: string; step?: string };
  action: {
    tool: string;
    input: Record<string, unknown>;
    sha256: string;
    diff?: { path: string; text: string; is_new: boolean; cut: number; unread: string | null };
    as_is?: boolean;
  } | null;
  questions: { question: string; multi_select: boolean; options: { label: string }[]; closed?: boolean }[];
  options: { number: number; key: string; label: string; recommended: boolean }[];
  answer: { labels: string[]; by: string; via: string } | null;
  ended: { reason: string; by: string } | null;
  delivery: { state: string; attempts: number; error: string | null };
}

export interface Agent {
  id: string;
  status: string;
  incarnation: number;
  last_message: string;
  exit: { code: number | null; signal: string | null } | null;
  owed: { decision_id: string | null; state: string }[];
}

/** What the agent wrote down. */
export interface Told {
  at: string;
  kind: string;
  text?: string;
  [field: string]: unknown;
}

/** A job or a crew that was started, with its one agent. */
export interface Run {
  owner: string;
  agent: string;
  /** Until it has an open question (from that source, other than those given). */
  asked(source?: string): Promise<Decision>;
  /** Answers with the words of the command line, and waits until the agent has the answer. */
  answer(decision: Decision, ...words: string[]): Promise<Decision>;
  /** What the agent wrote down, of one kind. */
  told(kind?: string): Told[];
  /** Texts of the prompts it was given, without the first. */
  heard(): string[];
  /** Until the job or crew has ended; the last word of that fact. */
  ended(): Promise<string>;
  /** The steps that completed. */
  steps(): string[];
  /** The owner's status according to its facts. */
  status(): string;
  view(): Promise<Agent>;
  events(type?: string): Event[];
  until: Stage["until"];
}

export interface Stage extends Project {
  job(name: string, ...argv: string[]): Promise<Run>;
  crew(name: string, ...argv: string[]): Promise<Run>;
  /** Every event so far. */
  events: Event[];
  decision(id: string): Promise<Decision>;
  tmux(...args: string[]): Promise<string>;
  /** Until the agent's screen shows it; returns the screen. */
  shows(run: Run, what: RegExp): Promise<string>;
  /** Presses keys as an attached person would. */
  press(run: Run, ...keys: string[]): Promise<unknown>;
}

export async function agentStage(
  cast: Record<string, Cast>,
  given: Given & {
    files?: Record<string, string>;
    runbook?: string;
    /** Called before the daemon is started. */
    before?(project: Project): void;
  } = {},
): Promise<Stage> {
  const project = await tempProject(given.files, { ...given });
  const bin = path.join(project.home, "bin");
  const records = path.join(project.home, "records");
  for (const it of [bin, records]) fs.mkdirSync(it);
  for (const it of ["oj", "oj-agent", "oj-acp"])
    fs.symlinkSync(path.join(DIST, `${it}.cjs`), path.join(bin, it));
  project.env.PATH = `${bin}:${project.env.PATH}`;
  const blocks = Object.entries(cast).map(([name, it]) => {
    const file = path.join(project.home, `${name}.json`);
    if (typeof it.scenario === "object") fs.writeFileSync(file, JSON.stringify(it.scenario));
    const play = `oj-agent --scenario ${file} --record ${records}/$OJ_AGENT.jsonl`;
    return blockOf(name, typeof it.scenario === "string" ? it.scenario : play, it);
  });
  project.write({ ".oj/runbooks/agents.hcl": `${blocks.join("\n")}\n${given.runbook ?? ""}` });
  given.before?.(project);
  const { code, stderr } = await project.run("daemon", "start");
  assert.equal(code, 0, stderr);
  const events = follow(project);

  async function begin(command: string, argv: string[]): Promise<Run> {
    const body = { cwd: project.dir, project: "shop", command, argv, named: {}, env: project.env };
    const reply = await call(project, "POST", "/run", { body });
    assert.equal(reply.status, 200, reply.text);
    const result = reply.json<{ job_id?: string; crew_id?: string }>();
    const owner = result.job_id ?? result.crew_id ?? "";
    const created = await project.until(
      () => events.find((it) => it.type === "agent:created" && (it.owner as { id: string }).id === owner),
      `an agent of ${owner}`,
    );
    return runOf(stage, owner, created.id, path.join(records, `${created.id}.jsonl`));
  }

  const stage: Stage = {
    ...project,
    events,
    job: (name, ...argv) => begin(name, argv),
    crew: (name, ...argv) => begin(`${name}-crew`, argv),
    decision: async (id) => (await call(project, "GET", `/decisions/${id}`)).json<Decision>(),
    tmux: (...args) => tmux(project, args),
    press: (run, ...keys) => tmux(project, ["send-keys", "-t", `=${run.agent}:`, ...keys]),
    shows: (run, what) =>
      project.until(async () => {
        const screen = await tmux(project, ["capture-pane", "-p", "-t", `=${run.agent}:`]);
        if (!what.test(screen)) throw new Error(screen);
        return screen;
      }, `${what} on the screen`),
  };
  return stage;
}

function blockOf(name: string, run: string, { more = "", prompt = "Begin." }: Cast): string {
  return `
command "${name}" { run = { job = "${name}" } }
command "${name}-crew" { run = { agent = "${name}" } }
job "${name}" {
  step "before" { run = "echo before" }
  step "work" { run = { agent = "${name}" } }
  step "after" { run = "echo after" }
}
agent "${name}" {
  run = ${JSON.stringify(run)}
  ${prompt === null ? "" : `prompt = ${JSON.stringify(prompt)}`}
  ${more}
}`;
}

function runOf(stage: Stage, owner: string, agent: string, record: string): Run {
  const { events } = stage;
  const settled = (id: unknown) =>
    events.some((it) => it.id === id && /^decision:(resolved|withdrawn|superseded|expired)$/.test(it.type));
  const lines = () =>
    (fs.existsSync(record) ? fs.readFileSync(record, "utf8") : "")
      .split("\n")
      .slice(0, -1) // whatever has no end yet is being written
      .map((it) => JSON.parse(it) as Told);
  const told = (kind?: string) => lines().filter((it) => kind === undefined || it.kind === kind);
  const ofOwner = () => events.filter((it) => it.id === owner || it.job_id === owner);
  const run: Run = {
    owner,
    agent,
    told,
    heard: () =>
      told("prompt")
        .map((it) => it.text ?? "")
        .slice(1),
    events: (type) => events.filter((it) => it.id === agent && (type === undefined || it.type === type)),
    async asked(source) {
      const created = await run.until(
        () =>
          events.find(
            (it) =>
              it.type === "decision:created" &&
              it.agent_id === agent &&
              (source === undefined || it.source === source) &&
              !settled(it.id),
          ),
        `a question${source ? ` (${source})` : ""}`,
      );
      return stage.decision(created.id);
    },
    async answer(decision, ...words) {
      const { code, stdout, stderr } = await stage.run("decision", "resolve", decision.id, ...words);
      const facts = () => run.events().map((it) => JSON.stringify(it).slice(0, 300));
      assert.equal(code, 0, `${stdout}${stderr}\n${facts().join("\n")}`);
      return untilTaken(stage, decision.id);
    },
    ended: () =>
      run.until(
        () =>
          /^(?:job|crew):(completed|failed|cancelled)$/.exec(
            events.find((it) => it.id === owner && /^(job|crew):(completed|failed|cancelled)$/.test(it.type))
              ?.type ?? "",
          )?.[1],
        "the end",
      ),
    steps: () => ofOwner().flatMap((it) => (it.type === "step:completed" ? [String(it.step)] : [])),
    status() {
      const last = ofOwner().findLast((it) =>
        /:(completed|failed|cancelled|waiting|resumed|created|started)$/.test(it.type),
      );
      return { "step:started": "running", "step:resumed": "running" }[last?.type ?? ""] ?? last?.type ?? "";
    },
    view: async () => (await call(stage, "GET", `/agents/${agent}`)).json<Agent>(),
    until: (ask, what) =>
      stage.until(ask, `${what} of ${owner} ${agent}`).catch((error: Error) => {
        const facts = events.filter((it) => it.id === agent || it.agent_id === agent || it.id === owner);
        const told = lines().map((it) => JSON.stringify(it).slice(0, 300));
        error.message += `\n${[...facts.map((it) => `${it.seq} ${it.type} ${it.title ?? it.error ?? ""}`), ...told, logOf(stage)].join("\n")}`;
        throw error;
      }),
  };
  return run;
}

/** The end of the daemon's log, for a failure's message. */
function logOf({ stateDir }: Project): string {
  const file = path.join(stateDir, "daemon.log");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").slice(-12).join("\n") : "";
}

/** Answered, and nothing is owed any more: acknowledged, or dismissed. */
export async function untilTaken(stage: Stage, id: string): Promise<Decision> {
  const { events } = stage;
  const has = (type: string, state?: string) =>
    events.some((it) => it.id === id && it.type === type && (state === undefined || it.state === state));
  await stage
    .until(
      () => has("decision:acknowledged") || has("decision:resolved", "dismissed"),
      `the receipt for ${id}`,
    )
    .catch((error: Error) => {
      error.message += `\n${events.flatMap((it) => (it.id === id ? [`${it.type} ${it.error ?? ""}`.trim()] : [])).join(", ")}\n${logOf(stage)}`;
      throw error;
    });
  return stage.decision(id);
}

/** Until the agent itself closed the question; returns how. */
export function untilWithdrawn(stage: Stage, id: string): Promise<Event> {
  return stage.until(
    () => stage.events.find((it) => it.id === id && it.type === "decision:withdrawn"),
    `the end of ${id}`,
  );
}

async function tmux(project: Project, args: string[]): Promise<string> {
  const { execFile } = await import("node:child_process");
  const socket = path.join(project.stateDir, "tmux.sock");
  return new Promise((resolve, reject) => {
    execFile("tmux", ["-S", socket, ...args], { env: project.env }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}

/** All events as they come, from every daemon that this state folder gets. */
export function follow(project: Project): Event[] {
  const events: Event[] = [];
  let over = false;
  let request: http.ClientRequest | null = null;
  const connect = () => {
    if (over) return;
    const after = events.at(-1)?.seq ?? 0;
    let rest = "";
    let again = () => {
      again = () => {};
      setTimeout(connect, 20);
    };
    request = http.get({ socketPath: socketOf(project), path: `/events?after=${after}` }, (response) => {
      response.setEncoding("utf8").on("data", (part: string) => {
        const blocks = (rest + part).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = block.split("\n").find((it) => it.startsWith("data: ")); // no pattern: U+2028 may be in it
          if (data !== undefined) events.push(JSON.parse(data.slice(6)) as Event);
        }
      });
      response.on("error", () => again()).on("close", () => again());
    });
    request.on("error", () => again());
  };
  connect();
  onTestFinished(() => {
    over = true;
    request?.destroy();
  });
  return events;
}
