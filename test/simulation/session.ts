/**
 * A session that oj did not start: only its hooks tell of it, and only an open hook takes an answer. A person sits at its
 * terminal and may be faster.
 */
import type { HookQuery } from "../../src/api/api.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import type { Json } from "../../src/scripted-agent/hooks/json.ts";
import { permissionOf } from "../../src/scripted-agent/hooks/json.ts";
import type { Machine } from "./machine.ts";
import type { Time } from "./time.ts";

export interface SessionWild {
  time: Time;
  machine: Machine;
  /** In percent: the person at the terminal answers. */
  people: number;
  /** A hook's response decided the call that this command is. */
  answered(command: string, allow: boolean): void;
  isOver(): boolean;
  failed(error: unknown): void;
}

const STOPS = { stops: true, hold: false, wait_s: 60 } as const;
const MOST_CALLS = 4;

export async function startSession(session_id: string, wild: SessionWild): Promise<void> {
  const { time } = wild;
  const forever = new AbortController().signal;
  const common = { session_id, cwd: "/simulated/shop" };
  let calls = 0;

  /**
   * As the route does: the response travels, and the daemon is told whether it arrived. Null if no daemon is there, or
   * the connection broke.
   */
  async function send(
    name: string,
    more: Json = {},
    query: HookQuery = {},
    abort = forever,
  ): Promise<Json | null> {
    await time.sleep(time.span(0, 20), `${session_id} reports ${name}`);
    const to = wild.machine.current();
    if (!to || abort.aborted) return null;
    const broken = new Promise<null>((resolve) => to.life.onCut(() => resolve(null)));
    const handled = to.sessions
      .handle({ ...common, hook_event_name: name, ...more }, query, abort)
      .catch((error) => {
        if (!(error instanceof Refusal)) wild.failed(error);
        return null;
      });
    const given = await Promise.race([handled, broken]);
    if (given === null) return null;
    await time.sleep(time.span(0, 20), `${session_id} gets the response to ${name}`);
    const isOut = !to.life.isOver && !abort.aborted;
    const permission = permissionOf(given.body as Json);
    const { command } = (more.tool_input ?? {}) as { command?: string };
    if (isOut && permission && command !== undefined) wild.answered(command, permission.allow);
    given.sent?.(isOut);
    return isOut ? (given.body as Json) : null;
  }

  async function useTool(): Promise<void> {
    const command = `npm run ${session_id}-${++calls}`;
    const call: Json = { tool_name: "Bash", tool_input: { command } };
    const leaving = new AbortController();
    const held = send("PermissionRequest", call, {}, leaving.signal);
    const byPerson = new Promise<boolean>((resolve) => {
      if (!time.odds(wild.people)) return;
      time.after(time.span(100, 30_000), `${session_id} is answered in its terminal`, () =>
        resolve(time.odds(50)),
      );
    });
    const byHook = held.then((output) => output && permissionOf(output));
    const first = await Promise.race([byHook, byPerson]);
    if (first === null) {
      // no hook answers any more: whoever sits there does
      await time.sleep(time.span(500, 20_000), `${session_id} waits for its person`);
      await send("PostToolUse", { ...call, tool_response: {} });
      return;
    }
    const isAllowed = typeof first === "boolean" ? first : first.allow;
    if (first === false) leaving.abort();
    await time.sleep(time.span(50, 2000), `${session_id} works`);
    if (isAllowed) await send("PostToolUse", { ...call, tool_response: {} });
  }

  await send("SessionStart", { source: "startup" });
  while (!wild.isOver()) {
    await time.sleep(time.span(500, 20_000), `${session_id} is told something`);
    await send("UserPromptSubmit", { prompt: "Go on." });
    for (let left = 1 + time.chance.pick(MOST_CALLS); left > 0 && !wild.isOver(); left--) await useTool();
    const last_assistant_message = time.odds(50) ? "Which one should I take?" : "I have done that.";
    await send("Stop", { last_assistant_message, stop_hook_active: false }, STOPS);
  }
  await send("SessionEnd", { reason: "exit" });
}
