/**
 * Doors on the daemon's port that need no login: what is behind them checks who comes by other means, a token in the
 * address or a signature. Channels open them; `web/doors.ts` lets visitors in.
 */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { STYLE } from "../../channels/html/style.ts";

export interface PublicDoor {
  /** With a slash at its end: everything below it. Otherwise that path alone. */
  path: string;
  methods: readonly string[];
  /** A larger body is refused before it is read. */
  maxBytes: number;
  visit(visit: Visit): Promise<Reply>;
}

export interface Visit {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** As it was sent, for signatures. */
  body: Buffer;
}

export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: string;
}

export interface Doors {
  /** Opens a door; the returned function closes it. */
  open(door: PublicDoor): () => void;
  find(path: string): PublicDoor | null;
}

export function publicDoors(): Doors {
  const doors = new Set<PublicDoor>();
  return {
    open(door) {
      doors.add(door);
      return () => doors.delete(door);
    },
    find(path) {
      for (const door of doors)
        if (door.path.endsWith("/") ? path.startsWith(door.path) : path === door.path) return door;
      return null;
    },
  };
}

/** No script at all, no style but ours, and a form that goes nowhere else. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Of the pages that visitors get. */
export function policyOf(): string {
  return POLICY;
}
