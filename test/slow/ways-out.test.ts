import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { plain } from "../../src/cli/base/output.ts";
import { statusLines } from "../../src/cli/status-lines.ts";
import type { OwnerId } from "../../src/core/model/ids.ts";
import { hasEnded } from "../../src/core/model/job-types.ts";
import type { AgentDef } from "../../src/core/model/runbook.ts";
import { statusView } from "../../src/daemon/views/fleet-view.ts";
import { someOf } from "../everything.ts";
import { agentAtWork, crewAtWork } from "../fakes/agents.ts";
import type { Node } from "../fakes/walk.ts";
import { after, keyOf, moves, walk } from "../fakes/walk.ts";
import type { Scene } from "../fakes/walk-inputs.ts";
import { ALL, answersTo, commandsFor, DIALOGS } from "../fakes/walk-inputs.ts";

const { approval, question, questions, plan, keys } = DIALOGS;

interface Walk extends Scene {
  def: Partial<AgentDef>;
}

/**
 * Everything that may happen in each of them, with `OJ_WALK=full`, as in `npm run test:long`: a million steps. Otherwise
 * each has what its rules concern.
 */
const IS_FULL = process.env.OJ_WALK === "full";

/** The longest walks. Their rules are the agent's own, so that of a job stands for that of a crew, unless it is full. */
const SAME_IN_A_CREW = [
  "shows dialogs, and says that it is stuck",
  "is allowed something else than it asked for",
  "is gated at its dialogs",
];

const walks: Record<string, Partial<Walk>> = {
  "shows dialogs, and says that it is stuck": { dialogs: [approval], also: ["escalates"] },
  "asks a question": { dialogs: [question] },
  "is allowed something else than it asked for": { dialogs: [approval], also: ["edits", "kills"] },
  "asks in its last words": { also: ["asks", "talk", "kills"] },
  "asks several questions": { dialogs: [questions] },
  plans: { dialogs: [plan] },
  ...(IS_FULL ? { "shows one dialog after the other": { dialogs: [approval, question, plan] } } : {}),
  "gets a message while its dialog is open": { dialogs: [approval], also: ["talk"] },
  "gets messages, is killed and is suspended": { also: ["talk", "kills", "suspends", "errors", "escalates"] },
  "reports before its start is recorded": { dialogs: [approval], early: true },
  "makes requests of its own": { requests: true },
  "is answered where answers can be undone": { dialogs: [approval], holds: true },
  "is nudged": { def: { on_idle: { action: "nudge", attempts: 1 } } },
  "is resumed": {
    also: ["errors"],
    def: {
      on_dead: { action: "resume", attempts: 1 },
      on_error: [{ action: "resume", attempts: 1, cooldown_ms: 60_000 }],
    },
  },
  "is gated when it is done": { def: { on_signal: { action: "gate", run: "npm test", attempts: 1 } } },
  "is gated when it stops": { def: { on_idle: { action: "gate", run: "true", cooldown_ms: 60_000 } } },
  "is gated when it dies or errs": {
    also: ["errors"],
    def: { on_dead: { action: "gate", run: "true" }, on_error: [{ action: "gate", run: "true" }] },
  },
  "is gated at its dialogs": {
    dialogs: [approval],
    def: { on_prompt: { action: "gate", run: "true", attempts: 1 } },
  },
  "is done or fails at once": {
    dialogs: [approval],
    also: ["errors", "kills"],
    def: { on_idle: { action: "done" }, on_dead: { action: "fail" }, on_error: [{ action: "fail" }] },
  },
  "ends with its turn": { def: { run: "claude -p" }, requests: true },
  "ends with its turn, and meets errors": { def: { run: "claude -p" }, also: ["errors", "kills"] },
  "is a program": { def: { run: "./repl" }, dialogs: [keys], also: ["talk"] },
};

/** How a state is left. */
type WayOut = "it has ended" | "it moves by itself" | "a person is asked" | "a command is named" | null;

function wayOut(node: Node, owner: OwnerId): WayOut {
  const { state } = node;
  const run = state.jobs.get(owner as never) ?? state.crews.get(owner as never);
  if (moves(state)) return "it moves by itself";
  if (!run || hasEnded(run)) return "it has ended";
  const changes = (name: string, rule: Parameters<typeof after>[1]["rule"]) => {
    const next = after(node, { name, rule });
    return next !== null && keyOf(next, owner) !== keyOf(node, owner);
  };
  const asked = [...state.pending].flatMap((id) => state.decisions.get(id) ?? []);
  if (asked.some((it) => answersTo(it).some((input) => changes(input.name, input.rule))))
    return "a person is asked";
  const lines = statusLines(statusView(state, undefined, node.now), { style: plain, now: node.now });
  const named = lines.flatMap((line) => /\boj ((?:job|crew|agent) \w+) (\S+)$/.exec(line)?.slice(1) ?? []);
  const command = commandsFor(state, owner).find((it) => `${it.name} ${it.id}` === named.join(" "));
  return command && changes(command.name, command.rule) ? "a command is named" : null;
}

describe.each(["job", "crew"] as const)("a %s whose agent", (kind) => {
  const isWalked = (name: string) => kind === "job" || IS_FULL || !SAME_IN_A_CREW.includes(name);
  it.each(
    someOf(
      Object.entries(walks).filter(([name]) => isWalked(name)),
      4,
    ),
  )("%s has a way out of every state it can get into", (name, more) => {
    const { def, ...scene } = {
      def: {},
      dialogs: [],
      requests: false,
      holds: false,
      early: false,
      also: [],
      ...more,
      ...(IS_FULL ? { also: ALL } : {}),
    };
    const { it: w } = kind === "job" ? agentAtWork(def) : crewAtWork(def);
    const owner = (kind === "job" ? [...w.state.jobs.keys()][0] : "crew-1") as OwnerId;
    const { nodes, steps } = walk(w.state, owner, scene, IS_FULL ? 100_000 : 4000);
    const ways = new Map<WayOut, number>();
    const dead: string[] = [];
    for (const [key, node] of nodes) {
      const way = wayOut(node, owner);
      ways.set(way, (ways.get(way) ?? 0) + 1);
      if (way === null) dead.push(`${node.path.join(" → ")}\n    ${key}`);
    }
    const out = [...ways].map(([way, number]) => `${number} ${way}`).join(", ");
    process.stdout.write(`a ${kind} whose agent ${name}: ${nodes.size} states, ${steps} steps; ${out}\n`);
    assert.equal(dead.length, 0, `${dead.length} dead ends:\n${dead.slice(0, 10).join("\n")}`);
  });
});
