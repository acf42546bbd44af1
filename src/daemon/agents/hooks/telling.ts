/** What responses to hooks tell agents beside answers: what came of their requests, and messages added to answers. */
import type { HookMeaning } from "../../../agents/client.ts";
import type { Agent, Parcel } from "../../../core/model/agent-types.ts";
import { wordsTold } from "../../../core/outbox/delivery.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";

type Process = Pick<Agent, "id" | "incarnation">;

export interface Telling {
  /** What the agent has not been told yet and this response will tell it. `sent` tells whether it went out. */
  newsFor(process: Process, meaning: HookMeaning, sent: Promise<boolean>): Promise<Parcel[]>;
  /** Whether something that the agent was told is not recorded as heard yet; it may just be on its way. */
  isTold(agent: Agent): boolean;
}

export function startTelling(engine: Engine, { journal }: Pick<Ports, "journal">): Telling {
  /** Parcels in responses that are going out right now, so that no other response carries them too. */
  const telling = new Set<string>();

  async function newsFor(process: Process, meaning: HookMeaning, sent: Promise<boolean>): Promise<Parcel[]> {
    const ended = meaning.seen.flatMap((it) => (it.type === "answered" ? [it.key] : []));
    const due = await engine.read((state) =>
      (state.agents.get(process.id)?.outbox ?? []).filter((it) => {
        if (it.state !== "owed") return false;
        if (it.beside !== undefined && ended.includes(it.beside)) return true; // one of its subagents may have asked
        const decision = it.decision_id === null ? undefined : state.decisions.get(it.decision_id);
        return meaning.hears && (it.beside !== undefined || decision?.source === "request");
      }),
    );
    const parcels = due.filter((it) => !telling.has(it.id));
    if (parcels.length > 0) void noteTold(process, parcels, sent);
    return parcels;
  }

  /** Records parcels as told once they are out. A daemon that dies in between tells them again rather than never. */
  async function noteTold(
    process: Process,
    parcels: readonly Parcel[],
    sent: Promise<boolean>,
  ): Promise<void> {
    const parcel_ids = parcels.map((it) => it.id);
    for (const it of parcel_ids) telling.add(it);
    try {
      if (await sent)
        await engine.run((state, moment) => wordsTold(state, { ...process, parcel_ids }, moment));
    } catch (error) {
      journal.warn("could not record what an agent was told", {
        agent_id: process.id,
        error: (error as Error).message,
      });
    } finally {
      for (const it of parcel_ids) telling.delete(it);
    }
  }

  return {
    newsFor,
    isTold: ({ outbox }) => outbox.some((it) => it.told || telling.has(it.id)),
  };
}
