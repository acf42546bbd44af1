/** The chain through all events: each link proves the event and everything before it. Seals are signatures of links. */
import { createHash } from "node:crypto";

/** What the first event follows. */
export const GENESIS = Buffer.alloc(32);
export const LINK_BYTES = 32;

export function linkOf(before: Buffer, seq: number, stream: string, body: string): Buffer {
  return createHash("sha256").update(before).update(`${seq} ${stream} `).update(body).digest();
}

/** What a daemon signs: the events that it wrote together, and with their last link all that came before. */
export function sealText(first: number, last: number, link: Buffer): string {
  return `oj seal v1\n${first} ${last}\n${link.toString("hex")}\n`;
}
