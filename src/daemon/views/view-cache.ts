/**
 * Keeps pending decisions as JSON bytes until they change, so that an inbox of ten thousand is listed without building
 * it anew each time.
 */
import type { Decision } from "../../core/model/decision-types.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import type { Engine } from "../engine/engine.ts";

export interface ViewCache {
  /** The view of a decision as bytes. Only call it with decisions of the newest state. */
  bytes(decision: Decision): Buffer;
  /** Something else than the decisions has changed that their views show. */
  clear(): void;
}

const MAX = 20_000;

export function viewCache(engine: Engine, viewOf: (decision: Decision) => object): ViewCache {
  const kept = new Map<
    DecisionId,
    { bytes: Buffer; state: string; delivery: unknown; held: unknown; reach: unknown }
  >();
  engine.watch((events) => {
    for (const event of events) {
      if (/^(decision|notice):/.test(event.type)) kept.delete((event as { id: DecisionId }).id);
      if (event.type === "job:deleted") kept.clear();
    }
  });
  return {
    clear: () => kept.clear(),
    bytes(decision) {
      const found = kept.get(decision.id);
      // Facts are folded before the commit that clears the entry. So we compare what folding changes to see if the
      // entry is still valid.
      const { state, delivery, held, reach } = decision;
      const isSame = found?.state === state && found.delivery === delivery && found.held === held;
      if (isSame && found.reach === reach) return found.bytes;
      const bytes = Buffer.from(JSON.stringify(viewOf(decision)));
      if (state !== "pending") return bytes; // few of these are on screen, and many in the state
      if (kept.size >= MAX) kept.clear();
      kept.set(decision.id, { bytes, state, delivery, held, reach });
      return bytes;
    },
  };
}

/** A long list is sent in pieces of this size: as one text it would be built and thrown away with every call. */
const PIECE = 128 * 1024;

/** A JSON list of these items, as the body of a response. */
export function listBody(items: readonly Buffer[]): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const parts: Buffer[] = next === 0 ? [OPEN] : [];
        for (let size = 0; size < PIECE && next < items.length; next++) {
          const item = items[next] ?? Buffer.alloc(0);
          parts.push(...(next > 0 ? [COMMA] : []), item);
          size += item.length;
        }
        const isLast = next >= items.length;
        if (isLast) parts.push(CLOSE);
        controller.enqueue(Buffer.concat(parts));
        if (isLast) controller.close();
      },
    },
    { highWaterMark: 1 },
  );
}

const [OPEN, COMMA, CLOSE] = ["[", ",", "]"].map((it) => Buffer.from(it)) as [Buffer, Buffer, Buffer];
