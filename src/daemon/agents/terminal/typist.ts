/** Answers by keys and words in a terminal, always looking before and after: blind keys give wrong answers. */

import type { AgentClient, KeyStep } from "../../../agents/client.ts";
import type { Agent, Reply } from "../../../core/model/agent-types.ts";
import type { Ports } from "../../../ports.ts";

export interface Typist {
  /** Gives the agent's dialog this reply, while it is open: whether it did, or somebody else was first. Throws when that can't be told. */
  choose(
    agent: Agent,
    client: AgentClient,
    reply: Reply,
    isOpen: () => Promise<boolean>,
    note?: Note,
  ): Promise<Choice>;
  /** Pastes words and sends them off. */
  say(agent: Agent, client: AgentClient, text: string): Promise<void>;
}

/** Is told what is waited for, in words for a person. */
export type Note = (waits_for: string) => void;

/** `late`: it was settled before a key was pressed; `gone`: it is not there, and no key was pressed. */
export type Choice = "chosen" | "late" | "gone";

/** A dialog takes no keys in its first moments; a key that changed nothing within this time is pressed again. */
const SETTLE_MS = 1500;
const REACT_MS = 2500;
const LOOK_EVERY_MS = 100;
/** For an answer as long as any. */
const MAX_STEPS = 200;
/** So long without any progress, and whoever answered is told what it waits for; then it is tried again. */
const STUCK_MS = 18_000;
/** Between a paste and the key that sends it off. */
const PASTE_MS = 400;
/** What stands there and does not go within this time is a suggestion of the client's own. */
const CLEAR_MS = 1000;
const MAX_CLEARS = 20;

export function startTypist({ terminals, clock }: Pick<Ports, "terminals" | "clock">): Typist {
  const sleep = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  /** No key goes out once the dialog is known to be gone: the next one may look just like it. */
  async function choose(
    agent: Agent,
    client: AgentClient,
    reply: Reply,
    isOpen: () => Promise<boolean>,
    note: Note = () => {},
  ): Promise<Choice> {
    const { prompt } = agent; // the agent changes while we are at it
    if (!prompt) throw new Error("there is no dialog to answer");
    const done: KeyStep[] = [];
    let touched = false;
    let last = "";
    let screen = "";
    await sleep(SETTLE_MS);
    let stuckAt = clock.monotonic() + STUCK_MS;
    for (let n = 0; n < MAX_STEPS && clock.monotonic() < stuckAt; n++) {
      if (!(await isOpen())) return touched ? "chosen" : "late";
      screen = await terminals.screen(agent.id);
      const step = client.keys(prompt, reply, screen, done);
      if (step.type === "done") return "chosen";
      if (step.type === "give-up") throw new Error(step.reason);
      if (step.type === "wait") {
        note(
          touched
            ? "its dialog is being answered with keystrokes"
            : "its dialog is not on the agent's screen",
        );
        await sleep(LOOK_EVERY_MS * 3);
        continue;
      }
      touched = true;
      last = step.type === "press" ? step.keys.join(" ") : "the text";
      note(`the agent's dialog does not react to ${last}`);
      if (step.type === "press") await terminals.press(agent.id, step.keys);
      else await terminals.paste(agent.id, step.text);
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

  /** Of a dialog only itself counts: a spinner or a picture beside it moves by itself. */
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

  /** What somebody began to type must not go along, however many lines it has. */
  async function clear(agent: Agent, client: AgentClient): Promise<void> {
    for (let n = 0; n < MAX_CLEARS; n++) {
      const screen = await terminals.screen(agent.id);
      const composed = client.composed(screen);
      await terminals.press(agent.id, client.clearing(composed));
      if (composed === "" || !(await differs(agent, client.composed, screen, CLEAR_MS))) return;
    }
  }

  /** It waited for words, but somebody else may have set it to work: an Enter would say yes to whatever it asks by now. */
  async function checkComposer(agent: Agent, client: AgentClient): Promise<void> {
    if (client.look(await terminals.screen(agent.id)).state === "dialog")
      throw new Error("a dialog is open, and typing would answer it");
  }

  async function say(agent: Agent, client: AgentClient, text: string): Promise<void> {
    await checkComposer(agent, client);
    if (client.hasKnownScreen) await clear(agent, client);
    const before = await terminals.screen(agent.id);
    await terminals.paste(agent.id, client.guard(text));
    if (!(await changed(agent, client, before))) throw new Error("the terminal did not react to the text");
    await sleep(PASTE_MS);
    await checkComposer(agent, client);
    await terminals.press(agent.id, ["Enter"]);
  }

  return { choose, say };
}
