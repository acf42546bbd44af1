/** Things in order of a number, of which any can be taken out again. Equal ones keep the order in which they came. */

export interface Entry<Item> {
  readonly at: number;
  readonly item: Item;
  readonly count: number;
  /** Where it is in the heap; -1 once it was taken out. */
  place: number;
}

export class Heap<Item> {
  readonly #entries: Entry<Item>[] = [];
  #count = 0;

  get size(): number {
    return this.#entries.length;
  }

  first(): Entry<Item> | undefined {
    return this.#entries[0];
  }

  add(at: number, item: Item): Entry<Item> {
    const entry = { at, item, count: this.#count++, place: this.#entries.length };
    this.#entries.push(entry);
    this.#rise(entry);
    return entry;
  }

  /** Takes it out, if it is still in. */
  remove(entry: Entry<Item>): void {
    const { place } = entry;
    if (place === -1) return;
    const last = this.#entries.pop();
    entry.place = -1;
    if (!last || last === entry) return;
    this.#put(last, place);
    this.#rise(last);
    this.#sink(last);
  }

  clear(): void {
    for (const entry of this.#entries) entry.place = -1;
    this.#entries.length = 0;
  }

  #rise(entry: Entry<Item>): void {
    for (;;) {
      const above = entry.place === 0 ? undefined : this.#entries[(entry.place - 1) >> 1];
      if (!above || !isBefore(entry, above)) return;
      this.#swap(entry, above);
    }
  }

  #sink(entry: Entry<Item>): void {
    for (;;) {
      const left = this.#entries[2 * entry.place + 1];
      const right = this.#entries[2 * entry.place + 2];
      const below = left && right && isBefore(right, left) ? right : left;
      if (!below || !isBefore(below, entry)) return;
      this.#swap(below, entry);
    }
  }

  #swap(a: Entry<Item>, b: Entry<Item>): void {
    const place = a.place;
    this.#put(a, b.place);
    this.#put(b, place);
  }

  #put(entry: Entry<Item>, place: number): void {
    this.#entries[place] = entry;
    entry.place = place;
  }
}

function isBefore<Item>(a: Entry<Item>, b: Entry<Item>): boolean {
  return a.at < b.at || (a.at === b.at && a.count < b.count);
}
