/** Turns at writing: enter, decide, leave. What becomes of one whose COMMIT was sent and not answered is looked up. */
import { randomUUID } from "node:crypto";
import type { Event } from "../../core/model/events.ts";
import { streamOf } from "../../core/model/events.ts";
import { allKnow, isErasing } from "../../core/rights/writers.ts";
import { mendText } from "../../core/text/safe-text.ts";
import type { Decide } from "../../ports.ts";
import { Behind } from "../../ports.ts";
import { linkOf, sealText } from "../audit/chain.ts";
import type { MachineKey } from "../audit/key.ts";
import type { RemnantsToLeave } from "../audit/remnants.ts";
import { bodyOf } from "../audit/salted.ts";
import type { Answer, Connection, Question } from "./connection.ts";
import { fenced, isFenced, isLost, Lost, newer, storeError, unreachable } from "./errors.ts";
import type { Lane } from "./lane.ts";
import type { Pages } from "./pages.ts";
import type { Anchor } from "./rows.ts";
import { isLink, wholeNumber } from "./rows.ts";
import { LEAVING, RAISED, SCHEMA } from "./schema.ts";

/** A turn in all, so that callers are told within five seconds; and, for one whose COMMIT was sent, to find out what became of it. */
const TURN_MS = 4800;
const LOOK_UP_MS = 10_000;
/** More news than this are read before the turn, not in it. */
const NEWS_AT_MOST = 500;

const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
const ERASE = "SELECT erase($1::bigint[], $2::text[])";
const LEAVE = "SELECT leave($1, $2, $3, $4, $5, $6::text[], $7::text[], $8::bytea[], $9)";

export interface Writer {
  id: string;
  epoch: number;
  /** Its state folder, for messages. */
  folder: string;
  key: MachineKey;
  remnants: RemnantsToLeave;
}

interface Head extends Anchor {
  at_ms: number;
  min_writer: number;
}

interface Decided {
  tip: Anchor;
  leave: unknown[];
  batch: string;
  /** What else belongs to it: older daemons may not write after it, or texts are erased. */
  before: Question[];
  after: Question[];
}

/** The reply to this batch's COMMIT did not arrive. */
class Unknown extends Error {
  readonly batch: string;
  readonly tip: Anchor;
  constructor(batch: string, tip: Anchor) {
    super("the reply to COMMIT was lost");
    this.batch = batch;
    this.tip = tip;
  }
}

