/** Reads the whole log and follows its chain, from where it begins to the head. Repairs nothing. */
import type { Damage } from "../../ports.ts";
import { GENESIS } from "../audit/chain.ts";
import { erasures, isRemnant } from "../audit/erased.ts";
import type { Connection } from "./connection.ts";
import type { Anchor } from "./rows.ts";
import { checkRows, isLink, wholeNumber } from "./rows.ts";

const PAGE = 5000;
const LIMIT_MS = 60_000;

export async function verifyLog(connection: Connection, shown: string): Promise<Damage | null> {
  const limits = "SELECT base, base_chain, seq, chain FROM meta, head";
  const [found] = await connection.ask([limits], LIMIT_MS);
  const { base, base_chain, seq, chain } = found?.rows[0] ?? {};
  const damaged = (at: number, what: string): Damage => ({
    seq: at,
    what,
    records: null,
    kept: `PostgreSQL at ${shown}`,
  });
  let at: Anchor = { seq: wholeNumber(base) ?? 0, chain: isLink(base_chain) ? base_chain : GENESIS };
  const tip = wholeNumber(seq) ?? 0;
  const erased = erasures();
  while (at.seq < tip) {
    const text =
      "SELECT seq, stream, body, chain FROM events WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3";
    const [page] = await connection.ask([{ text, values: [at.seq, tip, PAGE] }], LIMIT_MS);
    const { stored, problem } = checkRows(page?.rows ?? [], at);
    for (const [n, { seq: number }] of stored.entries()) {
      const body = String(page?.rows[n]?.body);
      if (!isRemnant(body)) erased.heed(body);
      else erased.suspect(number, body);
    }
    at = stored.at(-1) ?? at;
    if (problem !== null) return damaged(at.seq + 1, problem);
    if (stored.length === 0) return damaged(at.seq + 1, "it is missing");
  }
  const [left] = erased.left();
  if (left !== undefined) return damaged(left, "it is not what was written");
  if (!isLink(chain) || !at.chain.equals(chain))
    return damaged(at.seq, "the head of the log has another link");
  return null;
}
