/**
 * What was shown lately, so that a modal opens without asking the disk, and which messages show it: a message whose
 * response was lost is in Slack twice, and the one that nobody recorded is learnt of when it is clicked.
 */
import type { CardInput } from "../../../channels/slack/card.ts";
import { parsed } from "../../../channels/slack/clicks.ts";
import { text } from "../../../channels/slack/place.ts";

const MOST_KEPT = 500;

export interface At {
  channel: string;
  ts: string;
}

/** What only the message in one place has: the page of whoever it was sent to answers in their name. */
export type Own = Pick<CardInput, "names" | "url">;

export interface Memory {
  /** The decision as it was shown last, with what is nobody's own. */
  shown(id: string): CardInput | null;
  /** What this message has of its own; null: nobody knows whom it was sent to. */
  ownAt(id: string, at: At): Own | null;
  keep(input: CardInput): void;
  /** A message that a notice has recorded is rewritten by it. */
  recorded(id: string, at: At, own: Own): void;
  /** Whether nobody but us knows of this message; from now on it is remembered. */
  adopts(id: string, at: At): boolean;
  /** The messages in a channel that no notice has recorded. */
  copies(id: string, channel: string): At[];
}

interface Message {
  at: At;
  /** Null: no notice has recorded it. */
  own: Own | null;
}

export function slackMemory(): Memory {
  const inputs = new Map<string, CardInput>();
  const places = new Map<string, Map<string, Message>>();

  function placesOf(id: string) {
    const found = places.get(id) ?? new Map<string, Message>();
    bounded(places, id, found);
    return found;
  }

  return {
    shown: (id) => inputs.get(id) ?? null,
    ownAt: (id, at) => places.get(id)?.get(nameOf(at))?.own ?? null,
    keep: (input) => bounded(inputs, input.decision.id, input),
    recorded(id, at, { names, url }) {
      placesOf(id).set(nameOf(at), { at, own: { names, url } });
    },
    adopts(id, at) {
      const known = placesOf(id);
      const name = nameOf(at);
      if (known.get(name)?.own) return false;
      known.set(name, { at, own: null });
      return true;
    },
    copies: (id, channel) =>
      [...(places.get(id)?.values() ?? [])].flatMap(({ at, own }) =>
        own === null && at.channel === channel ? [at] : [],
      ),
  };
}

/** What a notice keeps of its message: where it is, and what its thread was told last. */
export function refIn(sent: string): { at: At; stage: string | null } {
  const { channel, ts, stage } = parsed(sent);
  return { at: { channel: text(channel) ?? "", ts: text(ts) ?? "" }, stage: text(stage) };
}

export function isSamePlace(one: At, other: At): boolean {
  return nameOf(one) === nameOf(other);
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
