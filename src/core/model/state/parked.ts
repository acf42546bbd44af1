/** A map whose values may still be text from a snapshot; each is parsed when it is first read. */
import { Table } from "./table.ts";

/** Most of a long history is never read again. As text it costs no time at the start, and less memory. */
export class Parked<K extends string, V extends object> extends Table<K, V> {
  /** Adds a value as its JSON text. */
  park(key: K, text: string): void {
    this.put(key, text as unknown as V);
  }

  /** The JSON text of a value; one that nobody has read is returned as it came in. */
  text(key: K): string {
    const held: unknown = super.get(key);
    return typeof held === "string" ? held : JSON.stringify(held);
  }

  override get(key: K): V | undefined {
    const held: unknown = super.get(key);
    if (typeof held !== "string") return held as V | undefined;
    const value = JSON.parse(held) as V;
    this.put(key, value);
    return value;
  }

  override *values(): MapIterator<V> {
    for (const key of this.keys()) yield this.get(key) as V;
  }

  override *entries(): MapIterator<[K, V]> {
    for (const key of this.keys()) yield [key, this.get(key) as V];
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  override forEach(call: (value: V, key: K, map: Map<K, V>) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this);
  }
}
