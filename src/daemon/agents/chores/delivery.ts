/** Brings agents what they are owed, and records how far it got. */
import type { AgentClient } from "../../../agents/client.ts";
import { observe } from "../../../core/agent/agent.ts";
import { changeLost, dialogAnswered } from "../../../core/agent/dialog.ts";
import type { Agent, Parcel, Prompt, Reply } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import { saying, wordsSaid } from "../../../core/outbox/delivery.ts";
import { editOf } from "../../../core/outbox/reply.ts";
import type { Recorder } from "../../engine/chores.ts";
import type { Condition } from "../../engine/until.ts";
import { until } from "../../engine/until.ts";
import { endOfAnswered, keptBy } from "../conversation/kept.ts";
import { endOfLostChange } from "../terminal/dialog-end.ts";
import { timesSaid } from "../terminal/said.ts";
import { isShownOnly } from "../watch/catch-up.ts";
import type { AgentWorld } from "./world.ts";

/** How long we wait for a receipt before we look again, and how many times we look. */
const RECEIPT_WITHIN_MS = 4000;
const RECEIPT_ROUNDS = 9;

export interface Delivery {
  deliver(agent: Agent, parcelId: string, record: Recorder): Promise<void>;
  /** Nothing is delivered before the agent was looked at after a start of the daemon. */
  looked(parcelId: string): Promise<void>;
  /** What a delivery in progress is waiting for. */
  doing(parcelId: string): string | null;
}

