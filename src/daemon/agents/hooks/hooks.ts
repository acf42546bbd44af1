/**
 * Handles the reports of agents' hooks: has the agent client interpret each one, records what it means, and makes the
 * response.
 */

import type { AgentClient, HookMeaning, Seen } from "../../../agents/client.ts";
import { observe } from "../../../core/agent/agent.ts";
import type { Agent, Prompt } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import { underPolicies } from "../../../core/policy/ruling.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Policies } from "../../runbooks/policies.ts";
import { endOfAnswered } from "../conversation/kept.ts";
import { isAlive } from "../terminal/alive.ts";
import { isUnanswered } from "../terminal/dialog-end.ts";
import { startApprovals } from "./approvals.ts";
import type { News } from "./news.ts";
import { startNews, startUnrecorded } from "./news.ts";
import type { HookAnswer, OpenHooks } from "./open-hooks.ts";
import type { Primer } from "./primer.ts";
import { startSurroundings } from "./surroundings.ts";
import { startTelling } from "./telling.ts";
import type { ToolCalls } from "./tool-calls.ts";
import { startToolCalls } from "./tool-calls.ts";
import type { Turns } from "./turns.ts";
import { startTwins } from "./twins.ts";

export interface Hooks {
  /**
   * Handles one report and returns the body of the response: an answer, the agent's prime text, or nothing. `sent`
   * tells whether the response went out.
   */
  handle(agent_id: AgentId, body: unknown, abort: AbortSignal, sent?: Promise<boolean>): Promise<object>;
  /**
   * Records what was seen without a hook: by the process or on the screen. A hook may have overtaken that; if `still`
   * returns false, nothing is recorded.
   */
  saw(agent_id: AgentId, seen: Seen, still?: (agent: Agent) => boolean): Promise<void>;
  isNews: News["isNews"];
  dialogs: Pick<ToolCalls, "dialogOver" | "isDialogOver">;
  /** The daemon is stopping: connections that break from now on say nothing about the agents. */
  stop(): void;
}

/** After a dialog was closed in the terminal, the screen takes this long to show what came of it. */
const CLOSED_MS = 1500;

