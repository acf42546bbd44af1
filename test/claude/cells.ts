/**
 * Walks the cells: asks through the real client, answers in one of the ways, and reads what the model was then told.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import type { Decision, Run } from "../specs/support/agents.ts";
import { call, killDaemon } from "../specs/support/http.ts";
import type { Row, Source } from "./cell-rows.ts";
import { markOf, rowsOf } from "./cell-rows.ts";
import type { Seen } from "./cell-table.ts";
import { cellOf } from "./cell-table.ts";
import type { ModelRequest, Step } from "./model-api.ts";
import { bash, plan, text } from "./model-api.ts";
import { planText } from "./scripts.ts";
import type { ClaudeStage, Role } from "./stage.ts";
import { claudeStage } from "./stage.ts";

/** Rows that one agent goes through, one after the other. */
export interface Lane {
  name: string;
  rows: Row[];
}

const MOST_STEPS = 60;

/**
 * All rows of a source share a client. For a plan, each Accept has its own, since a client that was accepted stops
 * planning.
 */
export function lanesOf(source: Source, rows = rowsOf(source)): Lane[] {
  if (source !== "plan") return [{ name: source, rows }];
  const accepts = rows.filter((it) => it.name.startsWith("Accept"));
  const stays = rows.filter((it) => !accepts.includes(it));
  return [
    ...accepts.map((row) => ({ name: row.key, rows: [row] })),
    ...(stays.length > 0 ? [{ name: "plan-stays", rows: stays }] : []),
  ];
}

/** The model plays the first row that it has not played yet; the messages it gets contain what it has said so far. */
function roleOf({ name, rows }: Lane): Role {
  const source = rows[0]?.source;
  const played = rows.filter((it) => !it.refused);
  const next = (step: (row: Row) => Step) => (request: ModelRequest) => {
    const spoken = JSON.stringify(request.messages.filter((it) => it.role === "assistant"));
    const row = played.find((it) => !spoken.includes(`(${it.key})`));
    return row ? withWords(step(row), `(${row.key})`) : text("That is all.");
  };
  const script = (step: (row: Row) => Step) => Array.from({ length: MOST_STEPS }, () => next(step));
  switch (source) {
    case "approval":
    case "question":
      return { script: script((row) => row.asks ?? text("?")), more: "" };
    case "plan": {
      const [write, present] = plan(planText(`${name}-built`)) as [(request: ModelRequest) => Step, Step];
      const isWritten = ({ messages }: ModelRequest) =>
        JSON.stringify(messages).includes("created successfully");
      const first: Step = (request) => (isWritten(request) ? next(() => present)(request) : write(request));
      return {
        run: "claude --permission-mode plan",
        script: Array.from({ length: MOST_STEPS }, () => first),
        also: { [`${name}-built`]: Array.from({ length: MOST_STEPS }, () => text("Built.")) },
        more: "",
      };
    }
    case "error": {
      let left = rows.length;
      return {
        script: Array.from({ length: MOST_STEPS }, () => () => {
          left -= 1;
          return left >= 0 ? { status: 429, times: MOST_STEPS, next: text("Well.") } : text("Well.");
        }),
        more: "",
      };
    }
    case "idle":
      return { script: script((row) => row.asks ?? text(`Turn (${row.key}).`)), more: "" };
    case "gate":
      return {
        script: script((row) => text(`Turn ${row.key}.`)),
        more: `on_idle = { action = "gate", run = "echo two tests are red >&2; exit 3", attempts = 1 }`,
      };
    case "request":
      return {
        run: "claude --allowedTools 'Bash(oj:*)'",
        script: Array.from({ length: MOST_STEPS }, () => requesting(played)),
        more: "",
      };
    default:
      return { script: Array.from({ length: MOST_STEPS }, (_, n) => text(`Turn ${n}.`)), more: "" };
  }
}

/** Asks and ends its turn; the outcome begins the next one. */
function requesting(rows: readonly Row[]): Step {
  return ({ messages }) => {
    const spoken = JSON.stringify(messages.filter((it) => it.role === "assistant"));
    const asked = rows.filter((it) => spoken.includes(`(${it.key})`));
    const waits = asked.filter((it) => spoken.includes(`I wait for ${it.key}.`));
    const row = rows[asked.length];
    if (asked.length > waits.length) return text(`I wait for ${asked.at(-1)?.key}.`);
    if (!row) return text("That is all.");
    return withWords(
      bash(`oj decision request --prompt "${row.key}?" --option yes --option no`),
      `(${row.key})`,
    );
  };
}

