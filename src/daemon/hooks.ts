/** What agents report by their hooks: read by their client, recorded as observations, and answered. */

import type { AgentClient, HookMeaning, Seen } from "../agents/client.ts";
import { observe } from "../core/agent.ts";
import type { Agent } from "../core/agent-types.ts";
import type { AgentId } from "../core/ids.ts";
import type { Engine } from "./engine.ts";
import type { Holds } from "./holds.ts";
import type { Ports } from "./ports.ts";
import type { Primer } from "./primer.ts";
import { tailOf } from "./tail.ts";

export interface Hooks {
  /** Handles one report and returns the body of the response: an answer, a text to begin with, or nothing. */
  handle(agent_id: AgentId, body: unknown, abort: AbortSignal): Promise<object>;
  /** Records what was seen otherwise: by the process or on the screen. */
  saw(agent_id: AgentId, seen: Seen): Promise<void>;
  /** The daemon stops: connections that break from now on say nothing about the agents. */
  stop(): void;
  /** Is this still the dialog that the agent shows, as far as its last tool call tells? */
  shows(agent_id: AgentId, key: string): boolean;
}

export function startHooks(
  engine: Engine,
  ports: Pick<Ports, "sessions" | "journal">,
  holds: Holds,
  primer: Primer,
  clientOf: (agent: Agent) => AgentClient,
): Hooks {
  let stopping = false;
  /** The tool call that each agent began last. PermissionRequest does not say which call it is about; this one is. */
  const begun = new Map<AgentId, { use: string; key: string }>();
  /** Calls that a person approved, by the agent: they may run exactly as they were shown. */
  const approved = new Map<AgentId, { use: string; key: string }>();

  async function handle(agent_id: AgentId, body: unknown, abort: AbortSignal): Promise<object> {
    const agent = await engine.read((state) => state.agents.get(agent_id) ?? null);
    if (!agent || agent.status === "ended") return {};
    const meaning = clientOf(agent).read(body);
    if (!meaning) return {};
    if (meaning.tool) return beforeTool(agent, meaning.tool);
    if (meaning.hold) return (await held(agent_id, meaning, abort)) ?? {};
    for (const seen of meaning.seen) if (saysSomething(agent, seen)) await saw(agent_id, seen);
    if (meaning.prime) return primer.text(agent, meaning.prime).then((text) => primed(text));
    return {};
  }

  /** Answers at once. A call that was approved and now wants to run as something else is refused. */
  function beforeTool({ id }: Agent, call: { use: string; key: string }): object {
    begun.set(id, call);
    const before = approved.get(id);
    if (before?.use !== call.use || before.key === call.key) return {};
    ports.journal.warn("a tool call differs from what was approved", {
      agent_id: id,
      approved: before.key,
      now: call.key,
    });
    const permissionDecisionReason =
      "This is not what was approved. Ask again with exactly what you want to run.";
    return {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason,
      },
    };
  }

  /** Held before it is recorded, so that no answer can come in between. */
  async function held(agent_id: AgentId, meaning: HookMeaning, abort: AbortSignal): Promise<object | null> {
    const prompted = meaning.seen.find((it) => it.type === "prompted");
    if (prompted?.type !== "prompted") return null;
    const { key } = prompted.prompt;
    const answer = holds.hold(agent_id, key, abort);
    await saw(agent_id, prompted);
    const open = await engine.read((state) => state.agents.get(agent_id)?.prompt?.key === key);
    if (!open) holds.release(agent_id, key); // settled while it was recorded
    const body = await answer;
    const call = begun.get(agent_id);
    if (body !== null && call?.key === key) approved.set(agent_id, call);
    if (body === null && abort.aborted && !stopping) await saw(agent_id, { type: "closed", key });
    return body;
  }

  async function saw(agent_id: AgentId, seen: Seen): Promise<void> {
    const full =
      "tail" in seen || !needsTail(seen) ? seen : { ...seen, tail: await tailOf(ports.sessions, agent_id) };
    await engine.run((state, moment) => observe(state, { id: agent_id, seen: full as never }, moment));
    if (seen.type === "exited") for (const it of [begun, approved]) it.delete(agent_id);
    if (seen.type === "stopped" || seen.type === "errored" || seen.type === "exited") holds.release(agent_id);
    if (seen.type === "answered") holds.release(agent_id, seen.key);
  }

  return {
    handle,
    saw,
    stop() {
      stopping = true;
    },
    shows: (agent_id, key) => (begun.get(agent_id)?.key ?? key) === key,
  };
}

/** Most tool calls change nothing for us: they must not cost a commit. */
function saysSomething(agent: Agent, seen: Seen): boolean {
  if (seen.type === "worked") return agent.status === "idle" || agent.status === "errored";
  if (seen.type === "answered")
    return agent.prompt?.key === seen.key || agent.outbox.some((it) => it.prompt_key === seen.key);
  if (seen.type === "conversation") return agent.conversation !== seen.conversation;
  return true;
}

function needsTail(seen: Seen): boolean {
  return ["prompted", "closed", "stopped", "errored", "exited", "signalled"].includes(seen.type);
}

function primed(text: string): object {
  return text === ""
    ? {}
    : { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text } };
}
