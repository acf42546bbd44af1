/**
 * Reads the file that keeps a conversation as it grows, and records what hooks would have reported: words that were
 * said, calls that ended. This is for agents whose reports may not arrive; once they do, the file is left alone. The
 * file and the terminal wake it.
 */
import fs from "node:fs";
import type { AgentClient, Seen } from "../../../agents/client.ts";
import { clients } from "../../../agents/known/clients.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import { conversationFile, conversationIn, registryFile } from "../conversation/conversation-file.ts";
import { grownBy } from "../conversation/file-parts.ts";
import { keptBy } from "../conversation/kept.ts";
import type { Launches } from "../conversation/launches.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { Turns } from "../hooks/turns.ts";

export interface StandIn {
  /** Reads what is new, and again whenever there is more. */
  follow(agent: Agent): Promise<void>;
  /** The agent's terminal printed something: the file may have grown, or exist by now. */
  printed(id: AgentId): void;
  /** The agent's process is gone; the file says how it ended. */
  ended(agent: Agent): Promise<void>;
  leave(id: AgentId): void;
  stop(): void;
}

/** Pauses before a read, as writes come in bursts and a working client prints all the time. */
const SOON_MS = 150;
const AGAIN_MS = 1000;

interface Followed {
  file: string;
  conversation: string;
  registry: string | null;
  offset: number;
  /** How much of what is behind the offset was recorded. The rest could not be: the disk was full. */
  told: number;
  since_ms: number;
  unwatch: () => void;
}

