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

/** Browsers that log in with an OpenID provider at `oj serve`. */
export interface BrowserLogins {
  /** What the provider is called; null: nobody logs in with one at the address that this browser uses. */
  offered(headers: IncomingHttpHeaders): string | null;
  /** Where the browser is sent, and the cookie that it gets. */
  begin(headers: IncomingHttpHeaders, next: unknown): Promise<{ location: string; cookie: string }>;
  /** Whom the provider has named in this browser, once; and the header that takes the cookie away. */
  enter(headers: IncomingHttpHeaders): Promise<Returned>;
  /** The cookie of a browser that is back, for that person. */
  welcome(base: string, person: string, next: string): string;
  /** The pages that the provider leads back to. */
  door: PublicDoor;
  /** The only host names that they have. */
  hosts(): string[];
}

/** Who is back from the provider. */
export interface Returned {
  person: string;
  /** Where in our page they go then. */
  next: string;
  provider: string;
  cookie: string;
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
