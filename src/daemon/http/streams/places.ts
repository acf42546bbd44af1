/**
 * The places for calls that stay open: streams, logs, calls that wait. Each kind has so many, and one caller never has
 * more of them than are left for everybody else. So a forgotten script, or a person who means harm, keeps nobody out.
 */
import type { ServerResponse } from "node:http";
import { Refusal } from "../../../core/model/errors.ts";

/** How many places there are, by what is kept open. */
const ALL = {
  /** The default of `limits.streams`, which is what counts. */
  events: 256,
  /** Each costs up to ten looks at a terminal a second. */
  screens: 32,
  logs: 256,
  waits: 4096,
  mcp: 512,
} as const;

export type Kind = keyof typeof ALL;
export const KINDS = Object.keys(ALL) as Kind[];

/** The most that anyone other than the machine's own user may have, so that `oj serve` has connections for all. */
const MOST_OF_OTHERS = 256;

/** One of them, and several. */
const WORDS: Readonly<Record<Kind, readonly [string, string]>> = {
  events: ["event stream", "event streams"],
  screens: ["stream of an agent's screen", "streams of agents' screens"],
  logs: ["stream of a log", "streams of logs"],
  waits: ["call that waits", "calls that wait"],
  mcp: ["call over MCP", "calls over MCP"],
};

/** When somebody who was refused may try again. A place may be free sooner: whoever is in a hurry may ask then. */
const TRY_AGAIN_S = 8;

/** Who has a place: a person by name, an agent, a program by its token's name, the machine's own user. */
export interface Holder {
  key: string;
  /** It came with nothing but the right to open the socket, or with a browser that such a caller let in. */
  isOwner: boolean;
}

export interface Places {
  /** Takes a place; the returned function gives it back. Refuses whoever has their share, and everybody when it is full. */
  take(kind: Kind, holder: Holder): () => void;
  /** How many are taken. */
  taken(kind: Kind): number;
}

export function startPlaces(streams: number): Places {
  const rooms = new Map(
    KINDS.map((kind) => [kind, { all: kind === "events" ? streams : ALL[kind], taken: 0 }]),
  );
  const held = new Map<string, number>();

  return {
    take(kind, { key, isOwner }) {
      const room = rooms.get(kind) ?? { all: 0, taken: 0 };
      const own = `${kind} ${key}`;
      const yours = held.get(own) ?? 0;
      const free = room.all - room.taken;
      if (free <= 0 || yours >= free || (!isOwner && yours >= MOST_OF_OTHERS))
        throw full(kind, { all: room.all, taken: room.taken, yours });
      room.taken += 1;
      held.set(own, yours + 1);
      let isBack = false;
      return () => {
        if (isBack) return;
        isBack = true;
        room.taken -= 1;
        const left = (held.get(own) ?? 1) - 1;
        if (left > 0) held.set(own, left);
        else held.delete(own);
      };
    },
    taken: (kind) => rooms.get(kind)?.taken ?? 0,
  };
}

function full(kind: Kind, { all, taken, yours }: { all: number; taken: number; yours: number }): Refusal {
  const [one, several] = WORDS[kind];
  const raise = kind === "events" ? ", or raise limits.streams" : "";
  const message =
    yours === 0
      ? `all ${all} ${several} are in use`
      : `you have ${yours} ${yours === 1 ? one : several} open, and ${all - taken} of ${all} are left for others`;
  const hint = yours === 0 ? `try again in a while${raise}` : `end one of yours first${raise}`;
  return new Refusal("request.too-many", message, hint, { kind, all, taken, yours, retry_s: TRY_AGAIN_S });
}

interface Held {
  outgoing: ServerResponse | undefined;
  /** Aborted when the caller goes away. */
  abort: AbortSignal;
  /** Nobody will read the body: the caller asked for the head alone. */
  isHead: boolean;
}

/** Keeps the place until the call has returned; if that is a stream, until all of it went out or nobody reads it. */
export async function inPlace(
  giveBack: () => void,
  { outgoing, abort, isHead }: Held,
  run: () => Promise<unknown>,
): Promise<unknown> {
  let isStream = false;
  try {
    const result = await run();
    if (!(result instanceof Response) || result.body === null) return result;
    if (isHead) {
      await result.body.cancel(); // else what it follows would be followed for nobody
      return result;
    }
    isStream = outgoing !== undefined && !outgoing.closed && !abort.aborted;
    if (isStream) outgoing?.once("close", giveBack);
    return result;
  } finally {
    if (!isStream) giveBack();
  }
}
