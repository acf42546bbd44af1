/**
 * Types answers and messages into a terminal. It always looks before and after, because blind keys give wrong answers.
 */

import type { AgentClient, KeyStep } from "../../../agents/client.ts";
import type { Agent, Reply } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports, Sight } from "../../../ports.ts";
import { Changed } from "../../../ports.ts";

export interface Typist {
  /**
   * Answers the agent's dialog while it is open. Returns whether it did, or somebody else was first. Throws if it can't
   * tell. `hasTwin`: a call just like it waits too, so that the next dialog may look the same.
   */
  choose(
    agent: Agent,
    client: AgentClient,
    reply: Reply,
    isOpen: () => Promise<boolean>,
    note?: Note,
    hasTwin?: () => Promise<boolean>,
  ): Promise<Choice>;
  /** Pastes words and submits them. `isDue`: asked once more before the paste, as it may wait for others who type. */
  say(agent: Agent, client: AgentClient, text: string, isDue?: () => Promise<boolean>): Promise<void>;
  /** Submits what is in the composer on this screen, if it is still there. */
  submit(agent: Agent, client: AgentClient, screen: string): Promise<void>;
}

/** Receives what we are waiting for, in words for a person. */
export type Note = (waits_for: string) => void;

/**
 * `late`: the dialog was settled before we had answered it. `gone`: the dialog is not on the screen, and we pressed no
 * key.
 */
export type Choice = "chosen" | "late" | "gone";

/** A dialog ignores keys in its first moments. A key that changed nothing within REACT_MS is pressed again. */
const SETTLE_MS = 1500;
const REACT_MS = 2500;
const LOOK_EVERY_MS = 100;
/** Enough for the longest answer. */
const MAX_STEPS = 200;
/** After this long without progress, the person who answered is told what we are waiting for, and we try again. */
const STUCK_MS = 18_000;
/** The pause between a paste and the key that submits it. */
const PASTE_MS = 400;
/** Text in the composer that can't be cleared within this time is the client's own suggestion. */
const CLEAR_MS = 1000;
const MAX_CLEARS = 20;
/** This many lines are enough to tell a dialog from the next one. */
const TOLD_BY = 12;

type Typing = Extract<KeyStep, { type: "press" | "type" }>;

/** A dialog that goes away before its No got the words was left by somebody else: they are still to be said. */
function isComplete(reply: Reply, done: readonly KeyStep[]): boolean {
  return reply.type !== "deny" || reply.message === null || done.some((it) => it.type === "type");
}

/**
 * Whether a key is pressed once, whatever the screen shows then. The terminal keeps it until the program reads it, and
 * the program's next prompt may look just like this one: whatever it prints after the key is its reaction.
 */
function keepsKeys({ hasKnownScreen }: AgentClient): boolean {
  return !hasKnownScreen;
}

/** The answer is on its way, and a dialog is on the screen: the same that has yet to go, or the next one, just like it. */
function mayBeNext(client: AgentClient, screen: string, done: readonly KeyStep[]): boolean {
  return done.some((it) => it.type === "press" && it.sends) && client.look(screen).state === "dialog";
}

const longest = (lines: readonly string[], most: number) =>
  [...lines].sort((a, b) => b.length - a.length).slice(0, most);

/** A dialog, recognized by what it is about; a program's prompt by the end of its screen. */
function dialogSight(client: AgentClient, screen: string): Sight {
  const look = client.look(screen);
  const body = look.state === "dialog" ? longest(look.body, TOLD_BY) : [];
  return { shows: client.hasKnownScreen ? body : screen.trimEnd().split("\n").slice(-1), lacks: [] };
}

/** The composer, with what is in it; no dialog is drawn in its place. */
function composerSight(client: AgentClient, screen: string): Sight {
  return {
    shows: longest(client.composed(screen).split("\n"), 1),
    lacks: client.dialogMarks.filter((it) => !screen.includes(it)),
  };
}

