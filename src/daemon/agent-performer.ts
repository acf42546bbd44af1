/** Does the chores of agents: start, stop, deliver, gate, wake. One short case each and no policy. */
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { AgentClient, Launch } from "../agents/client.ts";
import { agentCooled, agentGateEnded, observe } from "../core/agent.ts";
import { agentScope } from "../core/agent-scope.ts";
import type { Agent, Parcel } from "../core/agent-types.ts";
import { olderThanTested } from "../core/client-version.ts";
import { draftOn } from "../core/draft.ts";
import type { AgentEffect } from "../core/effects.ts";
import { never } from "../core/errors.ts";
import type { AgentId } from "../core/ids.ts";
import { interpolate } from "../core/interpolate.ts";
import { owe, parcelDelivered, parcelReceived, sayParcel } from "../core/parcel.ts";
import { isShownOnly } from "./catch-up.ts";
import type { Record } from "./chores.ts";
import type { Engine } from "./engine.ts";
import { beginningOf } from "./file-parts.ts";
import type { Holds } from "./holds.ts";
import type { Ports } from "./ports.ts";
import type { Primer } from "./primer.ts";
import { timesSaid } from "./said.ts";
import { tailOf } from "./tail.ts";
import type { Tokens } from "./tokens.ts";
import type { Turns } from "./turns.ts";
import type { Typist } from "./typist.ts";

export interface AgentWorld {
  engine: Engine;
  ports: Ports;
  holds: Holds;
  tokens: Tokens;
  primer: Primer;
  turns: Turns;
  typist: Typist;
  clientOf(agent: Agent): AgentClient;
  /** A dialog that only the screen told of has its answer. */
  settled(agent_id: AgentId, key: string): Promise<void>;
  /** Where agents' hooks report. */
  hookUrl(): string;
  /** A folder for each agent's files. */
  dir: string;
  stateDir: string;
  env: Readonly<globalThis.Record<string, string>>;
}

const MAX_TASK = 200_000;
const GATE_BYTES = 16_384;
const BEGINNING = 4 * 1024 * 1024;
/** How long a receipt may take before we look again, and how often. */
const RECEIPT_WITHIN_MS = 4000;
const RECEIPT_ROUNDS = 9;
const LOOK_EVERY_MS = 250;
const COLUMNS = 120;
const ROWS = 40;

