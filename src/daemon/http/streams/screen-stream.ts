/**
 * Streams an agent's screen as it changes, as server-sent events. Each event is the whole screen; there are at most so
 * many a second, and only the newest screen is sent.
 */
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";
import { Unreachable } from "../../../ports.ts";

/** The pause between two screens: a person would not see more, and a flood of output costs no more. */
const GAP_MS = 100;
const KEEP_ALIVE_MS = 30_000;
/** When a terminal that did not respond is looked at again. */
const AGAIN_MS = 1000;

export interface ScreenLook {
  ansi: boolean;
  history: number;
}

/** Ends when the agent ends, nobody reads any more, or it is aborted. Then `leave` is called, once. */
export function screenStream(
  { terminals, clock }: Pick<Ports, "terminals" | "clock">,
  agent_id: AgentId,
  look: ScreenLook,
  abort: AbortSignal,
  leave: () => void,
): ReadableStream<Uint8Array> {
  let last: string | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  let hasChanged = true;
  let isOver = false;
  let isClosed = false;
  let wake = () => {};
  const unwatch = terminals.watch({
    printed(id) {
      if (id !== agent_id) return;
      hasChanged = true;
      wake();
    },
    exited(id) {
      if (id !== agent_id) return;
      isOver = true;
      wake();
    },
  });

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    abort.removeEventListener("abort", close);
    unwatch();
    leave();
    wake();
  }
  if (abort.aborted) close();
  else abort.addEventListener("abort", close, { once: true });

  /** Returns when something happens, or after this time. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const disarm = clock.after(ms, resolve);
      wake = () => {
        disarm();
        resolve();
      };
    });
  }

  /** The next screen that differs. Null: there is none any more. Undefined: it is time for a sign of life. */
  async function next(): Promise<string | null | undefined> {
    while (!isClosed) {
      if (isOver) return null;
      const wait = lastAt + GAP_MS - clock.monotonic();
      if (!hasChanged) {
        await pause(KEEP_ALIVE_MS);
        if (!hasChanged && !isOver && !isClosed) return undefined;
      } else if (wait > 0) {
        await pause(wait);
      } else {
        hasChanged = false; // before we look, so that anything printed meanwhile makes us look again
        lastAt = clock.monotonic();
        const screen = await terminals.screen(agent_id, look).catch(absent);
        if (screen === null) return null;
        if (screen === undefined) {
          hasChanged = true; // it did not respond, so nobody knows
          await pause(AGAIN_MS);
          return undefined;
        }
        if (screen !== last) {
          last = screen;
          return screen;
        }
      }
    }
    return null;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const screen = await next();
        if (screen === undefined) controller.enqueue(bytes(": still here\n\n"));
        else if (screen !== null) controller.enqueue(bytes(`data: ${JSON.stringify({ screen })}\n\n`));
        else {
          if (!isClosed) controller.enqueue(bytes("event: ended\ndata: {}\n\n"));
          close();
          controller.close();
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

/** Null: there is no such terminal. Undefined: it does not respond, which does not mean that it has ended. */
function absent(error: unknown): null | undefined {
  return error instanceof Unreachable ? undefined : null;
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
