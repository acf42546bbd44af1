/** What agents report by their hooks: read by their client, recorded as observations, and answered. */

import type { AgentClient, HookMeaning, Seen } from "../agents/client.ts";
import { observe } from "../core/agent.ts";
import type { Agent } from "../core/agent-types.ts";
import type { AgentId } from "../core/ids.ts";
import type { Engine } from "./engine.ts";
import type { Holds } from "./holds.ts";
import type { Ports } from "./ports.ts";
import type { Primer } from "./primer.ts";

export interface Hooks {
  /** Handles one report and returns the body of the response: an answer, a text to begin with, or nothing. */
  handle(agent_id: AgentId, body: unknown, abort: AbortSignal): Promise<object>;
  /** Records what was seen otherwise: by the process or on the screen. */
  saw(agent_id: AgentId, seen: Seen): Promise<void>;
  /** The daemon stops: connections that break from now on say nothing about the agents. */
  stop(): void;
}

/** Lines of output that go with a question. */
const TAIL_LINES = 50;

export function startHooks(
  engine: Engine,
  ports: Pick<Ports, "sessions" | "journal">,
  holds: Holds,
  primer: Primer,
  clientOf: (agent: Agent) => AgentClient,
): Hooks {
  let stopping = false;

  async function handle(agent_id: AgentId, body: unknown, abort: AbortSignal): Promise<object> {
    const agent = await engine.read((state) => state.agents.get(agent_id) ?? null);
    if (!agent || agent.status === "ended") return {};
    const meaning = clientOf(agent).read(body);
    if (!meaning) return {};
    if (meaning.hold) return (await held(agent_id, meaning, abort)) ?? {};
    for (const seen of meaning.seen) if (saysSomething(agent, seen)) await saw(agent_id, seen);
    if (meaning.prime) return primer.text(agent, meaning.prime).then((text) => primed(text));
    return {};
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
    if (body === null && abort.aborted && !stopping) await saw(agent_id, { type: "closed", key });
    return body;
  }

  async function saw(agent_id: AgentId, seen: Seen): Promise<void> {
    const full = "tail" in seen || !needsTail(seen) ? seen : { ...seen, tail: await tailOf(agent_id) };
    await engine.run((state, moment) => observe(state, { id: agent_id, seen: full as never }, moment));
    if (seen.type === "stopped" || seen.type === "errored" || seen.type === "exited") holds.release(agent_id);
    if (seen.type === "answered") holds.release(agent_id, seen.key);
  }

  async function tailOf(agent_id: AgentId): Promise<string> {
    const screen = await ports.sessions.screen(agent_id, { history: TAIL_LINES }).catch(() => "");
    return screen.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
  }

  return {
    handle,
    saw,
    stop() {
      stopping = true;
    },
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
