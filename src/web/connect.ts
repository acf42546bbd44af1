/** Keeps the inbox in step with the daemon: the list, then every event after it; after a break the same again. */

import { Refusal } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import type { Input } from "../inbox/update.ts";
import { client, isLoggedOut } from "./api.ts";
import type { Ui } from "./store.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;

interface To {
  dispatch(input: Input): void;
  setUi(change: Partial<Ui>): void;
}

/** Tries at once what would be tried later. */
let hurry = () => {};
export function reconnectNow(): void {
  hurry();
}

export async function connect(to: To): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      await follow(to, () => {
        wait = FIRST_WAIT_MS / 2;
      });
    } catch (error) {
      if (isLoggedOut(error)) return to.setUi({ session: { state: "out", why: "" } });
      to.setUi({ failure: error instanceof Refusal ? error.message : null });
    }
    to.dispatch({ type: "connection", state: "offline" });
    to.setUi({ retry_at_ms: Date.now() + wait });
    await waitFor(wait);
    to.dispatch({ type: "connection", state: "connecting" });
  }
}

/** Until the stream ends. What arrives in one piece is shown in one piece. */
async function follow({ dispatch, setUi }: To, live: () => void): Promise<void> {
  const { decisions, seq } = await client.briefs();
  dispatch({ type: "listed", briefs: decisions });
  setUi({ session: { state: "in" }, failure: null, retry_at_ms: null });
  live();
  let heard: Event[] = [];
  for await (const event of client.events({ after: seq, types: ["decision:*", "job:*", "step:*"] })) {
    if (heard.push(event) > 1) continue;
    setTimeout(() => {
      const events = heard;
      heard = [];
      dispatch({ type: "events", events });
      for (const watcher of watchers) watcher(events);
    });
  }
}

type Watcher = (events: readonly Event[]) => void;
const watchers = new Set<Watcher>();

/** Also told of what happens; the returned function ends it. */
export function watchEvents(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    hurry = done;
    function done() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    }
  });
}
