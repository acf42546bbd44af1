/**
 * Events whose texts were erased: their link still proves what was written, but no longer what is left. That is proven
 * by the event that erased them, which has its hash, a link of its own, and a signature.
 */
import { createHash } from "node:crypto";

/** What is left of an event says so in its last place. */
export function isRemnant(body: string): boolean {
  return body.endsWith(',"erased":true}');
}

export interface Erased {
  decision: string;
  by: string;
  at_ms: number;
  events: number;
}

export interface Erasures {
  /** An event that is not what its link says. False: nor does it say that it was erased. */
  suspect(seq: number, body: string): boolean;
  /** Every event that is what its link says, in order: it may clear others. */
  heed(body: string): void;
  /** Those that nothing has cleared, first to last. */
  left(): number[];
  found(): Erased[];
}

export function erasures(): Erasures {
  const suspects = new Map<number, string>();
  const found: Erased[] = [];
  return {
    suspect(seq, body) {
      if (!isRemnant(body)) return false;
      suspects.set(seq, createHash("sha256").update(body).digest("hex"));
      return true;
    },
    heed(body) {
      const erased = body.includes('"audit:erased"') ? erasedIn(body) : null;
      if (erased === null) return;
      let events = 0;
      for (const { seq, sha256 } of erased.records) {
        if (suspects.get(seq) !== sha256) continue;
        suspects.delete(seq);
        events += 1;
      }
      found.push({ decision: erased.id, by: erased.by, at_ms: erased.at_ms, events });
    },
    left: () => [...suspects.keys()].sort((a, b) => a - b),
    found: () => found,
  };
}

interface ErasedBody {
  id: string;
  by: string;
  at_ms: number;
  records: { seq: number; sha256: string }[];
}

/** Whoever could write to the log may have written this. */
function erasedIn(body: string): ErasedBody | null {
  try {
    const { type, id, by, at_ms, records } = JSON.parse(body) as Record<string, unknown>;
    if (type !== "audit:erased" || !Array.isArray(records)) return null;
    const isRecord = (it: { seq?: unknown; sha256?: unknown } | null) =>
      typeof it?.seq === "number" && typeof it.sha256 === "string";
    if (!records.every(isRecord)) return null;
    return {
      id: String(id),
      by: String(by),
      at_ms: Number(at_ms),
      records: records as ErasedBody["records"],
    };
  } catch {
    return null;
  }
}
