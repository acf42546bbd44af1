/** What a channel is given to render: the decision as its inbox would show it, for one person or room. */
import type { DecisionView } from "../../api/api.ts";
import type { RedactedDecision } from "../../channels/redacted.ts";
import { redacted } from "../../channels/redacted.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { VIAS } from "../../core/model/decision-types.ts";
import type { Notice } from "../../core/model/reach-types.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import type { Hide } from "../../core/text/secrets/known.ts";
import type { Card } from "../../inbox/card/card.ts";
import { describe } from "../../inbox/card/describe.ts";
import { decisionView } from "../views/views.ts";
import type { Channel, Given, LinkInput, Outgoing } from "./channel.ts";
import type { Link } from "./link-token.ts";

/** Addresses that lead people back to a decision. */
export interface Addresses {
  /** Where people reach the web inbox, without a slash at the end. */
  base(): string;
  /** A page with one button for each option, or for this one; null if there is none. */
  link: Given["link"];
}

/** An answer by a link came through the channel that carried it; where nothing is answered on the channel itself, by web. */
export function linkOf({ kind, ...link }: LinkInput): Link {
  return { ...link, via: VIAS.find((it) => it === kind) ?? "web" };
}

export interface Message {
  notice: Notice;
  /** The first is what the message is about; the others come with it in a digest. */
  decisions: readonly [Decision, ...Decision[]];
  channel: Channel;
  hide: Hide;
  now: number;
}

export function outgoing(
  { notice, decisions, channel, hide, now }: Message,
  config: ReachConfig,
  addresses: Addresses,
): Omit<Outgoing, "stands"> {
  const [decision, ...others] = decisions;
  const shown = shownOf(decision, channel, hide, now);
  const { person: name, names, to, reason } = notice;
  const linkFor = (to: Pick<LinkInput, "option" | "isClaim">) =>
    name === null ? null : addresses.link({ decision: decision.id, person: name, kind: channel.kind, ...to });
  return {
    key: notice.key,
    reason: reason === "digest" && others.length === 0 ? "asked" : reason,
    ...shown,
    person: name === null ? null : (config.people.get(name) ?? null),
    names,
    address: to,
    url: `${addresses.base()}/#/decision/${decision.id}`,
    link: async (option) => linkFor({ option }),
    claim: async () => (decision.claimed ? null : linkFor({ option: null, isClaim: true })),
    earlier: earlierOf(decision, notice),
    others: others.map((it) => shownOf(it, channel, hide, now)),
    now,
  };
}

function earlierOf({ reach }: Decision, { key, channel, to }: Notice): string | null {
  const sent = reach?.notices.find(
    (it) => it.channel === channel && it.to === to && it.ref !== null && !it.together, // a digest has a thread of its own
  );
  return sent === undefined || sent.key === key ? null : sent.ref;
}

/** A decision as it leaves by this channel: without secrets, unless it stays on this machine. */
function shownOf(
  decision: Decision,
  { isLocal }: Channel,
  hide: Hide,
  now: number,
): { decision: DecisionView; card: Card; isWhole: boolean } {
  if (isLocal) {
    const view = decisionView(decision);
    return { decision: view, card: describe(view, now), isWhole: true };
  }
  const { decision: view, card, showsAll } = cleanOf(decision, hide, now);
  return { decision: view, card: { ...card, facts: describe(view, now).facts }, isWhole: showsAll };
}

/** A decision is never changed in place, and goes out by several channels, or in a digest that is rewritten often. */
const known = new WeakMap<Decision, RedactedDecision>();

function cleanOf(decision: Decision, hide: Hide, now: number): RedactedDecision {
  const found = known.get(decision);
  if (found) return found;
  const view = hide(decisionView(decision));
  const clean = redacted({ decision: view, card: describe(view, now) });
  known.set(decision, clean);
  return clean;
}