export function turnsOn(lane: Lane, pages: Pages, shown: string, writer: () => Writer, withinMs = TURN_MS) {
  return async function turn(after: number, decide: Decide): Promise<void> {
    let seen = after;
    const decideOn = (news: readonly Event[], at_ms: number) => {
      seen = news.at(-1)?.seq ?? seen;
      return decide(news, at_ms);
    };
    for (;;) {
      try {
        return await lane.use(withinMs, (it, left) => attempt(it, left, seen, decideOn));
      } catch (error) {
        if (isFenced(error)) throw fenced(writer().folder);
        if (!(error instanceof Unknown)) throw storeError(error, shown);
        if (await wasWritten(error)) return pages.note(error.tip);
      }
    }
  };

  async function attempt(
    connection: Connection,
    left: () => number,
    seen: number,
    decide: (news: readonly Event[], at_ms: number) => readonly Event[],
  ): Promise<void> {
    let decided: Decided | null;
    try {
      const page = pages.query(seen, NEWS_AT_MOST + 1);
      const [, entered, found] = await connection.ask([BEGIN, "SELECT * FROM enter()", page], left());
      const head = headOf(entered);
      pages.refuseShorter(head.seq);
      const news = pages.checked(found?.rows ?? [], seen);
      if (news.length > NEWS_AT_MOST || head.seq !== seen + news.length) throw new Behind();
      const at_ms = head.at_ms;
      const events = decide(
        news.map((it) => it.event),
        at_ms,
      );
      decided = events.length === 0 ? null : leaveWith(head, at_ms, events);
    } catch (error) {
      if (!isLost(error)) await rollBack(connection, left());
      throw error;
    }
    if (decided === null) return rollBack(connection, left());
    await commit(connection, decided, left());
    pages.note(decided.tip);
  }

  function leaveWith(head: Head, at_ms: number, events: readonly Event[]): Decided {
    const astray = events.find((event, n) => event.seq !== head.seq + 1 + n);
    if (astray) throw new Error(`event ${astray.seq} was decided, but ${head.seq + 1} is the next`);
    const bodies = events.map(bodyOf);
    const streams = events.map((event) => mendText(streamOf(event))); // PostgreSQL refuses a NUL
    const chains: Buffer[] = [];
    let before = head.chain;
    for (const [n, body] of bodies.entries()) {
      before = linkOf(before, head.seq + 1 + n, streams[n] ?? "", body);
      chains.push(before);
    }
    const batch = randomUUID();
    const { id, epoch, key, remnants } = writer();
    const last = head.seq + events.length;
    const signature = key.sign(sealText(head.seq + 1, last, before));
    const leave = [head.seq, at_ms, batch, id, epoch, streams, bodies, chains, signature];
    const knows = allKnow(events);
    const raise = [
      ...(knows > 0 && head.min_writer < RAISED ? ["SELECT raise_writer()"] : []),
      ...(knows > 2 && head.min_writer < LEAVING ? ["SELECT raise_leaving()"] : []),
    ];
    const erases = events.some(isErasing);
    const left = erases ? remnants.of(events) : [];
    const erase = { text: ERASE, values: [left.map((it) => it.seq), left.map((it) => it.body)] };
    const tip = { seq: last, chain: before };
    return { tip, leave, batch, before: raise, after: erases ? [erase] : [] };
  }

  function headOf(answer: Answer | undefined): Head {
    const { seq, at_ms, chain, now_ms, min_writer } = answer?.rows[0] ?? {};
    const [end, last, now, least] = [seq, at_ms, now_ms, min_writer].map(wholeNumber);
    if (end == null || last == null || now == null || least == null || !isLink(chain))
      throw unreachable(shown, "its table `head` is not ours");
    if (least > SCHEMA)
      throw newer(
        shown,
        `is written by a newer oj (schema ${least}); this one may only read (schema ${SCHEMA})`,
      );
    return { seq: end, chain, at_ms: Math.max(last, now), min_writer: least };
  }

  /** Looks after it got the lock, which the transaction in question held until it ended. */
  async function wasWritten({ batch }: Unknown): Promise<boolean> {
    const text = "SELECT first FROM batches WHERE batch = $1";
    try {
      return await lane.use(LOOK_UP_MS, async (connection, left) => {
        const look = [BEGIN, "SELECT * FROM enter()", { text, values: [batch] }, "ROLLBACK"];
        const [, , found] = await connection.ask(look, Math.min(TURN_MS, left()));
        return found?.rows.length === 1;
      });
    } catch (error) {
      if (!isLost(error)) throw storeError(error, shown);
      const why = `${(error as Error).message}, and nobody knows whether the last write is in it`;
      throw unreachable(shown, why);
    }
  }
}

async function commit(
  connection: Connection,
  { leave, batch, tip, before, after }: Decided,
  limitMs: number,
): Promise<void> {
  try {
    const write = { text: LEAVE, values: leave };
    const said = await connection.ask([...before, write, ...after, "COMMIT"], limitMs);
    const committed = said.at(-1);
    if (committed?.command !== "COMMIT") throw new Error(`COMMIT was answered by ${committed?.command}`);
  } catch (error) {
    if (isLost(error)) throw new Unknown(batch, tip);
    throw error;
  }
}

/** Gives the lock back. If that can't be said, the connection goes, and with it the lock. */
async function rollBack(connection: Connection, limitMs: number): Promise<void> {
  try {
    await connection.ask(["ROLLBACK"], limitMs);
  } catch (error) {
    connection.destroy();
    if (!isLost(error)) throw new Lost((error as Error).message);
  }
}
