/**
 * Stands in for hooks that did not arrive: the screen, and the file that keeps the conversation, show what an agent is
 * doing now.
 */
import fs from "node:fs/promises";
import type { AgentClient, Look, ShownMenu } from "../../../agents/client.ts";
import type { CallEnd } from "../../../core/agent/dialog.ts";
import type { Agent, Prompt } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import { canonical, sha256 } from "../../../core/text/hash.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import { keptBy } from "../conversation/kept.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { Turns } from "../hooks/turns.ts";
import { isAlive } from "../terminal/alive.ts";
import type { Still } from "../terminal/dialog-end.ts";
import { asItStands, endOfDialog } from "../terminal/dialog-end.ts";
import { hasToHear } from "../terminal/told.ts";
import type { Typist } from "../terminal/typist.ts";

export type CatchUp = (agent: Agent) => Promise<void>;

const SHOWN = "shown:";
const STEADY_MS = 400;
const MAX_LOOKS = 5;
/** On an overloaded machine, a client still shows words in its composer long after it reported that it got them. */
const UNSENT_MS = 10_000;
const FILE_EVERY_MS = 500;
const FILE_LOOKS = 9;
/** Where reports arrive, the one about this dialog is on its way: asking before it comes would ask twice. */
const HOOK_LOOKS = 20;

