/** Many agents of every client at once, with a daemon that is killed again and again: every answer arrives, once, where it belongs. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Decision, Run, Stage, Told } from "../specs/support/agents.ts";
import { agentStage } from "../specs/support/agents.ts";
import { askedIn, CLIENTS, cast, endOf, FREE, settle } from "../specs/support/doubles.ts";
import { call, killDaemon } from "../specs/support/http.ts";

/** `OJ_AGENTS=20` for all 400 answers and ten kills. */
const AGENTS = Number(process.env.OJ_AGENTS ?? CLIENTS.length);
const LENGTH = AGENTS < 20 ? { turns: 2, questions: 2 } : { turns: 4, questions: 3 };
const KILLS = Math.floor(AGENTS / 2);
const EACH = askedIn(LENGTH);
const ANSWERS = AGENTS * EACH;

describe(`${AGENTS} agents of ${CLIENTS.length} clients, with ${EACH} questions each`, () => {
  it(`get all ${ANSWERS} answers, each once and never another's, while the daemon is killed ${KILLS} times`, async () => {
    const stage = await agentStage(cast(LENGTH), { before: (project) => settle(project, LENGTH) });
    const names = Array.from({ length: AGENTS }, (_, n) => CLIENTS[n % CLIENTS.length] ?? "claude");
    const runs = await Promise.all(names.map((it) => stage.crew(it)));
    const person = answering(stage);
    for (let kill = 1; kill <= KILLS; kill++) {
      const goal = Math.floor((ANSWERS * kill) / (KILLS + 2));
      await stage.until(() => ofType(stage, "decision:resolved").length >= goal, `${goal} answers`);
      await killDaemon(stage);
      assert.equal((await stage.run("daemon", "start")).code, 0);
    }
    await Promise.all(runs.map((run) => run.ended()));
    person.stop();
    check(stage, runs);
  });
});

/** Somebody who answers every question, with text that names the agent and the question. */
function answering(stage: Stage): { stop(): void } {
  const answered = new Set<string>();
  let over = false;
  const round = async () => {
    const reply = await call(stage, "GET", "/decisions");
    for (const decision of reply.json<Decision[]>()) {
      if (answered.has(decision.id) || over) continue;
      const body = answerFor(decision, markOf(decision.agent_id, decision.id));
      const { status } = await call(stage, "POST", `/decisions/${decision.id}/resolve`, { body });
      if (status === 200) answered.add(decision.id);
    }
  };
  void (async () => {
    while (!over) {
      await round().catch(() => {}); // no daemon just now
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return { stop: () => (over = true) };
}

function markOf(agent: string, decision: string): string {
  return `<${agent} ${decision}>`;
}

const ofType = ({ events }: Stage, type: string) => events.filter((it) => it.type === type);

function answerFor({ source, title, context, options }: Decision, mark: string): object {
  const other = options.find((it) => it.label === "Other");
  if (source === "question" && other) return { choices: [[other.number]], text: mark };
  if (source === "idle" && context.includes(endOf(LENGTH.turns))) return { option: "done" };
  if (source === "idle") return { choices: [[1]], message: mark };
  if (title.includes(FREE)) return { choices: [[1]] };
  // a dialog that appeared while no daemon ran is known only by its screen, and answered with a key
  if (options.some((it) => it.key === "deny")) return { choices: [[2]], message: mark };
  return { option: "1" };
}

function check(stage: Stage, runs: Run[]): void {
  const agentOf = new Map(ofType(stage, "decision:created").map((it) => [it.id, String(it.agent_id)]));
  const received = new Set(ofType(stage, "decision:acknowledged").map((it) => it.id));
  const answers = ofType(stage, "decision:resolved");
  assert.equal(answers.length, ANSWERS);
  assert.deepEqual(
    answers.filter((it) => !received.has(it.id)).map((it) => it.id),
    [],
    "answers that were not acknowledged",
  );
  const told = runs.map((run) => marksIn(run.told()));
  const marks = answers.flatMap(({ id, text, message }) => (text || message ? [id] : []));
  for (const id of marks) {
    const agent = agentOf.get(id) ?? "";
    const where = runs.flatMap((run, n) => Array(told[n]?.get(markOf(agent, id)) ?? 0).fill(run.agent));
    assert.deepEqual(where, [agent], `${id} was told to`);
  }
  process.stderr.write(`${answers.length} answers, all acknowledged; ${marks.length} of them in words\n`);
}

/** What agents write down when they are told something. */
const TOLD = ["answered", "denied", "prompt", "allowed", "reason", "answer"];

/** How often the agent was told each. */
function marksIn(told: Told[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, answers, message, text, texts, result } of told) {
    if (!TOLD.includes(kind)) continue;
    const said = JSON.stringify([answers, message, kind === "prompt" ? text : "", texts, result]);
    for (const mark of new Set(said.match(/<agt-\w+ dec-\w+>/g)))
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return counts;
}
