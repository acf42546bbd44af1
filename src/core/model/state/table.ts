/** The tables that the state is made of: what rules and readers see of them, and how folding changes them. */
import type { Changing } from "../fixed.ts";

declare const live: unique symbol;

/** A part of the state itself: the next event changes it, so it must not outlive a rule or a look at the state. */
export interface Live {
  readonly [live]?: never;
}

/**
 * What may be kept: anything but the state, its tables, and
 * iterators or functions that read them later. Values are fixed.
 */
export type Kept<T> = true extends HasLive<T> ? never : T;

type HasLive<T, Depth extends 0[] = []> = Depth["length"] extends 4
  ? false
  : T extends { next(...args: never[]): unknown } | ((...args: never[]) => unknown)
    ? true
    : T extends object
      ? typeof live extends keyof T
        ? true
        : T extends readonly (infer U)[] | ReadonlySet<infer U> | ReadonlyMap<unknown, infer U>
          ? HasLive<U, [...Depth, 0]>
          : T extends ArrayBufferView
            ? false
            : { [K in keyof T]-?: HasLive<T[K], [...Depth, 0]> }[keyof T]
      : false;

export interface Rows<K, V> extends ReadonlyMap<K, V>, Live {}
export interface Ids<K> extends ReadonlySet<K>, Live {}

/** A value is opened to be changed: a copy takes its place, so whoever was shown the old value may keep it. */
export interface OpenRows<K, V> extends Rows<K, V> {
  open(key: K): Changing<V> | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): boolean;
}

export interface OpenIds<K> extends Ids<K> {
  add(id: K): unknown;
  delete(id: K): boolean;
}

export type Copy<V> = (value: V) => Changing<V>;

export class Table<K extends string, V extends object> extends Map<K, V> implements OpenRows<K, V> {
  private readonly copy: Copy<V>;
  /**
   * Keys whose values nobody has been shown; those are changed
   * in place. Null if nobody has been shown any, as at a start.
   */
  private own: Set<K> | null = null;

  constructor(copy: Copy<V> = shallow) {
    super();
    this.copy = copy;
  }

  /** Called before somebody is shown the values and may keep them. */
  lend(): void {
    if (this.own === null) this.own = new Set();
    else if (this.own.size > 0) this.own.clear();
  }

  open(key: K): Changing<V> | undefined {
    const value = this.get(key);
    if (value === undefined || this.own === null || this.own.has(key)) return value;
    const copy = this.copy(value);
    this.set(key, copy);
    return copy;
  }

  override set(key: K, value: V): this {
    this.own?.add(key);
    return this.put(key, value);
  }

  /** Stores the same value in another form. */
  protected put(key: K, value: V): this {
    return super.set(key, value);
  }

  override delete(key: K): boolean {
    this.own?.delete(key);
    return super.delete(key);
  }
}

/** A shallow copy is enough: folding sets fields, and replaces the lists and records in them. */
export function shallow<V extends object>(value: V): Changing<V> {
  return { ...value };
}