function withWords(step: Step, words: string): Step {
  return typeof step === "object" && "tools" in step ? { ...step, text: words } : step;
}

export interface Walk {
  stage: ClaudeStage;
  seen: Seen;
  /** Starts the lane's agent. */
  begin(lane: Lane): Promise<Run>;
  /** Waits until the lane's agent has asked the row's question and is waiting. */
  asked(run: Run, row: Row): Promise<Decision>;
  /** Answers as the row says. */
  give(lane: Lane, row: Row, decision: Decision): Promise<void>;
  /** Waits until the answer has arrived or has failed, reads what the model heard, and notes it. */
  note(lane: Lane, row: Row, decision: Decision, where: "told" | "prompted" | "anyhow"): Promise<void>;
}

export async function walking(lanes: Lane[]): Promise<Walk> {
  const stage = await claudeStage(Object.fromEntries(lanes.map((it) => [it.name, roleOf(it)])));
  const seen: Seen = {};
  /** What the model had been told by the time a row's answer was given. */
  const before = new Map<Row, Set<string>>();
  const requestsOf = ({ name }: Lane) =>
    stage.api.requests
      .filter((it) => it.script === name || it.script === `${name}-built`)
      .map((it) => it.request);
  const newsIn = (row: Row, request: ModelRequest) =>
    pieces(request).filter((it) => !before.get(row)?.has(it.text));
  const walk: Walk = {
    stage,
    seen,
    begin: ({ name }) => stage.job(name),
    async asked(run, row) {
      const decision = await run.asked(row.source);
      if (row.source === "request")
        await run.until(async () => (await run.view()).status === "idle", "the end of its turn");
      else if (["approval", "question", "plan"].includes(row.source)) await stage.shows(run, /^\s*❯ 1\. /m);
      return decision;
    },
    async give(lane, row, decision) {
      before.set(row, new Set(requestsOf(lane).flatMap((it) => pieces(it).map((piece) => piece.text))));
      const { status, text: body } = await call(stage, "POST", `/decisions/${decision.id}/resolve`, {
        body: bodyOf(row),
      });
      if (row.refused) {
        assert.ok(status >= 400 && status < 500, body);
        seen[cellOf(row)] = "refused, and says what to type";
      } else assert.equal(status, 200, `${cellOf(row)} ${body}`);
    },
    async note(lane, row, { id }, where) {
      if (row.ends === "left" && !saysSomething(row)) {
        seen[cellOf(row)] = "nobody is told";
        return;
      }
      const settled = await stage.until(
        () => {
          const types = stage.events.flatMap((it) => (it.id === id ? [it.type] : []));
          return types.find((it) => it === "decision:acknowledged" || it === "decision:undelivered");
        },
        `the receipt of ${cellOf(row)}`,
      );
      const { delivery } = await stage.decision(id);
      if (settled === "decision:undelivered") {
        seen[cellOf(row)] = `failed: ${delivery.error}`;
        return;
      }
      if (row.ends !== undefined) {
        const job = await stage
          .decision(id)
          .then(({ owner }) => stage.events.findLast((it) => it.id === owner.id));
        seen[cellOf(row)] = !saysSomething(row)
          ? "nobody is told"
          : job?.reason === markOf(row)
            ? "the reason it was cancelled for"
            : "lost";
        return;
      }
      const told = await stage.until(
        () =>
          requestsOf(lane)
            .map((it) => newsIn(row, it))
            .findLast((it) => isHeard(row, where, it)),
        `what the model heard of ${cellOf(row)}`,
      );
      seen[cellOf(row)] = describe(row, where, told);
    },
  };
  return walk;
}

interface Piece {
  place: "result" | "beside" | "prompt";
  text: string;
}

/** Everything that the model was told, by its place. */
function pieces({ messages }: ModelRequest): Piece[] {
  return messages.flatMap(({ role, content }) => {
    if (role === "assistant") return [];
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return blocks.map((it): Piece => {
      const words =
        typeof it.content === "string" ? it.content : (it.content ?? []).map((one) => one.text).join("\n");
      if (it.type === "tool_result")
        return { place: "result", text: `${it.is_error ? "[error] " : ""}${words}` };
      const said = it.text ?? "";
      return { place: said.includes("hook additional context") ? "beside" : "prompt", text: said };
    });
  });
}

