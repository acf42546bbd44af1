/** Pages of events from the database, each checked against what this daemon has seen before. */
import type { Refusal } from "../../core/model/errors.ts";
import type { Event } from "../../core/model/events.ts";
import type { Question, Row } from "./connection.ts";
import { damagedAt, rewound } from "./errors.ts";
import type { Anchor, Stored } from "./rows.ts";
import { checkRows, eventIn, isLink, wholeNumber } from "./rows.ts";

export interface Pages {
  /** Asks for the events after `after`, and for that one itself: its link is what the next one builds on. */
  query(after: number, limit: number): Question;
  /** The events of such a page. Refuses what is damaged, and a log that is not the one we knew. */
  checked(rows: readonly Row[], after: number): Stored[];
  /** The same for callers that only look: what can't be read is replaced by `log:lost`. */
  looked(rows: readonly Row[], after: number): Event[];
  /** We have seen the log up to here. */
  note(tip: Anchor): void;
  /** Refuses a log that ends before what we have seen. */
  refuseShorter(seq: number): void;
  seen(): Anchor | null;
}

export function pagesAt(shown: string): Pages {
  let seen: Anchor | null = null;
  /** Once the log was found to be another one, it stays that, even if it has grown as long again. */
  let refusal: Refusal | null = null;

  function refuse(seq: number, what: string): never {
    refusal ??= rewound(shown, seq, what);
    throw refusal;
  }

  function note(tip: Anchor): void {
    if (seen === null || tip.seq > seen.seq) seen = tip;
  }

  /** What the page follows: the event that was asked for as well, or where the log begins now. */
  function anchorIn(first: Row, after: number): Anchor {
    const base = wholeNumber(first.base) ?? 0;
    const isKept = after > base;
    if (isKept && wholeNumber(first.seq) !== after) throw damagedAt(shown, after, "it is missing");
    const chain = isKept ? first.chain : first.base_chain;
    if (!isLink(chain)) throw damagedAt(shown, after, "it has no link to the one before it");
    if (seen?.seq === after && after >= base && !seen.chain.equals(chain))
      refuse(after, "is another one than this daemon has seen");
    return { seq: Math.max(after, base), chain };
  }

  return {
    note,
    seen: () => seen,
    refuseShorter(seq) {
      if (refusal !== null) throw refusal;
      if (seen !== null && seq < seen.seq) refuse(seen.seq, "is gone, which this daemon has seen");
    },
    query: (after, limit) => ({
      text: `
        SELECT seq, stream, body, chain, (SELECT base FROM meta), (SELECT base_chain FROM meta)
        FROM events WHERE seq >= $1 ORDER BY seq LIMIT $2`,
      values: [after, after === 0 ? limit : limit + 1],
    }),
    checked(rows, after) {
      const [first] = rows;
      if (!first) return [];
      const anchor = anchorIn(first, after);
      const follow = rows.filter((row) => wholeNumber(row.seq) !== anchor.seq);
      const { stored, problem } = checkRows(follow, anchor);
      const last = stored.at(-1);
      if (problem !== null && last === undefined) throw damagedAt(shown, anchor.seq + 1, problem);
      note(last ?? anchor);
      return stored;
    },
    looked: (rows, after) =>
      rows.flatMap((row) => {
        const seq = wholeNumber(row.seq);
        if (seq === null || seq <= after) return [];
        return [
          eventIn(row.body, seq) ?? {
            seq,
            at_ms: 0,
            type: "log:lost",
            id: "log",
            project: "",
            what: "it is not an event",
          },
        ];
      }),
  };
}