export function startTypist({ terminals, clock }: Pick<Ports, "terminals" | "clock">): Typist {
  /**
   * The dialog of each agent that got the key that answers it, and when its terminal had printed last. A later attempt
   * must know that, too.
   */
  const sent = new Map<AgentId, { key: string; printed_at: number | null }>();
  const sleep = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  /** No key goes out once the dialog is known to be gone: the next one may look just like it. */
  async function choose(
    agent: Agent,
    client: AgentClient,
    reply: Reply,
    isOpen: () => Promise<boolean>,
    note: Note = () => {},
    hasTwin: () => Promise<boolean> = async () => false,
  ): Promise<Choice> {
    const { prompt } = agent; // `agent` changes while we work
    if (!prompt) throw new Error("there is no dialog to answer");
    const done: KeyStep[] = [];
    let touched = false;
    let last = "";
    let screen = "";
    await sleep(SETTLE_MS);
    let stuckAt = clock.monotonic() + STUCK_MS;
    for (let n = 0; n < MAX_STEPS && clock.monotonic() < stuckAt; n++) {
      if (!(await isOpen())) return touched && isComplete(reply, done) ? "chosen" : "late";
      screen = await terminals.screen(agent.id);
      const step = client.keys(prompt, reply, screen, done);
      if (step.type === "done") return "chosen";
      if (step.type === "give-up") throw new Error(step.reason);
      if (step.type === "wait" || mayBeNext(client, screen, done)) {
        note(
          touched
            ? "its dialog is being answered with keystrokes"
            : "its dialog is not on the agent's screen",
        );
        await sleep(LOOK_EVERY_MS * 3);
        continue;
      }
      const sends = step.type === "press" && step.sends === true;
      const before = sent.get(agent.id);
      if (sends && before?.key === prompt.key && keepsKeys(client)) {
        touched = true;
        last = step.keys.join(" ");
        if (await hasPrinted(agent, before.printed_at)) return "chosen";
        await sleep(LOOK_EVERY_MS * 3);
        continue;
      }
      if (sends && before?.key === prompt.key && (await hasTwin())) {
        // the key may have got lost, or this is the twin's dialog, drawn at once: nobody has answered that
        touched = true;
        last = `${step.keys.join(" ")}, or it has, and a call just like it is asked about now`;
        note("a call just like it waits too, and it can't be told yet which of them is shown");
        await sleep(LOOK_EVERY_MS * 3);
        continue;
      }
      const printed_at = await terminals.printedAt(agent.id);
      if (sends) sent.set(agent.id, { key: prompt.key, printed_at }); // it may arrive, and nobody hears of it
      const unsend = () => void (before === undefined ? sent.delete(agent.id) : sent.set(agent.id, before));
      const isTyped = await typed(agent, step, dialogSight(client, screen)).catch((error) => {
        if (keepsKeys(client)) unsend(); // a request that was given up is not carried out, and nothing else would press it
        throw error;
      });
      if (!isTyped) {
        unsend();
        await sleep(LOOK_EVERY_MS);
        continue;
      }
      touched = true;
      last = step.type === "press" ? step.keys.join(" ") : "the text";
      note(`the agent's dialog does not react to ${last}`);
      if (!(await changed(agent, client, screen))) continue;
      done.push(step);
      stuckAt = clock.monotonic() + STUCK_MS;
    }
    if (!touched && (!client.hasKnownScreen || client.look(screen).state !== "unknown")) return "gone";
    throw new Error(
      touched
        ? `the dialog did not react to ${last}`
        : "the terminal is not showing the dialog that was answered",
    );
  }

  async function hasPrinted({ id }: Agent, since: number | null): Promise<boolean> {
    return (await terminals.printedAt(id)) !== since;
  }

  /** False: the dialog was gone by then. */
  async function typed({ id }: Agent, step: Typing, onto: Sight): Promise<boolean> {
    try {
      if (step.type === "press") await terminals.press(id, step.keys, onto);
      else await terminals.paste(id, step.text, onto);
      return true;
    } catch (error) {
      if (error instanceof Changed) return false;
      throw error;
    }
  }

  /** While a dialog is open, only the dialog is compared: a spinner or a picture next to it moves on its own. */
  async function changed(agent: Agent, client: AgentClient, before: string): Promise<boolean> {
    const partOf = (screen: string) => {
      const look = client.look(screen);
      return look.state === "dialog" ? look.text : screen;
    };
    return differs(agent, partOf, before, REACT_MS);
  }

  async function differs(agent: Agent, partOf: (screen: string) => string, before: string, withinMs: number) {
    const deadline = clock.monotonic() + withinMs;
    while (clock.monotonic() < deadline) {
      await sleep(LOOK_EVERY_MS);
      if (partOf(await terminals.screen(agent.id)) !== partOf(before)) return true;
    }
    return false;
  }

  /** Text that somebody began to type must not be submitted with ours, however many lines it has. */
  async function clear(agent: Agent, client: AgentClient): Promise<void> {
    for (let n = 0; n < MAX_CLEARS; n++) {
      const screen = await terminals.screen(agent.id);
      const composed = client.composed(screen);
      await terminals.press(agent.id, client.clearing(composed), composerSight(client, screen));
      if (composed === "" || !(await differs(agent, client.composed, screen, CLEAR_MS))) return;
    }
  }

  /**
   * The agent waited for words, but somebody else may have given it work since. An Enter would say yes to whatever it
   * asks now.
   */
  async function checkComposer(agent: Agent, client: AgentClient): Promise<string> {
    const screen = await terminals.screen(agent.id);
    if (client.look(screen).state === "dialog")
      throw new Error("a dialog is open, and typing would answer it");
    return screen;
  }

  async function say(
    agent: Agent,
    client: AgentClient,
    text: string,
    isDue = async () => true,
  ): Promise<void> {
    const screen = await checkComposer(agent, client);
    if (client.declared(agent, screen) !== null)
      throw new Error("a prompt is open, and typing would answer it");
    if (client.hasKnownScreen) await clear(agent, client);
    if (!(await isDue())) throw new Error("it has been told in another way");
    const before = await terminals.screen(agent.id);
    await terminals.paste(agent.id, client.guard(text), composerSight(client, before));
    if (!(await changed(agent, client, before))) throw new Error("the terminal did not react to the text");
    await sleep(PASTE_MS);
    await submit(agent, client, await checkComposer(agent, client));
  }

  async function submit(agent: Agent, client: AgentClient, screen: string): Promise<void> {
    await terminals.press(agent.id, ["Enter"], composerSight(client, screen));
  }

  /** Words that are typed at the same time would be said as one, or half of them be cleared. */
  const turns = new Map<AgentId, Promise<void>>();
  function inTurn(id: AgentId, type: () => Promise<void>): Promise<void> {
    const done = (turns.get(id) ?? Promise.resolve()).then(type);
    const over = done.catch(() => undefined);
    turns.set(id, over);
    void over.then(() => turns.get(id) === over && turns.delete(id));
    return done;
  }

  return {
    choose,
    say: (agent, ...how) => inTurn(agent.id, () => say(agent, ...how)),
    submit: (agent, ...how) => inTurn(agent.id, () => submit(agent, ...how)),
  };
}