export function catchingUp(
  engine: Engine,
  ports: Pick<Ports, "terminals" | "clock" | "journal">,
  parts: {
    hooks: Hooks;
    turns: Turns;
    typist: Typist;
    agentClientOf: (agent: Agent) => AgentClient;
    /**
     * If the agent's reports may not arrive, first reads what its conversation's file says. Returns whether that is so.
     */
    readFile?: (agent: Agent) => Promise<boolean>;
  },
): CatchUp {
  const { terminals, clock, journal } = ports;
  const { hooks, turns, typist, agentClientOf } = parts;
  const agentNow = (id: AgentId) => engine.read((state) => state.agents.get(id) ?? null);
  /** The agent, or null once something has happened to it. */
  const unchanged = async (id: AgentId, still: Still) => {
    const now = await agentNow(id);
    return now && still(now) ? now : null;
  };

  async function catchUp(given: Agent): Promise<void> {
    const { id } = given;
    const client = agentClientOf(given);
    await parts.readFile?.(given);
    const known = await agentNow(id);
    if (!known) return;
    const { prompt, status } = known;
    const still = asItStands(known); // what a hook reports while we look is newer than the screen
    const screen = await steadyScreen(id);
    if (!(await isAlive(terminals, id))) return; // its end is reported separately
    const agent = await unchanged(id, still);
    if (!agent) return;
    const { state } = client.look(screen);
    if (state === "unknown" || (state === "dialog" && (await isStillAsked(agent, client, screen)))) return;
    if (state === "idle" && !isOver(agent, client.heard(screen))) return;
    if (state === "idle" && client.composed(screen) !== "" && turns.of(id) === "begun") {
      // words in the composer of a turn that has begun are about to be submitted; after an Esc they are back, and stay
      await new Promise<void>((resolve) => clock.after(UNSENT_MS, resolve));
      if (!(await unchanged(id, still))) return;
      if (client.look(await terminals.screen(id)).state !== "idle") return catchUp(agent);
    }
    const end = prompt && (await endInFile(agent, prompt, client, state, still));
    if (end === "later" || !(await unchanged(id, still))) return;
    if (prompt) await hooks.saw(id, { type: "answered", key: prompt.key, ...end }, still);
    const waits = status === "idle" || status === "errored";
    if (state === "idle") return waits ? undefined : ended(agent, client);
    if (waits) await hooks.saw(id, { type: "worked" }, still);
    if (state !== "dialog") return;
    if (!prompt && !waits) return dialog(agent, client, screen, still);
    const now = await agentNow(id);
    // `still` must include what we just recorded
    if (now?.status === "working" && !now.prompt) await dialog(now, client, screen, asItStands(now));
  }

  /** On an overloaded machine, the file lags behind the screen: that a call has no end there counts only if it stays so. */
  async function endInFile(
    agent: Agent,
    prompt: Prompt,
    client: AgentClient,
    state: Look["state"],
    still: Still,
  ): Promise<CallEnd | "later"> {
    for (let n = 1; ; n++) {
      const kept = await keptBy(agent, client);
      const end = endOfDialog(agent, prompt, state, kept);
      if (end === "later") return end;
      if (kept.ended.some((it) => it.key === prompt.key)) hooks.dialogs.dialogOver(agent.id, prompt.key);
      const mayFollow = end.unended || (end.unseen && kept.open.some((it) => it.key === prompt.key));
      if (!mayFollow || n >= FILE_LOOKS || !(await unchanged(agent.id, still))) return end;
      await new Promise<void>((resolve) => clock.after(FILE_EVERY_MS, resolve));
    }
  }

  /** The same call may be asked about twice in a row; the file says whether the first one is over. */
  async function isStillAsked(agent: Agent, client: AgentClient, screen: string): Promise<boolean> {
    const { prompt } = agent;
    if (!prompt || !client.shows(prompt, screen)) return false;
    return !(await keptBy(agent, client)).ended.some((it) => it.key === prompt.key);
  }

  /** Between two frames, a screen may show something that isn't true. */
  async function steadyScreen(id: AgentId): Promise<string> {
    for (let screen = await terminals.screen(id), n = 0; ; n++) {
      await new Promise<void>((resolve) => clock.after(STEADY_MS, resolve));
      const next = await terminals.screen(id);
      if (next === screen || n === MAX_LOOKS) return next;
      screen = next;
    }
  }

  /**
   * A client looks idle and is not, before it has read what it was started with and while it waits for background work.
   */
  function isOver(agent: Agent, heard: ReturnType<AgentClient["heard"]>): boolean {
    const turn = turns.of(agent.id);
    // no report will say that its turn has begun, but its file does (see `stand-in.ts`); if there is no file, go by
    // what it said since
    if (turn === "starting" && agent.silent)
      return !hasToHear(agent) || (agent.transcript === null && heard === "words and reply");
    if (turn === "resting") return false;
    if (turn === "begun" || !hasToHear(agent)) return true;
    return turn === null && (agent.conversation !== null || heard !== "nothing");
  }

  async function ended(given: Agent, client: AgentClient): Promise<void> {
    await parts.readFile?.(given); // the file may have appeared while we looked
    const agent = await agentNow(given.id);
    if (!agent) return;
    const still = asItStands(agent);
    const { last_message, error } = await keptBy(agent, client);
    const seen = error
      ? ({ type: "errored", ...error } as const)
      : ({ type: "stopped", last_message } as const);
    await hooks.saw(agent.id, seen, still);
  }

  /**
   * Records the dialog on the screen. If it shows a call that has no result yet, the file has the exact input;
   * otherwise only the options are known.
   */
  async function dialog(agent: Agent, client: AgentClient, screen: string, still: Still): Promise<void> {
    const { id } = agent;
    const exact = await exactCall(agent, client, screen, still);
    if (exact === "gone") return; // we look at what it shows now once it is silent again
    const isOpen: Still = (it) => still(it) && !(exact && hooks.dialogs.isDialogOver(id, exact.key));
    if (exact) return hooks.saw(id, { type: "prompted", prompt: exact }, isOpen);
    const menu = client.shown(screen);
    if (!menu || !(await unchanged(id, still))) return;
    const prompt = shownPrompt(agent, screen, menu);
    if (menu.trust && (await isOurFolder(agent, client, menu)))
      return trust(agent, client, prompt, menu.trust);
    await hooks.saw(id, { type: "prompted", prompt }, still);
  }

  /** On an overloaded machine, a client draws a dialog seconds before its file has the call or its hook reaches us. */
  async function exactCall(
    agent: Agent,
    client: AgentClient,
    screen: string,
    still: Still,
  ): Promise<Prompt | "gone" | null> {
    const look = client.look(screen);
    const isOfCall = look.state === "dialog" && look.kind !== "trust" && look.kind !== "other";
    for (let n = 1; ; n++) {
      const isUnreported = (await parts.readFile?.(agent)) === true;
      const now = (await agentNow(agent.id)) ?? agent; // we may know where its file is by now
      // on a busy machine the file lags: a call that was reported as over may have no result there yet
      const exact = (await keptBy(now, client)).open.find(
        (it) => !hooks.dialogs.isDialogOver(now.id, it.key) && client.shows(it, screen),
      );
      if (exact || !isOfCall || n >= (isUnreported ? FILE_LOOKS : HOOK_LOOKS)) return exact ?? null;
      await new Promise<void>((resolve) => clock.after(FILE_EVERY_MS, resolve));
      if (!isUnreported && !(await unchanged(agent.id, still))) return "gone";
      if (client.look(await terminals.screen(agent.id)).state !== "dialog") return "gone";
    }
  }

  /** Nothing that a model said can be on the screen before the first hook, so this is the client's own question. */
  async function isOurFolder({ id, cwd }: Agent, client: AgentClient, { text }: ShownMenu): Promise<boolean> {
    if (!client.asksTrust || turns.of(id) !== "starting") return false;
    const real = await fs.realpath(cwd).catch(() => cwd);
    return [cwd, real].some((it) => text.replace(/\s/g, "").includes(it.replace(/\s/g, "")));
  }

  async function trust(
    agent: Agent,
    client: AgentClient,
    prompt: Prompt,
    { label, keys }: Prompt["choices"][number],
  ): Promise<void> {
    const isStarting = async () => turns.of(agent.id) === "starting";
    await typist.choose({ ...agent, prompt }, client, { type: "keys", keys, label }, isStarting);
    await hooks.saw(agent.id, { type: "noted", note: `oj told the client to trust ${agent.cwd}` });
    journal.info("a folder was trusted", { agent_id: agent.id, folder: agent.cwd });
  }

  return catchUp;
}

/** Whether this is a dialog that no hook reported. Then no hook will report that it is gone. */
export function isShownOnly(key: string): boolean {
  return key.startsWith(SHOWN);
}

/** A dialog that only the screen shows: its options are keys. */
function shownPrompt({ incarnation }: Agent, screen: string, { text, asks, choices }: ShownMenu): Prompt {
  const input = { prompt: asks, screen: text };
  const key = `${SHOWN}${incarnation}:${sha256(screen).slice(0, 16)}`;
  const hash = sha256(canonical(input));
  return { key, kind: "approval", tool: "prompt", input, sha256: hash, questions: [], choices };
}
