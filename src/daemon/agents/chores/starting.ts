/** Starts agents: opens the terminal with the agent's task and everything else the agent must be told. */
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { Launch } from "../../../agents/client.ts";
import type { HookRule } from "../../../agents/client-settings.ts";
import { observe } from "../../../core/agent/agent.ts";
import { startedFor, startedWith } from "../../../core/agent/started.ts";
import { agentScope } from "../../../core/flow/agent-scope.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import { TERMINAL_SIZE } from "../../../core/model/agent-types.ts";
import { effectKey } from "../../../core/model/effects.ts";
import { interpolate } from "../../../core/script/interpolate.ts";
import { Unreachable } from "../../../ports.ts";
import type { Recorder } from "../../engine/chores.ts";
import { marked } from "../../secrets/marks.ts";
import { beginningOf } from "../conversation/file-parts.ts";
import { keepingVariables } from "../conversation/launches.ts";
import { hookRuleFor, TOKEN_VARIABLE, tellHookRule } from "./hook-rule.ts";
import type { AgentWorld } from "./world.ts";
import { environmentOf, identityOf } from "./world.ts";

const MAX_TASK = 200_000;
const BEGINNING = 4 * 1024 * 1024;
const MOST_TRIES = 5;

export function agentStarter(world: AgentWorld): (agent: Agent, record: Recorder) => Promise<void> {
  const { engine, ports } = world;
  return start;

  async function start(agent: Agent, record: Recorder): Promise<void> {
    const { id, incarnation } = agent;
    const parcel_ids = agent.outbox.map((it) => it.id);
    const client = world.agentClientOf(agent);
    const listed = await ports.terminals.list().catch((error: Error) => error);
    if (listed instanceof Error) return failed(agent, listed, record);
    const there = listed.find((it) => it.agent_id === id);
    if (there?.alive) {
      await begun(agent, record); // started before a crash, but not yet recorded
      return world.found(id);
    }
    if (there) await ports.terminals.kill(id);
    const folder = path.join(world.dir, id);
    const own = await identityOf(world, agent);
    let launch: Launch;
    let env: Record<string, string>;
    let rule: HookRule | null;
    try {
      env = await environmentOf(world, agent);
      const resume = await conversationOf(agent);
      rule = await hookRuleFor(world, agent, { ...env, ...agent.def.env });
      const conversation = randomUUID();
      launch = client.launch({
        ...agent.command,
        message: await messageOf(agent, resume, rule?.door === "none"),
        resume,
        conversation,
        hookUrl: world.hookUrl(),
        tokenVariable: TOKEN_VARIABLE,
        folder,
        hooks: rule && rule.door !== "none" ? rule.door : (client.hooks[0] ?? "http"),
      });
      for (const [file, content] of Object.entries(launch.files))
        await fs.writeFile(file, content, { mode: 0o600 });
      const given = { ...env, ...agent.def.env, ...launch.env };
      world.turns.started(id);
      if (rule) world.reports.starting(id, rule.door);
      await world.launches.note(id, {
        incarnation,
        conversation: resume ?? conversation,
        started_at_ms: ports.clock.now(),
        env: keepingVariables(client, given),
      });
      await ports.terminals.start({
        agent_id: id,
        argv: marked(launch.argv, await world.marks.of(id)),
        cwd: agent.cwd,
        env: { ...given, ...own },
        ...TERMINAL_SIZE,
      });
    } catch (error) {
      return failed(agent, error as Error, record);
    }
    if (launch.saysMessage)
      await record((state, moment) => startedWith(state, { id, incarnation, parcel_ids }, moment));
    else await begun(agent, record);
    if (rule) await tellHookRule(world, agent, rule);
    // the program may be the agent's own work, so it runs with the agent's rights
    void noteVersion(agent, { ...env, ...agent.def.env, ...own });
  }

  /**
   * If the terminals don't respond, the agent may or may not have been started; the next try finds out. A person is
   * asked only after several tries: an agent that is recorded as dead but is alive would be ignored.
   */
  async function failed(agent: Agent, error: Error, record: Recorder): Promise<void> {
    const { id, incarnation, project } = agent;
    const key = effectKey({ type: "start-agent", agent_id: id, incarnation, project });
    const tried = await engine.read((state) => state.retries.get(key)?.attempt ?? 0);
    if (error instanceof Unreachable && tried < MOST_TRIES) throw error;
    return notStarted(agent, error, record);
  }

  /** Only a program is owed its task now: a client was started with it, or has none. */
  async function begun(agent: Agent, record: Recorder): Promise<void> {
    const { id, incarnation } = agent;
    const isProgram = world.agentClientOf(agent).hooks.length === 0;
    const task = isProgram ? await taskOf(agent).catch(() => "") : ""; // its file was there a moment ago
    await record((state, moment) => startedFor(state, { id, incarnation, task }, moment));
  }

  /** An old client version must neither prevent nor delay a start. */
  async function noteVersion(agent: Agent, env: Record<string, string>): Promise<void> {
    const { id, def, cwd } = agent;
    const { olderThanTested } = world.agentClientOf(agent);
    if (olderThanTested === null) return;
    try {
      const [program = ""] = def.run.trim().split(/\s+/);
      const note = olderThanTested(await ports.programs.version(program, { cwd, env }));
      if (note === null) return;
      ports.journal.warn(note, { agent_id: id });
      await engine.run((state, moment) => observe(state, { id, seen: { type: "noted", note } }, moment));
    } catch (error) {
      ports.journal.warn("could not check a client's version", { error: (error as Error).message });
    }
  }

  /**
   * The conversation to resume, if its file was kept. The agent named that file, so we only check it and never show it.
   */
  async function conversationOf(agent: Agent): Promise<string | null> {
    const { conversation, transcript } = agent;
    if (conversation === null || transcript === null) return conversation;
    return world.agentClientOf(agent).resumes(await beginningOf(transcript, BEGINNING)) ? conversation : null;
  }

  /**
   * Everything the agent must be told, after its task if it starts fresh: an agent that died at once knows nothing yet.
   */
  async function messageOf(agent: Agent, resume: string | null, isUnhooked: boolean): Promise<string | null> {
    // no hook will come to fetch the prime text
    const prime = isUnhooked ? [await world.primer.text(agent, resume === null ? "startup" : "resume")] : [];
    const task = resume === null ? [await taskOf(agent)] : [];
    const texts = [...prime, ...task, ...agent.outbox.map((it) => it.text)].filter((it) => it !== "");
    return texts.length > 0 ? texts.join("\n\n") : null;
  }

  /** The agent's task: the runbook's `prompt`, or the content of the file that the runbook names. */
  async function taskOf({ id, def, root }: Agent): Promise<string> {
    if (def.prompt_file === undefined) return def.prompt ?? "";
    const text = await fs.readFile(path.resolve(root, def.prompt_file), "utf8");
    if (text.length > MAX_TASK) throw new Error(`${def.prompt_file} has more than ${MAX_TASK} characters`);
    return engine.read((state) => {
      const agent = state.agents.get(id);
      return agent ? interpolate(text, agentScope(state, agent)) : text;
    });
  }
}

async function notStarted({ id, incarnation }: Agent, { message }: Error, record: Recorder): Promise<void> {
  const error = `it could not be started: ${message}`;
  const seen = { type: "exited", incarnation, code: null, signal: null, error, tail: "" } as const;
  await record((state, moment) => observe(state, { id, seen }, moment));
}