export function startStandIn(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "clock" | "journal">,
  parts: {
    hooks: Hooks;
    turns: Turns;
    launches: Launches;
    agentClientOf: (agent: Agent) => AgentClient;
    evident: (id: AgentId) => void;
    /** Whether the agent's reports may not arrive. One may come at any moment, and then the file is left alone. */
    isOpen: (id: AgentId) => boolean;
    /** Called after something was recorded. No report will follow, so the screen must show what came of it. */
    told: (id: AgentId) => void;
  },
): StandIn {
  const { terminals, clock, journal } = ports;
  const { hooks, turns, launches, agentClientOf } = parts;
  const since_ms = clock.now();
  const followed = new Map<AgentId, Followed>();
  const timers = new Map<AgentId, () => void>();
  /** One read at a time for each agent: what is new must be recorded once, and in order. */
  const lines = new Map<AgentId, Promise<void>>();
  let stopped = false;
  const agentNow = (id: AgentId) => engine.read((state) => state.agents.get(id) ?? null);

  function inLine(id: AgentId, call: () => Promise<void>): Promise<void> {
    const done = (lines.get(id) ?? Promise.resolve()).then(call);
    const settled = done.catch(() => {});
    lines.set(id, settled);
    void settled.then(() => lines.get(id) === settled && lines.delete(id));
    return done;
  }

  function soon(id: AgentId, ms: number): void {
    if (timers.has(id)) return;
    const due = async () => {
      timers.delete(id);
      const agent = await agentNow(id);
      if (agent && agent.status !== "ended") await follow(agent);
    };
    const failed = (error: Error) =>
      journal.warn("could not read a conversation's file", { agent_id: id, error: error.message });
    timers.set(
      id,
      clock.after(ms, () => void due().catch(failed)),
    );
  }

  async function begin(agent: Agent): Promise<Followed | null> {
    const launch = await launches.of(agent);
    if (!launch) return null;
    const conversation = agent.conversation ?? launch.conversation;
    const client = agentClientOf(agent);
    const file = await conversationFile(client, launch.place, conversation);
    if (file === null) return null;
    const listed = await terminals.list().catch(() => []);
    const pid = listed.find((it) => it.agent_id === agent.id)?.pid ?? null;
    const folder = client.keeps(launch.place, conversation)?.registry ?? null;
    const registry = folder === null ? null : await registryFile(client, folder, pid, conversation);
    // what was said before this daemon started is looked for on the screen (`finding.ts`)
    const since = launch.isOurs ? launch.started_at_ms : since_ms;
    if (stopped || !parts.isOpen(agent.id)) return null; // its first report came while we looked
    return at(agent.id, { file, conversation, registry, since_ms: since });
  }

  function at(id: AgentId, where: Omit<Followed, "offset" | "told" | "unwatch">): Followed {
    leave(id);
    const it = { ...where, offset: 0, told: 0, unwatch: watched(where.file, () => soon(id, SOON_MS)) };
    followed.set(id, it);
    return it;
  }

  function follow({ id }: Agent): Promise<void> {
    return inLine(id, async () => {
      const agent = await agentNow(id); // an earlier read may have found another conversation
      const it = agent && (followed.get(id) ?? (await begin(agent)));
      if (!it) return;
      await read(agent, it);
      await other(agent, it);
    });
  }

  async function read(agent: Agent, it: Followed): Promise<void> {
    const { id, conversation } = agent; // `agent` changes while we work
    const seen = { type: "conversation", conversation: it.conversation, transcript: it.file } as const;
    const still = (now: Agent) => isFollowed(id, it) && now.conversation === conversation;
    if (conversation !== it.conversation) await hooks.saw(id, seen, still);
    const grown = await grownBy(it.file, it.offset);
    const news = agentClientOf(agent).news(grown.text, it.since_ms);
    for (const one of news.slice(it.told)) {
      if (!isFollowed(id, it)) return;
      await tell(id, one, it);
      it.told += 1;
    }
    it.offset = grown.end;
    it.told = 0;
  }

  /** Once its reports arrive after all, they know better. */
  const isFollowed = (id: AgentId, it: Followed) => followed.get(id) === it;

  /** The context was cleared: another conversation, in another file, has taken this one's place. */
  async function other(agent: Agent, it: Followed): Promise<void> {
    const conversation =
      it.registry === null ? null : await conversationIn(agentClientOf(agent), it.registry);
    if (conversation === null || conversation === it.conversation) return;
    const launch = await launches.of(agent);
    const file = launch && (await conversationFile(agentClientOf(agent), launch.place, conversation));
    if (file && isFollowed(agent.id, it)) await read(agent, at(agent.id, { ...it, file, conversation }));
  }

  /** What the first read of a file finds may be long over: the screen may have shown more since. */
  async function tell(id: AgentId, seen: Seen, it: Followed): Promise<void> {
    const agent = await agentNow(id);
    if (!agent || agent.status === "ended" || !isFollowed(id, it)) return;
    if (seen.type === "submitted") turns.came(id, "begun");
    parts.evident(id);
    if (!(await hooks.isNews(id, seen))) return;
    const isNews = ({ status, outbox }: Agent) =>
      status === "working" || outbox.some((it) => it.reply === null);
    const mayBeOver = it.offset === 0 && seen.type === "submitted";
    await hooks.saw(id, seen, (now) => isFollowed(id, it) && (!mayBeOver || isNews(now)));
    parts.told(id);
  }

  function leave(id: AgentId): void {
    timers.get(id)?.();
    timers.delete(id);
    followed.get(id)?.unwatch();
    followed.delete(id);
  }

  return {
    follow,
    printed: (id) => soon(id, AGAIN_MS),
    async ended(agent) {
      await follow(agent);
      const now = await agentNow(agent.id);
      if (!now || !clients.endsWithTurn(now.kind, now.def.run) || now.status !== "working") return;
      const { last_message, error, begun } = await keptBy(now, agentClientOf(now));
      if (!begun) return;
      if (error) await hooks.saw(now.id, { type: "errored", ...error });
      else await hooks.saw(now.id, { type: "stopped", last_message });
    },
    leave,
    stop() {
      stopped = true;
      for (const id of [...followed.keys(), ...timers.keys()]) leave(id);
    },
  };
}

/** Where files can't be watched, the terminal's output has to be enough. */
function watched(file: string, call: () => void): () => void {
  try {
    const watcher = fs.watch(file, { persistent: false }, call);
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}
