/** A state on top of another one, which stays unchanged. A draft folds its facts into it. */
import type { Decision } from "../decision-types.ts";
import type { Changing } from "../fixed.ts";
import type { Gist } from "../gist.ts";
import { gistOf } from "../gist.ts";
import type { DecisionId } from "../ids.ts";
import { copyJob } from "./fold-job.ts";
import type { Decisions, Folding, State } from "./state-types.ts";
import type { Copy, OpenIds, OpenRows, Rows } from "./table.ts";
import { shallow } from "./table.ts";

export function overlay(base: State): Folding {
  const { seq, decisions, jobs, agents, crews, sessions, queues } = base;
  const { machines, retries, trash, past, policies } = base;
  return {
    seq,
    decisions: new OverDecisions(decisions),
    jobs: new OverRows(jobs, copyJob),
    agents: new OverRows(agents),
    crews: new OverRows(crews),
    sessions: new OverRows(sessions),
    queues: new OverRows(queues),
    machines: new OverRows(machines),
    people: new OverRows(base.people),
    removed: new OverRows(base.removed),
    retries: new OverRows(retries),
    trash: new OverRows(trash),
    past: new OverRows(past),
    policies: new OverRows(policies),
    mirrors: new OverRows(base.mirrors),
    unmirrored: new OverRows(base.unmirrored),
    pending: new OverIds(base.pending),
    asking: new OverRows(base.asking),
    held: new OverIds(base.held),
    unfollowed: new OverIds(base.unfollowed),
    active: new OverIds(base.active),
    unseen: new OverIds(base.unseen),
    routed: new OverIds(base.routed),
    untold: new OverIds(base.untold),
    timed: new OverIds(base.timed),
    fresh: new OverRows(base.fresh),
  };
}

/**
 * A value that is opened here is copied once and stays the same
 * object from then on, so a rule that holds it sees later changes.
 */
class OverRows<K extends string, V extends object> implements OpenRows<K, V> {
  protected readonly base: Rows<K, V>;
  private readonly copy: Copy<V>;
  /** What differs from the base; null means deleted. */
  protected readonly own = new Map<K, Changing<V> | V | null>();

  constructor(base: Rows<K, V>, copy: Copy<V> = shallow) {
    this.base = base;
    this.copy = copy;
  }

  get(key: K): V | undefined {
    const own = this.own.get(key);
    return own === undefined ? this.base.get(key) : ((own ?? undefined) as V | undefined);
  }

  has(key: K): boolean {
    const own = this.own.get(key);
    return own === undefined ? this.base.has(key) : own !== null;
  }

  open(key: K): Changing<V> | undefined {
    const own = this.own.get(key);
    if (own !== undefined) return (own ?? undefined) as Changing<V> | undefined;
    const value = this.base.get(key);
    if (value === undefined) return undefined;
    const copy = this.copy(value);
    this.own.set(key, copy);
    return copy;
  }

  set(key: K, value: V): void {
    this.own.set(key, value);
  }

  delete(key: K): boolean {
    const was = this.has(key);
    this.own.set(key, null);
    return was;
  }

  get size(): number {
    let size = this.base.size;
    for (const [key, own] of this.own) size += Number(own !== null) - Number(this.base.has(key));
    return size;
  }

  *keys(): MapIterator<K> {
    for (const key of this.base.keys()) if (this.own.get(key) !== null) yield key;
    for (const [key, own] of this.own) if (own !== null && !this.base.has(key)) yield key;
  }

  *values(): MapIterator<V> {
    for (const key of this.keys()) yield this.get(key) as V;
  }

  *entries(): MapIterator<[K, V]> {
    for (const key of this.keys()) yield [key, this.get(key) as V];
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(call: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) call(value, key, this);
  }

  text(key: K): string {
    return JSON.stringify(this.get(key));
  }
}

class OverDecisions extends OverRows<DecisionId, Decision> implements Decisions {
  declare protected readonly base: Decisions;

  peek(id: DecisionId): Decision | undefined {
    return this.own.has(id) ? this.get(id) : this.base.peek(id);
  }

  gist(id: DecisionId): Gist | undefined {
    const own = this.own.get(id);
    if (own === undefined) return this.base.gist(id);
    return own === null ? undefined : gistOf(own);
  }

  *gists(): Generator<Gist> {
    for (const id of this.keys()) yield this.gist(id) as Gist;
  }

  ownedBy(owner: string): ReadonlySet<DecisionId> {
    const found = new Set(this.base.ownedBy(owner));
    for (const [id, own] of this.own) {
      if (own === null) found.delete(id);
      else if (own.owner.kind !== "requester" && own.owner.id === owner) found.add(id);
    }
    return found;
  }

  override *values(): MapIterator<Decision> {
    for (const id of this.keys()) yield this.peek(id) as Decision;
  }

  override *entries(): MapIterator<[DecisionId, Decision]> {
    for (const id of this.keys()) yield [id, this.peek(id) as Decision];
  }
}

class OverIds<K extends string> implements OpenIds<K> {
  private readonly base: ReadonlySet<K>;
  private readonly added = new Set<K>();
  private readonly gone = new Set<K>();

  constructor(base: ReadonlySet<K>) {
    this.base = base;
  }

  has(id: K): boolean {
    return this.added.has(id) || (this.base.has(id) && !this.gone.has(id));
  }

  add(id: K): void {
    if (!this.has(id)) this.added.add(id);
  }

  delete(id: K): boolean {
    const was = this.has(id);
    this.added.delete(id);
    if (was && this.base.has(id)) this.gone.add(id);
    return was;
  }

  get size(): number {
    return this.base.size - this.gone.size + this.added.size;
  }

  *values(): SetIterator<K> {
    for (const id of this.base) if (!this.gone.has(id)) yield id;
    yield* this.added;
  }

  keys(): SetIterator<K> {
    return this.values();
  }

  *entries(): SetIterator<[K, K]> {
    for (const id of this.values()) yield [id, id];
  }

  [Symbol.iterator](): SetIterator<K> {
    return this.values();
  }

  forEach(call: (value: K, key: K, set: ReadonlySet<K>) => void): void {
    for (const id of this) call(id, id, this);
  }
}
