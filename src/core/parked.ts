/** A map whose values may still be text, as a snapshot has them: each is parsed when somebody first looks at it. */

/** Most of a long history is never looked at again. It costs a start nothing, and less memory as text. */
export class Parked<K extends string, V extends object> extends Map<K, V> {
  /** Puts a value in as its JSON text. */
  park(key: K, text: string): void {
    super.set(key, text as unknown as V);
  }

  /** The JSON text of a value; one that nobody has looked at is given back as it came. */
  text(key: K): string {
    const held: unknown = super.get(key);
    return typeof held === "string" ? held : JSON.stringify(held);
  }

  /** Looks at a value without keeping it: what goes through all of a long history must not fill the memory with it. */
  peek(key: K): V | undefined {
    const held: unknown = super.get(key);
    return typeof held === "string" ? (JSON.parse(held) as V) : (held as V | undefined);
  }

  override get(key: K): V | undefined {
    const held: unknown = super.get(key);
    if (typeof held !== "string") return held as V | undefined;
    const value = JSON.parse(held) as V;
    super.set(key, value);
    return value;
  }

  /** Those values that may have one of these in their JSON. What is still text and has none of them is not parsed for it. */
  *mentioning(...words: string[]): Generator<V> {
    for (const key of this.keys()) {
      const held: unknown = super.get(key);
      if (typeof held !== "string") yield held as V;
      else if (words.some((it) => held.includes(it))) yield this.get(key) as V;
    }
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
