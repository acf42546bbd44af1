/** The state as what is on disk makes it: folded on, and compared line by line with what a daemon has in memory. */
import type { Event } from "../../src/core/model/events.ts";
import type { WholeState } from "../../src/core/model/state/state.ts";
import { emptyState, lent, replay } from "../../src/core/model/state/state.ts";
import { stateLines } from "../../src/core/model/state/state-text.ts";

export interface Replayed {
  /** Whether this state is, byte for byte, what the events up to its own make. */
  makes(state: WholeState): boolean;
  /** Whether folding on came to the same as folding it all: both are written out anew. */
  isWhole(): boolean;
}

/** `written`: the text of each event that is on disk, the first one's number is 1. */
export function startReplayed(written: readonly string[]): Replayed {
  const folded = emptyState();
  const onDisk = (after: number, seq: number) =>
    written.slice(after, seq).map((it) => JSON.parse(it) as Event);
  const forget = [remember(folded.decisions), remember(folded.jobs)];

  return {
    makes(state) {
      replay(onDisk(folded.seq, state.seq), folded);
      const isSame = areSame(state, state.seq === folded.seq ? folded : replay(onDisk(0, state.seq)));
      lent(folded); // from here on, what was written out is copied before it is changed
      return isSame;
    },
    isWhole() {
      for (const call of forget) call();
      return areSame(folded, replay(onDisk(0, folded.seq)));
    },
  };
}

interface Texts<K extends string> {
  get(key: K): object | undefined;
  text(key: K): string;
}

/** Nobody but us sees these values, and they are never changed in place: each is written out once. */
function remember<K extends string>(table: Texts<K>): () => void {
  const texts = new WeakMap<object, string>();
  const anew = table.text.bind(table);
  table.text = (key) => {
    const value = table.get(key);
    if (!value) return anew(key);
    const text = texts.get(value) ?? anew(key);
    texts.set(value, text);
    return text;
  };
  return () => {
    table.text = anew;
  };
}

function areSame(one: WholeState, other: WholeState): boolean {
  const others = stateLines(other);
  for (const line of stateLines(one)) if (others.next().value !== line) return false;
  return others.next().done === true;
}
