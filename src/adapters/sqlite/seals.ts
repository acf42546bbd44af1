/**
 * The links of the events, kept beside them: one seal for each commit, with a link for each of its events and the
 * stamp of the last (a signature in logs of an older oj). The checksum of a record finds damage; these find whoever
 * recomputes checksums.
 */
import { GENESIS, LINK_BYTES, linkOf, sealText } from "../audit/chain.ts";
import type { MachineKey } from "../audit/key.ts";
import type { Cell, Database } from "./driver.ts";
import { isDamage } from "./errors.ts";
import { scan } from "./records.ts";

export const SEALS = `
  CREATE TABLE seals (last INTEGER PRIMARY KEY, first INTEGER NOT NULL, links BLOB NOT NULL, sig BLOB);
`;

/** Events per seal of those that were written before there were seals, or elsewhere. */
const AT_ONCE = 1000;

export interface Seal {
  first: number;
  last: number;
  /** One after the other. */
  links: Buffer;
  sig: Buffer | null;
}

export function hasSeals(db: Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'seals'").get() !== undefined;
}

/** The link that the next event follows: that of the last sealed one. */
export function lastLink(db: Database): Buffer {
  const row = db.prepare("SELECT links FROM seals ORDER BY last DESC LIMIT 1").get();
  const links = bytesIn((row as { links?: Cell } | undefined)?.links);
  return links !== null && links.length >= LINK_BYTES ? links.subarray(-LINK_BYTES) : readBaseLink(db);
}

/** The link of the last event that was compacted. */
export function readBaseLink(db: Database): Buffer {
  const row = db.prepare("SELECT value FROM meta WHERE key = 'base_link'").get() as
    | { value?: unknown }
    | undefined;
  const link = Buffer.from(String(row?.value ?? ""), "hex");
  return link.length === LINK_BYTES ? link : GENESIS;
}

export function writeBaseLink(db: Database, link: Buffer): void {
  db.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('base_link', '${link.toString("hex")}')`);
}

/** The seals that have any of these events. What can't be read of them is left out. */
export function sealsOf(db: Database, from: number, upTo: number): Seal[] {
  const text = "SELECT first, last, links, sig FROM seals WHERE last >= ? AND first <= ? ORDER BY last";
  const rows = db.prepare(text).all(from, upTo) as Record<string, Cell>[];
  return rows.flatMap(({ first, last, links, sig }) => {
    const bytes = bytesIn(links);
    if (typeof first !== "number" || typeof last !== "number" || bytes === null) return [];
    return [{ first, last, links: bytes, sig: bytesIn(sig) }];
  });
}

/** Where the seals say that the log ends. */
export function lastSealed(db: Database): number {
  const { last } = db.prepare("SELECT max(last) AS last FROM seals").get() as { last: number | null };
  return last ?? 0;
}

export function linkIn(seal: Seal, seq: number): Buffer | null {
  const at = (seq - seal.first) * LINK_BYTES;
  const link = seq >= seal.first && seq <= seal.last ? seal.links.subarray(at, at + LINK_BYTES) : null;
  return link?.length === LINK_BYTES ? link : null;
}

/** Writes the seal of some events, which are in the same transaction. Returns the last link. */
export type WriteSeal = (
  before: Buffer,
  /** `link`: the one that it has elsewhere, where the text that it proves was erased. */
  events: readonly { seq: number; stream: string; body: string; link?: Buffer }[],
  key: MachineKey | null,
) => Buffer;

export function sealsIn(db: Database): WriteSeal {
  const insert = db.prepare("INSERT INTO seals (last, first, links, sig) VALUES (?, ?, ?, ?)");
  return (before, events, key) => {
    const [first, last] = [events[0]?.seq, events.at(-1)?.seq];
    if (first === undefined || last === undefined) return before;
    const links: Buffer[] = [];
    let link = before;
    for (const { seq, stream, body, link: kept } of events) {
      link = kept ?? linkOf(link, seq, stream, body);
      links.push(link);
    }
    const stamp = key === null ? null : key.stamp(sealText(first, last, link));
    insert.run(last, first, links.length === 1 ? link : Buffer.concat(links), stamp);
    return link;
  };
}

/** Seals a log that was written before there were seals. Nobody signed those events; whatever is written next does. */
export function sealOld(db: Database, base: number, tip: number): void {
  db.exec(SEALS);
  const writeSeal = sealsIn(db);
  let link = readBaseLink(db);
  for (let at = base; at < tip; ) {
    const events: { seq: number; stream: string; body: string }[] = [];
    const { good, problem } = scan(db, at, AT_ONCE, (row) => events.push(row));
    // damage that a snapshot covers: nobody can tell what was written there, and a check is to say so
    if (problem !== null) events.push({ seq: good + 1, stream: "", body: "" });
    if (events.length === 0) return;
    link = writeSeal(link, events, null);
    at = events.at(-1)?.seq ?? tip;
  }
}

/** For a log that takes the place of a damaged one: the seals up to its end. A seal that reaches further is cut. */
export function copySeals(from: Database, to: Database, upTo: number): void {
  try {
    for (const { first, last, links, sig } of sealsOf(from, 0, upTo)) {
      const isWhole = last <= upTo;
      const kept = isWhole ? links : links.subarray(0, (upTo - first + 1) * LINK_BYTES);
      const hex = (bytes: Buffer) => `x'${bytes.toString("hex")}'`;
      const signed = isWhole && sig !== null ? hex(sig) : "NULL";
      to.exec(`INSERT INTO seals VALUES (${Math.min(last, upTo)}, ${first}, ${hex(kept)}, ${signed})`);
    }
    writeBaseLink(to, readBaseLink(from));
  } catch (error) {
    if (!isDamage(error)) throw error; // the seals are damaged too: the rest stays unsealed
  }
}

function bytesIn(value: Cell | undefined): Buffer | null {
  return value instanceof Uint8Array ? Buffer.from(value) : null;
}
