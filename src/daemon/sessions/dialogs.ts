/**
 * Asks people about the dialogs of sessions that oj did not start. Each dialog is an open hook while a person decides,
 * here or in the session's own terminal.
 */
import type { SessionDoor } from "../../agents/session-door.ts";
import type { Prompt } from "../../core/model/agent-types.ts";
import type { Action, Answer } from "../../core/model/decision-types.ts";
import type { Event } from "../../core/model/events.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import type { State } from "../../core/model/state/state.ts";
import { editOf, isForDialog, replyOf } from "../../core/outbox/reply.ts";
import type { Look } from "../../core/policy/files.ts";
import { underPolicies } from "../../core/policy/ruling.ts";
import { answerShared, leaveDecision } from "../../core/request/repeat.ts";
import { askDialog, endDialogs, replyEnded, replyGiven, replyUnfit } from "../../core/session/dialog.ts";
import type { Reporter } from "../../core/session/turn.ts";
import type { Ports } from "../../ports.ts";
import type { Engine, Rule } from "../engine/engine.ts";

/** What to send as the hook's response, and whom to tell whether it arrived. */
export interface HookReply {
  body: object;
  sent?(arrived: boolean): void;
}

export interface AskedDialog {
  prompt: Prompt;
  /** What policies need to know about it. */
  look: Look | null;
  /** What the session said before. */
  last_message: string;
}

/** A dialog that a hook reports. */
interface Reported {
  /** The name that the end of the tool will be reported under. */
  name: string;
  /** A subagent's: it may be open while the session itself has stopped. */
  isSubagents: boolean;
  /** What a person should see of it; this may take a while. */
  prepare(): Promise<AskedDialog>;
}

export interface SessionDialogs {
  /**
   * Returns once somebody has answered, here or in the terminal, or a deadline has chosen.
   */
  ask(door: SessionDoor, from: Reporter, reported: Reported, abort: AbortSignal): Promise<HookReply>;
  /** The session has continued: its dialogs are over, as far as `which` does not say otherwise. */
  wentOn(session: string, which?: Which): Promise<void>;
}

interface Which {
  /** Only the oldest one with that name. */
  name?: string;
  /** Its subagents work on in the background: theirs stay open. */
  butSubagents?: boolean;
}

/** What was chosen, by a person, a policy or a deadline. */
interface Chosen {
  action: Action;
  answer: Answer;
  isFirst: boolean;
}

interface Open {
  session: string;
  name: string;
  isSubagents: boolean;
  /** Tells those who wait for the same decision apart; null: it was the first. */
  key: string | null;
  /** Called with the answer, or null if there will be none here. */
  end(chosen: Chosen | null): void;
}

/** A dialog that is not recorded yet. It may be over before it is. */
interface Beginning {
  session: string;
  name: string;
  isSubagents: boolean;
  isOver: boolean;
}

const TERMINAL = { reason: "answered in the terminal", by: "terminal" };
/** The client shows its own dialog only now, or somebody has stopped it. */
const LEFT = { reason: "left to its terminal", by: "terminal" };

