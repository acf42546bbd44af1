/**
 * Socket Mode: one connection through which clicks and commands come. When Slack asks for another, that one is there
 * before the old one is let go, so that no click falls between them. It never gives up, and never waits long.
 */
import type { SlackConnection, SlackHeard } from "../../channel-ports.ts";
import { SlackFailure } from "../../channel-ports.ts";
import type { Clock, Journal } from "../../ports.ts";

/** With an attempt that hangs just before the network returns, a connection is there again within 25 seconds. */
const ATTEMPT_MS = 10_000;
const LONGEST_PAUSE_MS = 15_000;
const FIRST_PAUSE_MS = 500;

/** What was sent through the old connection still comes through it: it stays until Slack closes it, or this long. */
const FAREWELL_MS = 10_000;

/** Somebody who hears nothing for two of these is talking to nobody. */
const PING_EVERY_MS = 10_000;

export interface SocketGiven {
  /** Asks Slack for the address of a new socket. */
  open(): Promise<string>;
  dial(url: string, on: SocketEvents): Socket;
  heard: SlackHeard;
  clock: Clock;
  journal: Journal;
  /** From 0 to 1: several daemons must not come back at the same moment. */
  random(): number;
}

export interface SocketEvents {
  text(text: string): void;
  /** A ping or a pong: somebody is there. */
  alive(): void;
  /** Once, whatever the reason; also if it never opened. */
  closed(reason: string): void;
}

export interface Socket {
  send(text: string): void;
  ping(): void;
  /** At once, without waiting for the other side. */
  end(): void;
}

interface Link {
  socket: Socket;
  heardAt: number;
  isReady: boolean;
  disarm(): void;
}

export function socketMode(given: SocketGiven): SlackConnection {
  const { clock, journal } = given;
  const links = new Set<Link>();
  let current: Link | null = null;
  let attempt: { end(why: string): void } | null = null;
  let disarmRetry: (() => void) | null = null;
  let failures = 0;
  let trouble: string | null = "connecting";
  let isClosed = false;

  function later(atLeastMs = 0): void {
    disarmRetry?.();
    const pause = failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    const spread = pause * (0.8 + 0.2 * given.random());
    disarmRetry = clock.after(Math.max(spread, Math.min(atLeastMs, LONGEST_PAUSE_MS)), begin);
  }

  function begin(): void {
    disarmRetry?.();
    disarmRetry = null;
    if (isClosed || attempt) return;
    let link: Link | null = null;
    const end = (why: string, atLeastMs = 0) => {
      if (attempt !== mine) return;
      attempt = null;
      disarm();
      if (link) drop(link);
      failures++;
      if (trouble !== why) journal.warn("slack: no connection", { error: why });
      trouble = current ? trouble : why;
      if (!isClosed) later(atLeastMs);
    };
    const mine = { end };
    attempt = mine;
    const disarm = clock.after(ATTEMPT_MS, () => end("Slack does not answer"));
    const isMine = () => attempt === mine;
    const settled = (made: Link) => {
      attempt = null;
      disarm();
      replaceBy(made);
    };
    given.open().then(
      (url) => {
        if (isMine()) link = newLink(url, { ready: settled, end, isMine });
      },
      (error: Error) => end(whyNot(error), error instanceof SlackFailure ? (error.retryAfterMs ?? 0) : 0),
    );
  }

  function newLink(
    url: string,
    on: { ready(link: Link): void; end(why: string): void; isMine(): boolean },
  ): Link {
    const link: Link = {
      socket: nowhere,
      heardAt: clock.monotonic(),
      isReady: false,
      disarm: () => {},
    };
    links.add(link);
    link.socket = given.dial(url, {
      text(text) {
        link.heardAt = clock.monotonic();
        const message = parse(text);
        if (message?.type === "hello" && !link.isReady && on.isMine()) {
          link.isReady = true;
          on.ready(link);
        } else if (message?.type === "disconnect") asked(link, String(message.reason ?? ""));
        else if (message && typeof message.envelope_id === "string") take(link, message);
      },
      alive() {
        link.heardAt = clock.monotonic();
      },
      closed(reason) {
        if (!links.has(link)) return;
        drop(link);
        if (!link.isReady) on.end(reason);
        else if (current === link) lost(reason);
      },
    });
    return link;
  }

  function replaceBy(link: Link): void {
    const old = current;
    current = link;
    trouble = null;
    watch(link);
    if (!old) return;
    old.disarm();
    old.disarm = clock.after(FAREWELL_MS, () => drop(old));
  }

  /** Slack will close this one: get another first. */
  function asked(link: Link, reason: string): void {
    journal.info("slack: asked to connect again", { reason });
    if (link === current) begin();
  }

  function lost(reason: string): void {
    current = null;
    trouble = reason;
    failures++; // a connection that ends at once, again and again, is as good as none; one that lasted has set it to 0
    if (!attempt) later();
  }

  function take(link: Link, message: Record<string, unknown>): void {
    const ack = (payload?: object) => {
      const { envelope_id } = message;
      link.socket.send(JSON.stringify(payload ? { envelope_id, payload } : { envelope_id }));
    };
    given.heard({ type: String(message.type), payload: message.payload }, ack);
  }

  function watch(link: Link): void {
    link.disarm = clock.after(PING_EVERY_MS, () => {
      if (clock.monotonic() - link.heardAt >= 2 * PING_EVERY_MS) {
        drop(link);
        if (current === link) lost("the connection went silent");
        return;
      }
      failures = 0;
      link.socket.ping();
      watch(link);
    });
  }

  function drop(link: Link): void {
    links.delete(link);
    link.disarm();
    link.socket.end();
  }

  begin();
  return {
    trouble: () => trouble,
    close() {
      isClosed = true;
      disarmRetry?.();
      attempt?.end("closed");
      for (const link of links) drop(link);
      current = null;
    },
  };
}

const nowhere: Socket = { send: () => {}, ping: () => {}, end: () => {} };

function parse(text: string): Record<string, unknown> | null {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null ? { ...message } : null;
  } catch {
    return null;
  }
}

function whyNot(error: Error): string {
  return error instanceof SlackFailure ? error.message : `Slack can't be reached: ${error.message}`;
}