export function agentPerformer(world: AgentWorld): (effect: AgentEffect, record: Record) => Promise<void> {
  const { engine, ports } = world;
  const agentNow = (id: AgentId) => engine.read((state) => state.agents.get(id) ?? null);

  return async (effect, record) => {
    const agent = await agentNow(effect.agent_id);
    if (!agent) return;
    switch (effect.type) {
      case "start-agent":
        return start(agent, record);
      case "stop-agent":
        return stop(agent, effect.incarnation, record);
      case "deliver":
        return deliver(agent, effect.parcel.id, record);
      case "run-gate":
        return gate(agent, effect, record);
      case "wake-agent":
        await record((state, moment) => agentCooled(state, { id: agent.id }, moment));
        return;
      default:
        never(effect);
    }
  };

  async function start(agent: Agent, record: Record): Promise<void> {
    const { id, incarnation } = agent;
    const listed = await ports.sessions.list().catch((error: Error) => error);
    if (listed instanceof Error) return notStarted(agent, listed, record);
    const there = listed.find((it) => it.agent_id === id);
    if (there?.alive) return spawned(agent, record); // begun before a crash, and not yet recorded
    if (there) await ports.sessions.kill(id);
    const folder = path.join(world.dir, id);
    const token = await world.tokens.of(id);
    let launch: Launch;
    let env: globalThis.Record<string, string>;
    try {
      env = await environment(agent);
      const resume = await conversationOf(agent);
      launch = world.clientOf(agent).launch({
        ...agent.command,
        message: await messageOf(agent, resume),
        resume,
        conversation: randomUUID(),
        hookUrl: world.hookUrl(),
        tokenVariable: "OJ_AGENT_TOKEN",
        folder,
      });
      for (const [file, content] of Object.entries(launch.files))
        await fs.writeFile(file, content, { mode: 0o600 });
      const own = {
        OJ_AGENT: id,
        OJ_AGENT_TOKEN: token,
        OJ_PROJECT: agent.project,
        OJ_STATE_DIR: world.stateDir,
      };
      world.turns.started(id);
      await ports.sessions.start({
        agent_id: id,
        argv: launch.argv,
        cwd: agent.cwd,
        env: { ...env, ...agent.def.env, ...launch.env, ...own },
        columns: COLUMNS,
        rows: ROWS,
      });
    } catch (error) {
      return notStarted(agent, error as Error, record);
    }
    await spawned(agent, record);
    void noteVersion(agent, { ...env, ...agent.def.env });
    if (launch.saysMessage)
      await markDelivered(
        agent,
        agent.outbox.map((it) => it.id),
        record,
      );
    else if (incarnation === 1 && agent.def.prompt !== undefined)
      await oweTask(agent, agent.def.prompt, record);
  }

  /** An old client is no reason not to start it, and nothing that a start waits for. */
  async function noteVersion(
    { id, kind, def, cwd }: Agent,
    env: globalThis.Record<string, string>,
  ): Promise<void> {
    if (kind !== "claude-code") return;
    try {
      const [program = ""] = def.run.trim().split(/\s+/);
      const note = olderThanTested(await ports.programs.version(program, { cwd, env }));
      if (note === null) return;
      ports.journal.warn(note, { agent_id: id });
      await engine.run((state, moment) => observe(state, { id, seen: { type: "noted", note } }, moment));
    } catch (error) {
      ports.journal.warn("a client's version was not looked at", { error: (error as Error).message });
    }
  }

  async function notStarted({ id, incarnation }: Agent, { message }: Error, record: Record): Promise<void> {
    const error = `it could not be started: ${message}`;
    const seen = { type: "exited", incarnation, code: null, signal: null, error, tail: "" } as const;
    await record((state, moment) => observe(state, { id, seen }, moment));
  }

  function spawned(agent: Agent, record: Record): Promise<void> {
    const seen = { type: "spawned", incarnation: agent.incarnation } as const;
    return record((state, moment) => observe(state, { id: agent.id, seen }, moment)).then(() => undefined);
  }

  /** A program can't be told by its arguments: it hears its task when it first waits for words. */
  async function oweTask(agent: Agent, text: string, record: Record): Promise<void> {
    await record((state, moment) => {
      const now = state.agents.get(agent.id);
      if (!now || text === "" || now.outbox.some((it) => it.text === text)) return [];
      const draft = draftOn(state, moment);
      owe(draft, agent.id, { decision_id: null, prompt_key: null, reply: null, text });
      return draft.facts;
    });
  }

  /** The conversation to go on with, if it was kept. What the agent says of its file is only looked at, never shown. */
  async function conversationOf(agent: Agent): Promise<string | null> {
    const { conversation, transcript } = agent;
    if (conversation === null || transcript === null) return conversation;
    return world.clientOf(agent).resumes(await beginningOf(transcript, BEGINNING)) ? conversation : null;
  }

  /** All that it has to hear, after its task if it has not begun: one that died at once knows of nothing. */
  async function messageOf(agent: Agent, resume: string | null): Promise<string | null> {
    const task = resume === null ? [await taskOf(agent)] : [];
    const texts = [...task, ...agent.outbox.map((it) => it.text)].filter((it) => it !== "");
    return texts.length > 0 ? texts.join("\n\n") : null;
  }

  /** What it is told to do: as the runbook says it, or what the file holds that the runbook names. */
  async function taskOf({ id, def, root }: Agent): Promise<string> {
    if (def.prompt_file === undefined) return def.prompt ?? "";
    const text = await fs.readFile(path.resolve(root, def.prompt_file), "utf8");
    if (text.length > MAX_TASK) throw new Error(`${def.prompt_file} has more than ${MAX_TASK} characters`);
    return engine.read((state) => {
      const agent = state.agents.get(id);
      return agent ? interpolate(text, agentScope(state, agent)) : text;
    });
  }

  async function environment(agent: Agent): Promise<globalThis.Record<string, string>> {
    const { owner: of } = agent;
    const origin = await engine.read((state) => (of.kind === "job" ? state.jobs.get(of.id)?.origin : of.id));
    const owner = await ports.files.loadEnv(origin ?? of.id);
    return owner ?? { ...world.env };
  }

  async function stop(agent: Agent, incarnation: number, record: Record): Promise<void> {
    const exit = (await ports.sessions.list()).find((it) => it.agent_id === agent.id)?.exit;
    const tail = agent.stopping === "kill" ? await tailOf(ports.sessions, agent.id) : "";
    world.holds.release(agent.id);
    await ports.sessions.kill(agent.id);
    const seen = {
      type: "exited",
      incarnation,
      code: exit?.code ?? null,
      signal: exit?.signal ?? "SIGTERM",
      error: null,
      tail,
    } as const;
    await record((state, moment) => observe(state, { id: agent.id, seen }, moment));
  }

  /** By the held hook where one waits; else by keys; words are pasted. Throws when it did not go: it is tried again. */
  async function deliver(agent: Agent, parcelId: string, record: Record): Promise<void> {
    const parcel = agent.outbox.find((it) => it.id === parcelId);
    if (!parcel) return;
    const client = world.clientOf(agent);
    const { prompt } = agent; // the agent changes while we are at it
    if (parcel.reply && prompt && prompt.key === parcel.prompt_key) {
      const body = client.reply(prompt, parcel.reply);
      if (body === null || !world.holds.answer(agent.id, prompt.key, body)) {
        await world.typist.choose(agent, client, parcel.reply, () => isOpen(agent, parcel));
      }
      await markDelivered(agent, [parcel.id], record);
      // the screen reacted: more can't be proved where no hook tells of the dialog
      if (agent.kind === "program" || isShownOnly(prompt.key)) await markReceived(agent, parcel.id, record);
      if (isShownOnly(prompt.key)) await world.settled(agent.id, prompt.key);
      return;
    }
    if (agent.kind !== "program") await noteShown(agent, client, parcel, record);
    await world.typist.say(agent, client, parcel.text);
    await markDelivered(agent, [parcel.id], record);
    if (agent.kind === "program") return markReceived(agent, parcel.id, record); // its screen reacted: more it can't prove
    await received(agent, client, parcel);
  }

  /** Should this daemon die now, the next one can tell by this whether the words were said. */
  async function noteShown(
    { id }: Agent,
    client: AgentClient,
    parcel: Parcel,
    record: Record,
  ): Promise<void> {
    const shown = await timesSaid(ports.sessions, client, id, parcel.text);
    await record((state, moment) => {
      if (!state.agents.has(id)) return [];
      const draft = draftOn(state, moment);
      sayParcel(draft, id, parcel.id, shown);
      return draft.facts;
    });
  }

  async function isOpen(agent: Agent, { id, prompt_key }: Parcel): Promise<boolean> {
    const now = await agentNow(agent.id);
    return now?.prompt?.key === prompt_key && now.outbox.some((it) => it.id === id);
  }

  /** A paste or an Enter can get lost: while the agent shows that it still waits for words, it is pressed or said again. */
  async function received(agent: Agent, client: AgentClient, { id, text }: Parcel): Promise<void> {
    const { clock, sessions, journal } = ports;
    for (let round = 1; round <= RECEIPT_ROUNDS; round++) {
      const until = clock.monotonic() + RECEIPT_WITHIN_MS;
      while (clock.monotonic() < until) {
        const now = await agentNow(agent.id);
        if (!now?.outbox.some((it) => it.id === id) || now.incarnation !== agent.incarnation) return;
        await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
      }
      if (client.look(await sessions.screen(agent.id)).state !== "idle") continue;
      if (round % 3 === 0) await world.typist.say(agent, client, text);
      else await sessions.press(agent.id, ["Enter"]);
    }
    journal.warn("an agent gave no receipt for what it was told", { agent_id: agent.id, parcel_id: id });
  }

  async function markDelivered(agent: Agent, ids: readonly string[], record: Record): Promise<void> {
    await record((state, moment) => {
      if (!state.agents.has(agent.id)) return [];
      const draft = draftOn(state, moment);
      for (const id of ids) parcelDelivered(draft, agent.id, id);
      return draft.facts;
    });
  }

  async function markReceived(agent: Agent, id: string, record: Record): Promise<void> {
    await record((state, moment) => {
      if (!state.agents.has(agent.id)) return [];
      const draft = draftOn(state, moment);
      parcelReceived(draft, agent.id, id);
      return draft.facts;
    });
  }

  async function gate(
    agent: Agent,
    effect: Extract<AgentEffect, { type: "run-gate" }>,
    record: Record,
  ): Promise<void> {
    const { run_id, timeout_ms, script, values, cwd, project } = effect;
    const job_id = effect.job_id ?? "job-gate";
    // a gate runs what the agent made (its tests, its scripts): as the agent, and not as a person
    const OJ_AGENT_TOKEN = await world.tokens.of(agent.id);
    const own = { OJ_AGENT: agent.id, OJ_AGENT_TOKEN, OJ_PROJECT: agent.project };
    const env = { ...(await environment(agent)), ...own };
    const run = {
      job_id,
      project,
      step: "gate",
      run_id,
      purpose: "context",
      script,
      values,
      env: agent.def.env,
      cwd,
    } as const;
    const log = effect.job_id === null ? async () => {} : (part: Buffer) => ports.files.write(job_id, part);
    const outcome = await ports.shell.run(run, {
      env,
      timeoutMs: timeout_ms,
      keepBytes: GATE_BYTES,
      keep: "tail",
      onOutput: log,
    });
    await ports.shell.forget(run_id);
    const passed = outcome.error === null && outcome.exit_code === 0;
    const prime = passed ? "" : await world.primer.text(agent, "signal");
    const tail = passed ? "" : await tailOf(ports.sessions, agent.id);
    const { exit_code, error, output } = outcome;
    await record((state, moment) =>
      agentGateEnded(state, { id: agent.id, run_id, exit_code, error, output, prime, tail }, moment),
    );
  }
}