export function agentDelivery(world: AgentWorld): Delivery {
  const { engine, ports } = world;
  const agentNow = (id: AgentId) => engine.read((state) => state.agents.get(id) ?? null);
  const doing = new Map<string, string>();
  return {
    deliver: (agent, parcelId, record) =>
      deliver(agent, parcelId, record).finally(() => doing.delete(parcelId)),
    looked(parcelId) {
      doing.set(parcelId, "oj has started again, and the agent's terminal has not responded yet");
      return world.looked().finally(() => doing.delete(parcelId));
    },
    doing: (parcelId) => doing.get(parcelId) ?? null,
  };

  /**
   * Answers a dialog through its open hook if there is one, otherwise with keys; other words are pasted. Throws when
   * delivery failed, so that it is tried again.
   */
  async function deliver(agent: Agent, parcelId: string, record: Recorder): Promise<void> {
    const parcel = agent.outbox.find((it) => it.id === parcelId);
    if (!parcel) return;
    const client = world.agentClientOf(agent);
    const { prompt, incarnation } = agent; // `agent` changes while we work
    const named = { id: agent.id, incarnation, parcel_id: parcel.id };
    if (parcel.reply && prompt && prompt.key === parcel.prompt_key) {
      const body = client.reply(prompt, parcel.reply);
      const edit = editOf(parcel.reply);
      const call = edit && client.callName(prompt.tool, edit.input);
      if (body === null || !world.openHooks.answer(agent.id, prompt.key, { body, call })) {
        if (edit) return loseChange(agent, client, prompt, record);
        const note = (waits_for: string) => void doing.set(parcel.id, waits_for);
        const reply = await typedReply(agent, client, parcel, record);
        const still = () => isOpen(agent, parcel);
        const twin = () => hasTwin(agent, client, prompt);
        const choice = await world.typist.choose(agent, client, reply, still, note, twin);
        if (choice === "gone") await world.missed(agent.id, prompt.key);
        if (choice !== "chosen") return;
      }
      // the screen reacted; without a hook for the dialog, that is all the proof we can get
      const taken = !client.givesReceipts || isShownOnly(prompt.key);
      await record((state, moment) => dialogAnswered(state, { ...named, taken }, moment));
      if (taken) await world.settled(agent.id, prompt.key);
      return;
    }
    doing.set(parcel.id, "the message is being typed into the agent's terminal, which has not responded yet");
    if (client.givesReceipts) await noteShown(agent, client, parcel, record);
    await world.typist.say(agent, client, parcel.text, () => isDue(agent, parcel));
    const read = !client.givesReceipts; // its screen reacted; that is all the proof this client can give
    await record((state, moment) => wordsSaid(state, { ...named, read }, moment));
    if (read) return;
    doing.set(parcel.id, "the agent was told, but has not acknowledged it yet");
    await received(agent, client, parcel);
  }

  /** No hook is open for a change. Nothing may tell later how its dialog ended: nobody reports a No by Esc. */
  async function loseChange(
    agent: Agent,
    client: AgentClient,
    { key }: Prompt,
    record: Recorder,
  ): Promise<void> {
    const { id } = agent;
    const { state } = client.look(await ports.terminals.screen(id));
    const end = endOfLostChange(state, await endOfAnswered(agent, client));
    if (end === "later") throw new Error("the dialog is gone, and what came of it is not known yet");
    const seen = { type: "answered", key, ...(end === "lost" ? {} : end) } as const;
    if (end === "lost") await record((state, moment) => changeLost(state, { id, key }, moment));
    else await record((state, moment) => observe(state, { id, seen }, moment));
  }

  /** If this daemon dies now, the next one uses this to tell whether the words were said. */
  async function noteShown(
    { id, incarnation }: Agent,
    client: AgentClient,
    parcel: Parcel,
    record: Recorder,
  ): Promise<void> {
    const shown = await timesSaid(ports.terminals, client, id, parcel.text);
    await record((state, moment) => saying(state, { id, incarnation, parcel_id: parcel.id, shown }, moment));
  }

  /**
   * A message added to a Yes goes through a hook. Where no hook will come, we type it next to the Yes if the dialog
   * allows that, or say it afterwards.
   */
  async function typedReply(
    agent: Agent,
    client: AgentClient,
    parcel: Parcel,
    record: Recorder,
  ): Promise<Reply> {
    const { reply } = parcel;
    const { id, incarnation } = agent;
    if (reply?.type !== "approve" || reply.message === null || !world.reports.isUnheard(agent))
      return reply as Reply;
    if (!client.amends(await ports.terminals.screen(agent.id))) return reply;
    const said = { id, incarnation, parcel_id: parcel.id, shown: 0 };
    await record((state, moment) => saying(state, said, moment));
    return { ...reply, typed: true };
  }

  /** It has neither been told since nor restarted with these words. */
  async function isDue({ id, incarnation }: Agent, parcel: Parcel): Promise<boolean> {
    const now = await agentNow(id);
    return now?.incarnation === incarnation && now.outbox.some((it) => it.id === parcel.id && !it.told);
  }

  async function isOpen(agent: Agent, { id, prompt_key }: Parcel): Promise<boolean> {
    const now = await agentNow(agent.id);
    return now?.prompt?.key === prompt_key && now.outbox.some((it) => it.id === id);
  }

  /** Whether the conversation's file has another call that is not over, and looks the same. */
  async function hasTwin(agent: Agent, client: AgentClient, { key, sha256 }: Prompt): Promise<boolean> {
    const { open } = await keptBy((await agentNow(agent.id)) ?? agent, client);
    return open.some((it) => it.sha256 === sha256 && it.key !== key);
  }

  /**
   * A paste or an Enter can get lost. While the agent's screen still waits for words, we press Enter or paste again.
   */
  async function received(agent: Agent, client: AgentClient, parcel: Parcel): Promise<void> {
    const { id, text } = parcel;
    const { clock, terminals, journal } = ports;
    const { incarnation } = agent;
    const isOwed = (now: Agent) => now.outbox.some((it) => it.id === id) && now.incarnation === incarnation;
    const receipt: Condition = {
      isSo({ agents }) {
        const now = agents.get(agent.id);
        return !now || !isOwed(now);
      },
      by: (event) => "id" in event && (event.id === agent.id || event.id === agent.owner.id),
      withinMs: RECEIPT_WITHIN_MS,
    };
    for (let round = 1; round <= RECEIPT_ROUNDS; round++) {
      if (await until(engine, clock, receipt)) return;
      const screen = await terminals.screen(agent.id);
      const isIdle = client.look(screen).state === "idle";
      if (await isShown(agent.id, client, id, isIdle)) await world.heard(agent.id, text, isOwed);
      else if (isIdle) {
        const again =
          round % 3 === 0
            ? world.typist.say(agent, client, text, () => isDue(agent, parcel))
            : world.typist.submit(agent, client, screen);
        await again.catch(() => {}); // the next round looks again
      }
    }
    journal.warn("an agent did not acknowledge what it was told", { agent_id: agent.id, parcel_id: id });
  }

  /**
   * If the agent does not report and its conversation's file can't be found, its terminal is the only witness. It is one
   * too if the agent has read the words, `isIdle` again, and its report got lost: they must not be said twice.
   */
  async function isShown(
    agent_id: AgentId,
    client: AgentClient,
    parcel_id: string,
    isIdle: boolean,
  ): Promise<boolean> {
    const now = await agentNow(agent_id);
    const parcel =
      now && (isIdle || world.reports.isUnheard(now))
        ? now.outbox.find((it) => it.id === parcel_id)
        : undefined;
    if (parcel?.shown === undefined) return false;
    return (await timesSaid(ports.terminals, client, agent_id, parcel.text)) > parcel.shown;
  }
}
