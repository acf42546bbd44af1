/** Lists the decisions that a query selects: all of them, or a page of the history. */
import type { DecisionQuery } from "../../api/api.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import type { Gist } from "../../core/model/gist.ts";
import { gistOf, standingOf } from "../../core/model/gist.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { findDecision } from "../../core/model/state/find.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Engine } from "../engine/engine.ts";
import {
  asksForSettled,
  filterOf,
  isHistory,
  isSettledBefore,
  selectPending,
  selectSettled,
} from "./select-decisions.ts";

export interface Listed {
  /** The last event that the list includes. */
  seq: number;
  items: Buffer[];
}

type Bytes = (decision: Decision) => Buffer;
type MayRead = (it: Pick<Gist, "id" | "agent_id" | "owner" | "project" | "requested_by">) => boolean;

/** In a long history, other work gets a turn after this many decisions have been read. */
const SLICE = 100;
const DEFAULT_LIMIT = 100;

export async function listed(
  engine: Engine,
  query: DecisionQuery,
  mayRead: MayRead,
  bytes: Bytes,
): Promise<Listed> {
  if (query.limit !== undefined || query.before !== undefined) return page(engine, query, mayRead, bytes);
  const { seq, items, ids } = await engine.read((state) => ({
    seq: state.seq,
    items: isHistory(query) ? [] : selectPending(state, query).filter(mayRead).map(bytes),
    ids: asksForSettled(query)
      ? selectSettled(state, query)
          .filter(mayRead)
          .map((it) => it.id)
      : [],
  }));
  const settled = await collect(engine, query, { ids, bytes, limit: Number.POSITIVE_INFINITY });
  return { seq, items: [...items, ...settled] };
}

/** Newest first. Decisions created meanwhile are newer than all of these; events after `seq` report them. */
async function page(engine: Engine, query: DecisionQuery, mayRead: MayRead, bytes: Bytes): Promise<Listed> {
  const { ids, seq } = await engine.read((state) => ({
    ids: candidates(state, query, mayRead),
    seq: state.seq,
  }));
  return { seq, items: await collect(engine, query, { ids, bytes, limit: query.limit ?? DEFAULT_LIMIT }) };
}

/** The decisions among these ids that match the query, slice by slice. */
async function collect(
  engine: Engine,
  query: DecisionQuery,
  { ids, bytes, limit }: { ids: readonly DecisionId[]; bytes: Bytes; limit: number },
): Promise<Buffer[]> {
  const { byStanding, byText } = filterOf(query);
  const items: Buffer[] = [];
  for (let from = 0; from < ids.length && items.length < limit; from += SLICE) {
    const found = await engine.read((state) =>
      ids
        .slice(from, from + SLICE)
        .map((id) => state.decisions.peek(id))
        .filter((it) => it !== undefined)
        .filter((it) => byStanding(standingOf(it)) && byText(it))
        .slice(0, limit - items.length)
        .map(bytes),
    );
    items.push(...found);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return items;
}

function candidates(state: Readonly<State>, query: DecisionQuery, mayRead: MayRead): DecisionId[] {
  if (isHistory(query))
    return settledBefore(state, query)
      .filter(mayRead)
      .map((it) => it.id);
  const { byStanding } = filterOf(query);
  const ids = [...state.decisions.keys()]; // in the order they were asked
  const end = query.before === undefined ? ids.length : ids.indexOf(findDecision(state, query.before).id);
  const older = ids.slice(0, end).reverse();
  const wanted = asksForSettled(query) ? older : older.filter((id) => state.pending.has(id));
  return wanted.filter((id) => {
    const gist = state.decisions.gist(id);
    return gist !== undefined && byStanding(gist) && mayRead(gist);
  });
}

/** In the order in which they were settled, which stays as it is while somebody turns the pages. */
function settledBefore(state: Readonly<State>, query: DecisionQuery): Gist[] {
  const all = selectSettled(state, query);
  if (query.before === undefined) return all;
  const last = gistOf(findDecision(state, query.before));
  return all.filter((it) => isSettledBefore(it, last));
}
