/**
 * Calls that an agent asks about twice at the same time, as its subagents do. The second joins the first: a person is
 * asked once, and each call gets the answer through its own hook.
 */
import { randomUUID } from "node:crypto";
import type { Prompt } from "../../../core/model/agent-types.ts";
import type { AgentId, DecisionId } from "../../../core/model/ids.ts";
import { answerShared, leaveDecision, repeated, sameDialog } from "../../../core/request/repeat.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine, Rule } from "../../engine/engine.ts";
import type { HookAnswer } from "./open-hooks.ts";

export interface Twins {
  /** This call is being asked about; whoever joins gets what comes of it. `recorded`: there is a decision by now. */
  asks(agent_id: AgentId, prompt: Prompt, answer: Promise<HookAnswer | null>, recorded: Promise<void>): void;
  /** Whether the same call is being asked about. */
  has(agent_id: AgentId, prompt: Prompt): boolean;
  /** Null if there is nothing to join, or if it ended without an answer: then this call is asked about by itself. */
  join(
    agent_id: AgentId,
    prompt: Prompt,
    hook: { use: string | null; abort: AbortSignal; sent: Promise<boolean> },
  ): Promise<HookAnswer | null>;
  /** The call `use` has run or was refused: somebody has answered it in the terminal. */
  ended(agent_id: AgentId, use: string): void;
}

export function startTwins(engine: Engine, { journal }: Pick<Ports, "journal">): Twins {
  const asking = new Map<string, { answer: Promise<HookAnswer | null>; recorded: Promise<void> }>();
  /** Ends the wait of a call that has joined. */
  const joined = new Map<string, () => void>();
  const at = (agent_id: AgentId, { sha256 }: Prompt) => `${agent_id} ${sha256}`;
  const record = (rule: Rule) =>
    engine.run(rule).catch((error: Error) => {
      journal.warn("could not record who got an answer", { error: error.message });
    });

  return {
    asks(agent_id, prompt, given, recorded) {
      if (prompt.kind !== "approval") return;
      const name = at(agent_id, prompt);
      const mine = { answer: given.catch(() => null), recorded };
      asking.set(name, mine);
      void mine.answer.then(() => asking.get(name) === mine && asking.delete(name));
    },
    has: (agent_id, prompt) => asking.has(at(agent_id, prompt)),
    async join(agent_id, prompt, { use, abort, sent }) {
      const first = asking.get(at(agent_id, prompt));
      if (!first) return null;
      const name = `${agent_id} ${use ?? randomUUID()}`;
      const gone = new Promise<null>((resolve) => {
        joined.set(name, () => resolve(null));
        abort.addEventListener("abort", () => resolve(null), { once: true });
        if (abort.aborted) resolve(null);
      });
      try {
        const isAsked = await Promise.race([first.recorded.then(() => true), first.answer, gone]);
        const id = isAsked === true ? await repeat(agent_id, prompt, name) : null;
        if (id === null) return null;
        const given = await Promise.race([first.answer, gone]);
        if (given === null) await record((state) => leaveDecision(state, { id, key: name }));
        else void sent.then((arrived) => record((state) => answerShared(state, { id, key: name, arrived })));
        return given;
      } finally {
        joined.delete(name);
      }
    },
    ended: (agent_id, use) => joined.get(`${agent_id} ${use}`)?.(),
  };

  /** The decision that it joins; null if there is none to join any more. */
  async function repeat(agent_id: AgentId, prompt: Prompt, key: string): Promise<DecisionId | null> {
    const [fact] = await engine.run((state) => {
      const same = sameDialog(state, { agent_id, session: null }, prompt);
      return same ? [repeated(same, key)] : [];
    });
    return fact?.type === "decision:repeated" ? fact.id : null;
  }
}