export function startHooks(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "journal" | "clock" | "readSource">,
  openHooks: OpenHooks,
  primer: Primer,
  turns: Turns,
  agentClientOf: (agent: Agent) => AgentClient,
  /** Called for each report. `isStart`: it reports the client's start. */
  came: (agent: Agent, isStart: boolean) => Promise<void> = async () => {},
  policies: Pick<Policies, "look"> = { look: async () => null },
  /** Called when something of an agent could not be recorded or seen. */
  lost: (id: AgentId, error: unknown) => void = () => {},
): Hooks {
  let stopping = false;
  const agentNow = (id: AgentId) => engine.read((state) => state.agents.get(id) ?? null);
  const { recording, isNews } = startNews(agentNow);
  const unrecorded = startUnrecorded(lost);
  const toolCalls = startToolCalls();
  /**
   * An agent's dialogs, one after the other. Several can be open at once; the person is asked in the terminal's order.
   */
  const lines = new Map<AgentId, Promise<unknown>>();
  /** Calls that a person approved, by their ids: they may run exactly as they were shown. */
  const approved = startApprovals();
  const twins = startTwins(engine, ports);
  const { asShown, lookFor, surroundings } = startSurroundings(
    { ...ports, openHooks, policies },
    agentNow,
    agentClientOf,
  );
  const telling = startTelling(engine, ports);
  /** Agents that are reading what they were told: the next thing they do is the receipt. */
  const readers = new Set<AgentId>();

  async function handle(
    agent_id: AgentId,
    body: unknown,
    abort: AbortSignal,
    sent = Promise.resolve(true),
  ): Promise<object> {
    const agent = await agentNow(agent_id);
    if (!agent || agent.status === "ended") return {};
    const isSame = sameRun(agent);
    const { incarnation } = agent; // `agent` changes while we work
    const asked = agent.prompt?.key;
    const meaning = agentClientOf(agent).read(body);
    if (!meaning) return {};
    const { conversation, turn } = meaning;
    if (turn !== null) turns.came(agent_id, turn);
    await came(agent, turn === "ready");
    let now = agent;
    if (conversation !== null && conversation.id !== agent.conversation) {
      await saw(agent_id, {
        type: "conversation",
        conversation: conversation.id,
        transcript: conversation.transcript,
      });
      if (turn === "ready") toolCalls.conversationOver(agent_id); // a dialog of it may not be recorded yet
      if (asked !== undefined) overWithoutReport(agent_id, asked);
      now = (await agentNow(agent_id)) ?? agent;
    }
    const isOwn = turn !== null; // what a subagent does shows nothing of what its agent has read
    // what went out a moment ago may not be recorded yet
    if (meaning.reads && telling.isTold(now)) readers.add(agent_id);
    else if (meaning.tool && isOwn && readers.delete(agent_id)) await saw(agent_id, { type: "heard" });
    if (meaning.reads || meaning.tool) await goesOn(now);
    if (meaning.tool) return beforeTool(agent, meaning.tool);
    const [prompted] = meaning.seen;
    if (meaning.staysOpen && prompted?.type === "prompted")
      return ask(agent_id, prompted.prompt, { isSame, abort, sent });
    for (const seen of meaning.seen) {
      if (seen.type === "answered") {
        toolCalls.ended(agent_id, seen.key);
        approved.ended(agent_id, seen.key);
        twins.ended(agent_id, seen.key);
      }
      if (await isNews(agent_id, seen)) await saw(agent_id, seen, isOfRun(seen) ? isSame : undefined);
    }
    if (!meaning.tell) return {};
    const primed = meaning.prime === null ? "" : await primer.text(agent, meaning.prime);
    const news = await telling.newsFor({ id: agent_id, incarnation }, meaning, sent);
    // the model gets it with this response: whatever the agent does next is the receipt
    if (news.length > 0 && (meaning.reads || meaning.prime !== null)) readers.add(agent_id);
    const words = [primed, ...news.map((it) => it.text)].filter((it) => it !== "").join("\n\n");
    return words !== "" ? meaning.tell(words) : {};
  }

  /** A plan that was accepted with a cleared context: nothing more comes from the conversation that it was part of. */
  function overWithoutReport(agent_id: AgentId, key: string): void {
    toolCalls.dialogOver(agent_id, key);
    openHooks.release(agent_id, key);
  }

  /** Where the end of a refused call is not reported, what the agent does next shows that it got the refusal. */
  async function goesOn(agent: Agent): Promise<void> {
    const key = agent.prompt?.key;
    if (key === undefined || agentClientOf(agent).reportsRefusals) return;
    const parcel = agent.outbox.find((it) => it.prompt_key === key);
    if (parcel?.state === "delivered" && parcel.reply?.type === "deny")
      await saw(agent.id, { type: "answered", key });
  }

  /** Responds at once. Refuses a call that was approved and now wants to run as something else. */
  function beforeTool({ id }: Agent, { use, key: name, refuse }: NonNullable<HookMeaning["tool"]>): object {
    toolCalls.began(id, use, name);
    const before = approved.of(id, use);
    if (before === null || before === name) return {};
    ports.journal.warn("a tool call differs from what was approved", {
      agent_id: id,
      approved: before,
      now: name,
    });
    return refuse("This is not what was approved. Ask again with exactly what you want to run.");
  }

  async function ask(
    agent_id: AgentId,
    prompt: Prompt,
    { isSame, abort, sent }: { isSame(now: Agent): boolean; abort: AbortSignal; sent: Promise<boolean> },
  ): Promise<object> {
    const use = toolCalls.asked(agent_id, prompt.key);
    if (twins.has(agent_id, prompt)) {
      const shared = await twins.join(agent_id, await asShown(agent_id, prompt), { use, abort, sent });
      if (abort.aborted || (use !== null && !toolCalls.isOpen(agent_id, use))) return {};
      if (shared !== null && use !== null) approved.add(agent_id, use, shared.call ?? prompt.key);
      if (shared !== null) return shared.body;
    }
    let noteRecorded = () => {};
    const recorded = new Promise<void>((resolve) => {
      noteRecorded = resolve;
    });
    const named = use === null ? prompt : { ...prompt, key: use };
    const isOver = () =>
      use !== null && (!toolCalls.isOpen(agent_id, use) || toolCalls.isDialogOver(agent_id, use));
    const still = (now: Agent) => isSame(now) && !isOver();
    const before = lines.get(agent_id) ?? Promise.resolve();
    const answer = before.then(() =>
      abort.aborted || isOver() ? null : untilAnswered(agent_id, named, { abort, still, noteRecorded }),
    );
    twins.asks(agent_id, prompt, answer, recorded);
    const settled = answer.catch(() => {});
    lines.set(agent_id, settled);
    void settled.then(() => lines.get(agent_id) === settled && lines.delete(agent_id));
    const given = await answer;
    if (given !== null && use !== null) approved.add(agent_id, use, given.call ?? prompt.key);
    return given?.body ?? {};
  }

  /**
   * The hook is open before the dialog is recorded, so that no answer can come in between. The dialog may be over
   * before it is recorded, because we first look at what is around it.
   */
  async function untilAnswered(
    agent_id: AgentId,
    prompt: Prompt,
    { abort, still, noteRecorded }: { abort: AbortSignal; still(now: Agent): boolean; noteRecorded(): void },
  ): Promise<HookAnswer | null> {
    const { key } = prompt;
    const answer = openHooks.wait(agent_id, key, abort);
    await saw(agent_id, { type: "prompted", prompt }, still).catch((error) => {
      openHooks.release(agent_id, key); // nobody waits here any more, so an answer must go another way
      throw error;
    });
    noteRecorded();
    const open = await engine.read((state) => state.agents.get(agent_id)?.prompt?.key === key);
    // it was settled while we recorded it, or somebody at the terminal could not see it
    if (!open || (await isHidden(agent_id))) openHooks.release(agent_id, key);
    const given = await answer;
    if (given === null && abort.aborted && !stopping)
      void closed(agent_id, key).catch((error) => lost(agent_id, error));
    return given;
  }

  /** Whether the client draws no dialog while its hook is open, and somebody is there to answer one. */
  async function isHidden(id: AgentId): Promise<boolean> {
    const agent = await agentNow(id);
    if (!agent || !agentClientOf(agent).hidesDialogs) return false;
    const listed = await ports.terminals.list().catch(() => []);
    return listed.some((it) => it.agent_id === id && it.attached);
  }

  /**
   * The connection broke. Either the dialog was refused in the terminal and the turn is over, or it was accepted with a
   * cleared context and the agent is working, or the agent died, which is reported separately. The screen shows which.
   */
  async function closed(agent_id: AgentId, key: string): Promise<void> {
    await new Promise<void>((resolve) => ports.clock.after(CLOSED_MS, resolve));
    const agent = await agentNow(agent_id);
    if (stopping || agent?.prompt?.key !== key) return;
    if (!(await isAlive(ports.terminals, agent_id).catch(() => true))) return;
    const shown = agentClientOf(agent).look(await ports.terminals.screen(agent_id));
    await saw(agent_id, { type: shown.state === "working" ? "answered" : "closed", key }, isUnanswered(key));
  }

  const saw: Hooks["saw"] = (agent_id, seen, still) =>
    recording(agent_id, async () => {
      const end = goesBeyond(seen) ? await endInFile(agent_id) : null;
      if (end) await inOrder(agent_id, end);
      await inOrder(agent_id, seen, still);
    });

  function inOrder(agent_id: AgentId, seen: Seen, still?: (agent: Agent) => boolean): Promise<void> {
    return unrecorded.inOrder(agent_id, seen, still === undefined, (it) =>
      record(agent_id, it, it === seen ? still : undefined),
    );
  }

  /** What follows a call would make its answer ours, or tell it again; the file may say that it was somebody else's. */
  async function endInFile(agent_id: AgentId): Promise<Seen | null> {
    const agent = await agentNow(agent_id);
    const end = agent && (await endOfAnswered(agent, agentClientOf(agent)));
    return end && { type: "answered", ...end };
  }

  async function record(
    agent_id: AgentId,
    seen: Seen,
    still: (agent: Agent) => boolean = () => true,
  ): Promise<void> {
    const full =
      "tail" in seen || !needsTail(seen) ? seen : { ...seen, ...(await surroundings(agent_id, seen)) };
    const look = needsTail(seen) ? await lookFor(agent_id, full) : null;
    let overtaken = false;
    await engine.run((state, moment) => {
      const agent = state.agents.get(agent_id);
      overtaken = agent !== undefined && !still(agent);
      if (overtaken) return [];
      const facts = observe(state, { id: agent_id, seen: full as never }, moment);
      return underPolicies(state, facts, look, moment);
    });
    if (overtaken) return;
    if (seen.type === "exited") {
      toolCalls.forget(agent_id);
      turns.forget(agent_id);
      approved.forget(agent_id);
      readers.delete(agent_id);
    }
    if (seen.type === "stopped" || seen.type === "errored" || seen.type === "exited")
      openHooks.release(agent_id);
    if (seen.type === "answered") openHooks.release(agent_id, seen.key);
  }

  return {
    handle,
    saw,
    isNews,
    dialogs: toolCalls,
    stop() {
      stopping = true;
    },
  };
}

/** What is true only of the process that reported it. By the time it is recorded, another may run in its place. */
function isOfRun({ type }: Seen): boolean {
  return type === "prompted" || type === "stopped" || type === "errored";
}

/** Whether an agent of which this is seen has left the dialog that it showed. */
function goesBeyond({ type }: Seen): boolean {
  return ["submitted", "prompted", "stopped", "errored", "exited", "signalled"].includes(type);
}

/** The agent changes while we work, so this must be made before. */
function sameRun({ incarnation }: Agent): (now: Agent) => boolean {
  return (now) => now.incarnation === incarnation;
}

function needsTail(seen: Seen): boolean {
  return ["prompted", "closed", "stopped", "errored", "exited", "signalled", "hung"].includes(seen.type);
}
