/** The log of a state folder as evidence: its records with their links and signatures, whatever became of them. */
import type { Evidence, Testimony } from "../../store-ports.ts";
import { GENESIS } from "../audit/chain.ts";
import type { MachineKey } from "../audit/key.ts";
import { readBase } from "./database.ts";
import type { Cell, Database } from "./driver.ts";
import { isDamage } from "./errors.ts";
import { lastSeq } from "./records.ts";
import { hasSeals, lastSealed, linkIn, readBaseLink, sealsOf } from "./seals.ts";

/** Who signs in a folder: there is only one. */
const HERE = "";
const PAGE = 1000;

export function evidenceIn(db: Database, acknowledged: number, key: MachineKey | null): Evidence {
  const isSealed = hasSeals(db);
  const base = readBase(db);
  const last = lastSeq(db, base) ?? base;
  const warnings: string[] = [];
  if (!isSealed)
    warnings.push("an older oj wrote this log, and its events have no links yet: start the daemon once");
  else if (key === null) warnings.push("this folder has no machine-key, so that no signature can be checked");
  return {
    base,
    base_chain: isSealed ? readBaseLink(db) : GENESIS,
    tip: Math.max(last, acknowledged, isSealed ? lastSealed(db) : 0),
    keys: new Map(key === null ? [] : [[HERE, key.public]]),
    own: key,
    witness: null,
    warnings,
    async *rows() {
      if (!isSealed) return;
      for (let at = base; at < last; ) {
        const page = pageAfter(db, at);
        if (page.length === 0) return;
        yield page;
        at = page.at(-1)?.seq ?? last;
      }
    },
  };
}

function pageAfter(db: Database, after: number): Testimony[] {
  const rows = readable(db, after);
  const seals = sealsOf(db, after + 1, rows.at(-1)?.seq ?? after);
  let n = 0;
  return rows.map(({ seq, stream, body }) => {
    while (n < seals.length && (seals[n]?.last ?? 0) < seq) n += 1;
    const seal = seals[n];
    return {
      seq,
      stream,
      body,
      chain: seal === undefined ? null : linkIn(seal, seq),
      seal: seal?.last === seq ? { first: seal.first, signer: HERE, sig: seal.sig } : null,
    };
  });
}

/** A page that can't be read is read one by one, up to what is damaged. */
function readable(db: Database, after: number): Testimony[] {
  const text = "SELECT seq, stream, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?";
  for (const size of [PAGE, 1]) {
    try {
      const rows = db.prepare(text).all(after, size) as Record<string, Cell>[];
      return rows.map(({ seq, stream, body }) => ({
        seq: Number(seq),
        stream: String(stream),
        body: String(body),
        chain: null,
        seal: null,
      }));
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  return [];
}
