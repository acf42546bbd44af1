/**
 * What was shown lately, so that a modal opens without asking the disk, and which messages show it: a message whose
 * response was lost is in Slack twice, and the one that nobody recorded is learnt of when it is clicked.
 */
import type { CardInput } from "../../../channels/slack/card.ts";

const MOST_KEPT = 500;

export interface At {
  channel: string;
  ts: string;
}

export interface Memory {
  /** The decision as it was shown last. */
  shown(id: string): CardInput | null;
  keep(input: CardInput): void;
  /** A message that a notice has recorded is rewritten by it. */
  recorded(id: string, at: At): void;
  /** Whether nobody but us knows of this message; from now on it is remembered. */
  adopts(id: string, at: At): boolean;
  /** The messages that no notice has recorded. */
  copies(id: string): At[];
}

export function slackMemory(): Memory {
  const inputs = new Map<string, CardInput>();
  const places = new Map<string, Map<string, { at: At; isRecorded: boolean }>>();

  function placesOf(id: string) {
    const found = places.get(id) ?? new Map<string, { at: At; isRecorded: boolean }>();
    bounded(places, id, found);
    return found;
  }

  return {
    shown: (id) => inputs.get(id) ?? null,
    keep: (input) => bounded(inputs, input.decision.id, input),
    recorded(id, at) {
      placesOf(id).set(nameOf(at), { at, isRecorded: true });
    },
    adopts(id, at) {
      const known = placesOf(id);
      const name = nameOf(at);
      if (known.get(name)?.isRecorded) return false;
      known.set(name, { at, isRecorded: false });
      return true;
    },
    copies: (id) => [...(places.get(id)?.values() ?? [])].filter((it) => !it.isRecorded).map((it) => it.at),
  };
}

function nameOf({ channel, ts }: At): string {
  return `${channel} ${ts}`;
}

/** The newest stay. */
function bounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_KEPT && oldest !== undefined) map.delete(oldest);
}