function saysSomething({ answer }: Row): boolean {
  return answer.includes("MARK");
}

function isHeard(row: Row, where: string, all: readonly Piece[]): boolean {
  const choice = where === "prompted" ? row.words : row.hears;
  const either = where === "anyhow" ? [row.hears, row.words] : [choice];
  return (
    all.some((it) => either.some((one) => one.test(it.text))) &&
    (!saysSomething(row) || all.some((it) => it.text.includes(markOf(row))))
  );
}

const PLACES = { result: "in the tool's result", beside: "added by a hook", prompt: "as a prompt" };

function describe(row: Row, where: string, all: readonly Piece[]): string {
  if (!saysSomething(row)) return "heard";
  const marked = all.filter((it) => it.text.includes(markOf(row)));
  const times = marked.reduce((sum, it) => sum + it.text.split(markOf(row)).length - 1, 0);
  // a daemon that was killed before it recorded what it had told tells it again rather than never
  if (times !== 1 && !(times > 1 && where === "anyhow")) return `heard ${times} times`;
  const [{ place } = { place: "prompt" as const }] = marked;
  return where === "told" ? `heard, ${PLACES[place]}` : "heard";
}

function bodyOf(row: Row): object {
  const words = row.answer.map((it) => (it === "MARK" ? markOf(row) : it));
  const given = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : null);
  const numbers = words.filter((it, n) => /^[\d,]+$/.test(it) && !words[n - 1]?.startsWith("-"));
  const isKeyed = words[0] === "cancel";
  return {
    choices: isKeyed ? [] : numbers.map((it) => it.split(",").map(Number)),
    ...(isKeyed ? { option: "cancel" } : {}),
    text: given("--text"),
    message: given("-m"),
  };
}

export async function restart(stage: ClaudeStage): Promise<void> {
  await killDaemon(stage);
  const { code, stderr } = await stage.run("daemon", "start");
  assert.equal(code, 0, stderr);
}

/** Works on `size` items at a time: each client takes a core to start. */
export async function pooled<T>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: size }, worker));
}

export async function pidOf(stage: ClaudeStage, run: Run): Promise<number> {
  return Number(await stage.tmux("display-message", "-p", "-t", `=${run.agent}:`, "#{pane_pid}"));
}

/** Waits until the conversation's file contains these words. */
export async function isKept(stage: ClaudeStage, run: Run, words: string): Promise<void> {
  await stage.until(() => {
    const file = String(run.events("agent:conversing").at(-1)?.transcript);
    return fs.existsSync(file) && fs.readFileSync(file, "utf8").includes(words);
  }, `${words} in the conversation's file`);
}

export interface Open {
  lane: Lane;
  row: Row;
  decision: Decision;
}

/**
 * All trains move in step: in each round, each of them has a pending question. A train starts its lanes one after the
 * other.
 */
export async function inRounds(
  walk: Walk,
  trains: readonly Lane[][],
  round: (open: Open[]) => Promise<void>,
): Promise<void> {
  const runs = new Map<Lane, Run>();
  const stops = trains.map((lanes) => lanes.flatMap((lane) => lane.rows.map((row) => ({ lane, row }))));
  for (let n = 0; n < Math.max(...stops.map((it) => it.length)); n++) {
    const due = stops.flatMap((it) => it[n] ?? []);
    const open = due.map(async ({ lane, row }) => {
      const run = runs.get(lane) ?? (await walk.begin(lane));
      runs.set(lane, run);
      if (row.source === "dead") await kill(walk.stage, run);
      return { lane, row, decision: await walk.asked(run, row) };
    });
    await round(await Promise.all(open));
  }
}

/** Kills the client once it has stopped and its conversation is saved. */
export async function kill(stage: ClaudeStage, run: Run): Promise<void> {
  await run.until(() => run.events("agent:idle").length >= run.events("agent:spawned").length, "a stop");
  await isKept(stage, run, '"type":"assistant"');
  process.kill(await pidOf(stage, run), "SIGKILL");
}
