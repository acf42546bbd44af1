/**
 * New messages, at the pace that Slack allows: one a second in each channel. Cards go first; what is told in a thread
 * waits, and lines of the same thread go together. What no longer stands when its turn comes is not posted.
 */
import type { SlackService } from "../../../channel-ports.ts";
import { isSlackFailure } from "../../../channel-ports.ts";
import type { Ports } from "../../../ports.ts";
import { ChannelError } from "../channel.ts";

/** A little more than Slack's second, because its clock is not ours. */
const GAP_MS = 1050;
/** Threads tell what the card says, too: beyond so many, the oldest are left out. */
const MOST_THREADS = 200;

export interface Posts {
  /** Rejects if the message no longer stands when its turn comes. */
  post(channel: string, message: object, stands: () => Promise<boolean>): Promise<Record<string, unknown>>;
  /** Tells it in the thread of a message, when there is time, if it still stands then. */
  tell(at: { channel: string; ts: string }, line: Line): void;
  close(): void;
}

export interface Line {
  text: string;
  stands(): Promise<boolean>;
}

interface Card {
  message: object;
  stands(): Promise<boolean>;
  done(result: Record<string, unknown>): void;
  failed(error: Error): void;
}

interface Room {
  freeAt: number;
  cards: Card[];
  threads: Map<string, Line[]>;
  disarm: (() => void) | null;
}

export function pacedPosts(
  call: SlackService["call"],
  words: (lines: readonly string[]) => object,
  { clock, journal }: Pick<Ports, "clock" | "journal">,
): Posts {
  const rooms = new Map<string, Room>();
  let isClosed = false;

  function roomOf(channel: string): Room {
    const found = rooms.get(channel) ?? { freeAt: 0, cards: [], threads: new Map(), disarm: null };
    rooms.set(channel, found);
    return found;
  }

  function go(channel: string, room: Room): void {
    if (room.disarm || isClosed) return;
    const wait = room.freeAt - clock.monotonic();
    if (wait > 0) {
      room.disarm = clock.after(wait, () => {
        room.disarm = null;
        go(channel, room);
      });
      return;
    }
    const card = room.cards.shift();
    const [thread] = room.threads;
    if (!card && !thread) {
      rooms.delete(channel);
      return;
    }
    holdBack(room);
    if (card) postNow(channel, room, card).then(card.done, card.failed);
    else if (thread) void tellNow(channel, room, thread);
    go(channel, room);
  }

  /** Called again when it goes out: to find out whether it still stands takes a while. */
  function holdBack(room: Room): void {
    room.freeAt = Math.max(room.freeAt, clock.monotonic() + GAP_MS);
  }

  async function postNow(channel: string, room: Room, { message, stands }: Card) {
    if (await stands()) {
      holdBack(room);
      return call("chat.postMessage", { channel, ...message });
    }
    goOn(channel, room);
    throw new ChannelError("it no longer stood when its turn came", { isOvertaken: true });
  }

  async function tellNow(channel: string, room: Room, [ts, lines]: [string, Line[]]): Promise<void> {
    room.threads.delete(ts);
    try {
      const stand = await Promise.all(lines.map((it) => it.stands()));
      const left = lines.filter((_, at) => stand[at]);
      if (left.length === 0) return goOn(channel, room);
      const text = words(left.map((it) => it.text));
      holdBack(room);
      await call("chat.postMessage", { channel, thread_ts: ts, ...text });
    } catch (error) {
      const pause = isSlackFailure(error) ? error.retryAfterMs : null;
      if (pause === null) {
        journal.warn("slack: a thread was not told", { error: (error as Error).message });
        return;
      }
      const now = roomOf(channel); // the old one may have been forgotten meanwhile
      now.freeAt = Math.max(now.freeAt, clock.monotonic() + pause);
      now.threads.set(ts, [...lines, ...(now.threads.get(ts) ?? [])]);
      go(channel, now);
    }
  }

  /** Nothing was posted, so whoever is next need not wait; a pause that Slack asked for stays. */
  function goOn(channel: string, room: Room): void {
    if (room.freeAt > clock.monotonic() + GAP_MS) return;
    room.freeAt = clock.monotonic();
    room.disarm?.();
    room.disarm = null;
    go(channel, room);
  }

  return {
    post: (channel, message, stands) =>
      new Promise((done, failed) => {
        const room = roomOf(channel);
        room.cards.push({ message, stands, done, failed });
        go(channel, room);
      }),
    tell({ channel, ts }, line) {
      const room = roomOf(channel);
      room.threads.set(ts, [...(room.threads.get(ts) ?? []), line]);
      const [oldest] = room.threads.keys();
      if (room.threads.size > MOST_THREADS && oldest !== undefined) room.threads.delete(oldest);
      go(channel, room);
    },
    close() {
      isClosed = true;
      for (const { disarm, cards } of rooms.values()) {
        disarm?.();
        for (const it of cards) it.failed(new Error("the channel is closed"));
      }
      rooms.clear();
    },
  };
}