export function startSessionDialogs(
  engine: Engine,
  { journal }: Pick<Ports, "journal">,
  stopping: AbortSignal,
): SessionDialogs {
  /** Those who wait for each decision; the first of them has its delivery, the others have one each. */
  const open = new Map<DecisionId, Open[]>();
  /** Oldest first. */
  const beginning = new Set<Beginning>();
  engine.watch((events, state) => {
    if (open.size === 0) return;
    for (const event of events) {
      const isEnd = event.type === "decision:withdrawn" || event.type === "decision:expired";
      if (event.type !== "decision:resolved" && !isEnd) continue;
      const waiting = open.get(event.id) ?? [];
      open.delete(event.id);
      const chosen = chosenBy(event, state);
      for (const [n, it] of waiting.entries()) it.end(chosen && { ...chosen, isFirst: n === 0 });
    }
  });

  const record = (rule: Rule) =>
    engine.run(rule).catch((error: Error) => {
      journal.warn("could not record the outcome of a session's dialog", { error: error.message });
    });

  async function ask(
    door: SessionDoor,
    from: Reporter,
    { name, isSubagents, prepare }: Reported,
    abort: AbortSignal,
  ): Promise<HookReply> {
    const { session } = from;
    const mine = { session, name, isSubagents, isOver: false };
    beginning.add(mine);
    try {
      const asked = await recorded(door, from, mine, prepare);
      beginning.delete(mine); // in the same moment it is among the open ones
      if (asked === null) return { body: {} };
      const { id, key, prompt, ruled } = asked;
      if (ruled) return await answered(door, { id, key }, prompt, ruled, from, mine.isOver);
      const chosen = mine.isOver ? null : await untilChosen(id, { session, name, isSubagents, key }, abort);
      if (chosen) return await answered(door, { id, key }, prompt, chosen, from);
      if (mine.isOver) await leave(id, key, TERMINAL);
      else if (abort.aborted && !stopping.aborted) await leave(id, key, door.hidesDialogs ? LEFT : TERMINAL);
      return { body: {} };
    } finally {
      beginning.delete(mine);
    }
  }

  /** The decision that it became, and what a policy has answered; null if nobody has to be asked. */
  async function recorded(
    door: SessionDoor,
    from: Reporter,
    mine: Beginning,
    prepare: Reported["prepare"],
  ): Promise<{ id: DecisionId; key: string | null; prompt: Prompt; ruled: Chosen | null } | null> {
    const { prompt, look, last_message } = await prepare();
    const asking = { prompt, last_message, isHidden: door.hidesDialogs };
    const events = await engine.run((state, moment) =>
      mine.isOver ? [] : underPolicies(state, askDialog(state, from, asking, moment), look, moment),
    );
    const asked = events.find((it) => it.type === "decision:created" || it.type === "decision:repeated");
    if (asked?.type !== "decision:created" && asked?.type !== "decision:repeated") return null;
    const { id } = asked;
    const key = asked.type === "decision:repeated" ? asked.key : null;
    const ruled = events.find((it) => it.type === "decision:resolved" && it.id === id);
    const isRuled = ruled?.type === "decision:resolved";
    return {
      id,
      key,
      prompt,
      ruled: isRuled ? { action: ruled.action, answer: ruled, isFirst: true } : null,
    };
  }

  /** Its own call was answered in the terminal, or is gone. Others may wait for the same decision. */
  function leave(id: DecisionId, key: string | null, outcome: typeof TERMINAL): Promise<unknown> {
    const isLast = !open.has(id);
    return record((state, moment) =>
      isLast ? endDialogs(state, [id], outcome, moment) : leaveDecision(state, { id, key }),
    );
  }

  function untilChosen(id: DecisionId, it: Omit<Open, "end">, abort: AbortSignal): Promise<Chosen | null> {
    return new Promise((resolve) => {
      const gone = () => end(null);
      const end = (chosen: Chosen | null) => {
        const others = (open.get(id) ?? []).filter((one) => one !== mine);
        if (others.length > 0) open.set(id, others);
        else open.delete(id);
        abort.removeEventListener("abort", gone);
        resolve(chosen);
      };
      const mine = { ...it, end };
      open.set(id, [...(open.get(id) ?? []), mine]);
      abort.addEventListener("abort", gone, { once: true });
      if (abort.aborted) gone();
    });
  }

  async function answered(
    door: SessionDoor,
    { id, key }: { id: DecisionId; key: string | null },
    prompt: Prompt,
    { action, isFirst, answer }: Chosen,
    from: Reporter,
    isOver = false,
  ): Promise<HookReply> {
    const decision = await engine.read((state) => state.decisions.get(id));
    if (!decision || !isForDialog(action)) return { body: {} }; // dismissed: the dialog stays in the terminal
    const reply = replyOf(decision, action, answer);
    const body = door.reply(prompt, reply);
    const isRepeat = !isFirst && key !== null;
    if (body === null) {
      await record((state) =>
        isRepeat ? answerShared(state, { id, key, arrived: false }) : replyUnfit(state, { id }),
      );
      return { body: {} };
    }
    if (isRepeat)
      return {
        body,
        sent: (arrived) => void record((state) => answerShared(state, { id, key, arrived })),
      };
    const isShort = reply.type === "approve" || reply.type === "accept"; // no place for words
    const message = reply.type === "answers" ? (reply.adds ?? null) : isShort ? reply.message : null;
    const adds = [editOf(reply)?.told, message].filter((it) => it).join("\n\n") || null;
    const given = { id, session: from.session, adds, by: answer.by };
    await engine.run((state, moment) => replyGiven(state, given, moment));
    if (isOver) {
      await record((state, moment) => replyEnded(state, { id, arrived: false }, moment));
      return { body: {} };
    }
    return {
      body,
      sent: (arrived) => void record((state, moment) => replyEnded(state, { id, arrived }, moment)),
    };
  }

  /** The same for dialogs that are not recorded yet. */
  function overBefore(session: string, { name, butSubagents = false }: Which): void {
    const theirs = [...beginning].filter(
      (it) => it.session === session && !it.isOver && !(butSubagents && it.isSubagents),
    );
    const over = name === undefined ? theirs : theirs.filter((it) => it.name === name).slice(0, 1);
    for (const it of over) it.isOver = true;
  }

  async function wentOn(session: string, which: Which = {}): Promise<void> {
    const { name, butSubagents = false } = which;
    const theirs = [...open].flatMap(([id, all]) =>
      all
        .filter((it) => it.session === session && !(butSubagents && it.isSubagents))
        .map((it) => ({ id, it })),
    );
    const over = name === undefined ? theirs : theirs.filter(({ it }) => it.name === name).slice(0, 1);
    if (name === undefined || over.length === 0) overBefore(session, which);
    const waiters = new Set(over.map(({ it }) => it));
    const isLeft = (id: DecisionId) => open.get(id)?.some((it) => !waiters.has(it)) ?? false;
    const ended = new Set(over.map(({ id }) => id).filter((id) => !isLeft(id)));
    for (const { id, it } of over) {
      if (ended.has(id)) continue;
      it.end(null); // the others still wait
      await leave(id, it.key, TERMINAL);
    }
    if (ended.size > 0) await engine.run((state, moment) => endDialogs(state, [...ended], TERMINAL, moment));
  }

  return { ask, wentOn };
}

/** What came of it for whoever waits; null: they get no answer. A deadline's default reaches them as an answer does. */
function chosenBy(event: Ending, { decisions }: Pick<State, "decisions">): Omit<Chosen, "isFirst"> | null {
  if (event.type === "decision:resolved") return { action: event.action, answer: event };
  if (event.type === "decision:withdrawn" || !event.answer) return null;
  const option = decisions.get(event.id)?.options.find((it) => it.key === event.default);
  return option ? { action: option.action, answer: event.answer } : null;
}

type Ending = Extract<Event, { type: "decision:resolved" | "decision:withdrawn" | "decision:expired" }>;
