/** Decisions as a query lists them: all that it means, or a page of the history. */
import type { DecisionQuery } from "../api.ts";
import type { Decision } from "../core/decision-types.ts";
import { findDecision } from "../core/find.ts";
import type { DecisionId } from "../core/ids.ts";
import type { State } from "../core/state.ts";
import type { Engine } from "./engine.ts";
import { asksForSettled, filterOf, selectDecisions } from "./select-decisions.ts";

export interface Listed {
  /** The last event that the list shows. */
  seq: number;
  items: Buffer[];
}

type Bytes = (decision: Decision) => Buffer;

/** A search through a long history lets others pass after so many. */
const SLICE = 500;
const DEFAULT_LIMIT = 100;

export async function listed(
  engine: Engine,
  query: DecisionQuery,
  mayRead: (decision: Decision) => boolean,
  bytes: Bytes,
): Promise<Listed> {
  if (query.limit !== undefined || query.before !== undefined) return page(engine, query, mayRead, bytes);
  return engine.read((state) => {
    const found = selectDecisions(state, query).filter(mayRead);
    return { seq: state.seq, items: found.map(bytes) };
  });
}

/** Newest first. What is asked meanwhile is newer than all of it, and is told of by events after `seq`. */
async function page(
  engine: Engine,
  query: DecisionQuery,
  mayRead: (decision: Decision) => boolean,
  bytes: Bytes,
): Promise<Listed> {
  const wanted = filterOf(query);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const items: Buffer[] = [];
  const { ids, seq } = await engine.read((state) => ({ ids: candidates(state, query), seq: state.seq }));
  for (let from = 0; from < ids.length && items.length < limit; from += SLICE) {
    const found = await engine.read((state) =>
      ids
        .slice(from, from + SLICE)
        .map((id) => state.decisions.peek(id))
        .filter((it) => it !== undefined)
        .filter((it) => wanted(it) && mayRead(it))
        .slice(0, limit - items.length)
        .map(bytes),
    );
    items.push(...found);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return { seq, items };
}

function candidates(state: Readonly<State>, query: DecisionQuery): DecisionId[] {
  const ids = [...state.decisions.keys()]; // in the order in which they were asked
  const end = query.before === undefined ? ids.length : ids.indexOf(findDecision(state, query.before).id);
  const older = ids.slice(0, end).reverse();
  return asksForSettled(query) ? older : older.filter((id) => state.pending.has(id));
}
