/** The port `Shelf` in memory: it can be full, and says how much is on it. Passes the shelf's contract. */
import type { Shelf } from "../../src/core/model/shelf.ts";

export interface FakeShelf extends Shelf {
  /** How many texts are on the shelf. */
  size(): number;
  /** While it is full, nothing more can be put on it. */
  fill(isFull: boolean): void;
}

export function fakeShelf(): FakeShelf {
  const texts = new Map<number, string>();
  let [next, isFull] = [0, false];
  return {
    size: () => texts.size,
    fill(full) {
      isFull = full;
    },
    put(text) {
      if (isFull) return null;
      texts.set(next, text);
      return { file: 0, at: next++, bytes: text.length };
    },
    get({ at }) {
      const text = texts.get(at);
      if (text === undefined) throw new Error("a text is no longer on the shelf");
      return text;
    },
    drop: ({ at }) => void texts.delete(at),
    close: () => texts.clear(),
  };
}
