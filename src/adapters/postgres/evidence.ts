/** The team's log as evidence: its events with their links, and who signed them. */
import type { Evidence, Testimony } from "../../store-ports.ts";
import { GENESIS } from "../audit/chain.ts";
import type { Connection, Row } from "./connection.ts";
import type { Identity } from "./identity.ts";
import { isLink, wholeNumber } from "./rows.ts";

const LIMIT_MS = 60_000;
const PAGE = 1000;

const ROWS = `
  SELECT e.seq, e.stream, e.body, e.chain, b.first, b.daemon, b.sig
  FROM events e LEFT JOIN batches b ON b.batch = e.batch AND b.last = e.seq
  WHERE e.seq > $1 ORDER BY e.seq LIMIT $2`;

/** What this machine knows itself, whatever the database says. */
export interface Known {
  id: string;
  key: Buffer | null;
  seen: Identity["seen"];
}

export async function evidenceIn(connection: Connection, known: Known | null): Promise<Evidence> {
  const [limits, daemons] = await connection.ask(
    ["SELECT base, base_chain, seq FROM meta, head", "SELECT id, pubkey FROM daemons"],
    LIMIT_MS,
  );
  const { base, base_chain, seq } = limits?.rows[0] ?? {};
  const keys = new Map<string, Buffer>();
  for (const { id, pubkey } of daemons?.rows ?? []) if (Buffer.isBuffer(pubkey)) keys.set(String(id), pubkey);
  if (known?.key) keys.set(known.id, known.key); // our own, not what somebody may have put in its place
  const seen = known?.seen ?? null;
  return {
    base: wholeNumber(base) ?? 0,
    base_chain: isLink(base_chain) ? base_chain : GENESIS,
    tip: Math.max(wholeNumber(seq) ?? 0, seen?.seq ?? 0),
    keys,
    own: null,
    witness: seen === null ? null : { seq: seen.seq, chain: Buffer.from(seen.chain, "hex") },
    warnings: [],
    async *rows() {
      for (let at = wholeNumber(base) ?? 0; ; ) {
        const [found] = await connection.ask([{ text: ROWS, values: [at, PAGE] }], LIMIT_MS);
        const page = (found?.rows ?? []).map(testimonyOf);
        if (page.length === 0) return;
        yield page;
        at = page.at(-1)?.seq ?? at;
      }
    },
  };
}

function testimonyOf({ seq, stream, body, chain, first, daemon, sig }: Row): Testimony {
  const from = wholeNumber(first);
  return {
    seq: wholeNumber(seq) ?? 0,
    stream: String(stream),
    body: String(body),
    chain: isLink(chain) ? chain : null,
    seal:
      from === null ? null : { first: from, signer: String(daemon), sig: Buffer.isBuffer(sig) ? sig : null },
  };
}
