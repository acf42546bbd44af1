/** The chain through all events: each link proves the event and everything before it. */
import { createHash } from "node:crypto";

/** What the first event follows. */
export const GENESIS = Buffer.alloc(32);

export function linkOf(before: Buffer, seq: number, stream: string, body: string): Buffer {
  return createHash("sha256").update(before).update(`${seq} ${stream} `).update(body).digest();
}
