/**
 * Keeps the inbox in step with the daemon: it loads the list, then follows every event, and starts over after a break.
 */

import { fullFor } from "../../client/calls.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Event } from "../../core/model/events.ts";
import { concernsFailures } from "../../inbox/failed.ts";
import { concernsSuggestions } from "../../inbox/suggestion.ts";
import type { Input } from "../../inbox/update.ts";
import { client, isLoggedOut, isNamedAtDoor, providerIn, takesToken, withWaysIn } from "./api.ts";
import { logInByDoor } from "./session.ts";
import type { Ui } from "./store.ts";
import type { Told } from "./tabs.ts";
import { joinTabs } from "./tabs.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;

interface To {
  dispatch(input: Input): void;
  setUi(change: Partial<Ui>): void;
}

/** Ends the wait for the next attempt. */
let hurry = () => {};
/** Asks the leading tab to try again, if that is another one. */
let urge = () => {};
export function reconnectNow(): void {
  hurry();
  urge();
}

/** `why`: what to say if this browser turns out not to be logged in. */
export async function connect(to: To, why = ""): Promise<void> {
  const step = inStep(to);
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      await step.keepUp(() => {
        wait = FIRST_WAIT_MS / 2;
      });
    } catch (failed) {
      const error = await withWaysIn(failed);
      if (isLoggedOut(error)) {
        step.leave();
        if (isNamedAtDoor(error) && (await logInByDoor())) return location.reload();
        const out = { why, takesToken: takesToken(error), provider: providerIn(error) };
        return to.setUi({ login: { state: "out", ...out } });
      }
      to.setUi({ failure: error instanceof Refusal ? error.message : null });
    }
    to.dispatch({ type: "connection", state: "offline" });
    to.setUi({ retry_at_ms: Date.now() + wait });
    await waitFor(wait);
    to.dispatch({ type: "connection", state: "connecting" });
  }
}

const TYPES = [
  "decision:*",
  "escalation:*",
  "notice:*",
  "job:*",
  "step:*",
  "crew:*",
  "agent:*",
  "policy:*",
  "audit:erased",
];

/**
 * Loads the list, then follows the events: from the daemon if this tab leads, otherwise from the tab that does. A tab
 * listens before it asks for the list, so nothing gets lost in between; if it did miss something, it asks for the list
 * again.
 */
function inStep({ dispatch, setUi }: To) {
  /** The newest event that the inbox has seen. */
  let seen = 0;
  /** Messages that arrived while the list was loading. */
  let early: Told[] | null = [];
  let end: (why: "lead" | "lost" | "gap") => void = () => {};
  const tabs = joinTabs(hear, () => end("lead"));

  async function list(): Promise<void> {
    early ??= [];
    const { decisions, seq } = await client.briefs();
    dispatch({ type: "listed", briefs: decisions });
    setUi({ me: await client.me() });
    await listFailed();
    listSuggested();
    setUi({ login: { state: "in" }, failure: null, retry_at_ms: null });
    seen = seq;
  }

  async function listFailed(): Promise<void> {
    dispatch({ type: "failed", runs: await client.failedRuns() });
  }

  /** They take a while to find, and nobody waits for them. */
  function listSuggested(): void {
    void client.suggestions({}).then(
      (suggestions) => dispatch({ type: "suggested", suggestions }),
      () => {},
    );
  }

  function hear(told: Told): void {
    if (told.type === "live" || told.type === "reached") hurry();
    if (early) early.push(told);
    else if (told.type === "lost") end("lost");
    else if (told.type === "live" && told.seq > seen) end("gap");
    else if (told.type === "live") live();
    else if (told.type === "full") full(told);
    else if (told.type === "events" && told.after > seen) end("gap");
    else if (told.type === "events") take(told.events);
  }

  function live(): void {
    urge = () => {};
    dispatch({ type: "connection", state: "live" });
    setUi({ failure: null, retry_at_ms: null });
  }

  function full({ why, retry_at_ms }: Pick<Extract<Told, { type: "full" }>, "why" | "retry_at_ms">): void {
    urge = () => tabs.tell({ type: "reached" });
    dispatch({ type: "connection", state: "full" });
    setUi({ failure: why, retry_at_ms });
  }

  function take(events: readonly Event[]): void {
    const news = events.filter((it) => it.seq > seen);
    seen = news.at(-1)?.seq ?? seen;
    if (news.length === 0) return;
    dispatch({ type: "events", events: news });
    if (concernsFailures(news)) void listFailed().catch(() => {}); // the next list has them
    if (concernsSuggestions(news)) listSuggested();
    for (const watcher of watchers) watcher(news);
  }

  /** Lasts until this tab leads, the leading tab loses the daemon, or an event was missed. */
  function following(): Promise<"lead" | "lost" | "gap"> {
    return new Promise((resolve) => {
      end = resolve;
      const told = early ?? [];
      early = null;
      if (tabs.leads()) return resolve("lead");
      tabs.tell({ type: "reached" });
      for (const it of told) hear(it);
    });
  }

  /**
   * Events that arrive together are passed on and shown together. It uses a message because background tabs have slow
   * timers.
   */
  async function lead(): Promise<void> {
    let heard: Event[] = [];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const events = heard;
      heard = [];
      tabs.tell({ type: "events", after: seen, events });
      take(events);
    };
    const opened = () => {
      live();
      tabs.tell({ type: "live", seq: seen });
    };
    const follow = async () => {
      for await (const event of client.events({ after: seen, types: TYPES }, opened))
        if (heard.push(event) === 1) port2.postMessage(null);
    };
    try {
      let isOver = false;
      while (!isOver) isOver = await hadRoom(follow);
    } finally {
      if (heard.length > 0) port1.onmessage(new MessageEvent("message"));
      port1.close();
      tabs.tell({ type: "lost" });
    }
  }

  /** Follows to the end. False: the daemon had no stream for us; this tab and the others say so, and it is time to try again. */
  async function hadRoom(follow: () => Promise<void>): Promise<boolean> {
    try {
      await follow();
      return true;
    } catch (error) {
      const wait = fullFor(error);
      if (wait === null) throw error;
      const { message, hint } = error as Refusal;
      const told = { why: `${message}${hint === null ? "" : `: ${hint}`}.`, retry_at_ms: Date.now() + wait };
      full(told);
      tabs.tell({ type: "full", ...told });
      await waitFor(wait);
      return false;
    }
  }

  return {
    leave: tabs.leave,
    /** Lasts until the daemon is out of reach. */
    async keepUp(live: () => void): Promise<void> {
      for (;;) {
        await list();
        live();
        const why = await following();
        if (why === "lead") return lead();
        if (why === "lost") return;
      }
    },
  };
}

type Watcher = (events: readonly Event[]) => void;
const watchers = new Set<Watcher>();

/** Reports new events to this watcher too; the returned function stops it. */
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
