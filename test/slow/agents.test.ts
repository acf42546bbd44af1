/** Many agents at once, with a daemon that is killed again and again: every answer arrives, once, where it belongs. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Decision, Run, Stage, Told } from "../specs/support/agents.ts";
import { agentStage } from "../specs/support/agents.ts";
import { call, killDaemon } from "../specs/support/http.ts";

/** `OJ_AGENTS=20` for more. */
const AGENTS = Number(process.env.OJ_AGENTS ?? 6);
const TURNS = 4;
const KILLS = AGENTS / 2;
const ANSWERS = AGENTS * TURNS * 5;

/** Each turn: three questions, a permission, and a stop. */
const turn = (n: number) => [
  ...[1, 2, 3].map((k) => ({ ask: { question: `Turn ${n}, question ${k}?`, options: ["Yes", "No"] } })),
  { tool: "Bash", input: `echo turn ${n}`, denied: "Then not.", go_on: true },
  { say: `Turn ${n} is over.` },
];

describe(`${AGENTS} agents with 20 questions each`, () => {
  it(`get all ${ANSWERS} answers, each once and never another's, while the daemon is killed ${KILLS} times`, async () => {
    const turns = Array.from({ length: TURNS }, (_, n) => turn(n + 1));
    const stage = await agentStage({ asks: { scenario: { turns } } });
    const runs = await Promise.all(Array.from({ length: AGENTS }, () => stage.crew("asks")));
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

function answerFor({ source, context, options }: Decision, mark: string): object {
  if (source === "question") return { choices: [[3]], text: mark };
  if (source === "idle" && context.includes(`Turn ${TURNS} is over.`)) return { option: "done" };
  if (source === "idle") return { choices: [[1]], message: mark };
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

/** How often the agent was told each. */
function marksIn(told: Told[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const it of told) {
    if (!["answered", "denied", "prompt", "allowed"].includes(it.kind)) continue;
    const said = JSON.stringify([it.answers, it.message, it.kind === "prompt" ? it.text : ""]);
    for (const mark of new Set(said.match(/<agt-\w+ dec-\w+>/g)))
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return counts;
}
