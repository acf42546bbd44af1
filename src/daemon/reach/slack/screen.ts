/** What is written to Slack besides new cards: cards rewritten where they stand, and words for one person alone. */
import type { DecisionView } from "../../../api/api.ts";
import type { SlackService } from "../../../channel-ports.ts";
import { redacted } from "../../../channels/redacted.ts";
import type { SlackBlock } from "../../../channels/slack/blocks.ts";
import { escaped, sections } from "../../../channels/slack/blocks.ts";
import type { CardInput } from "../../../channels/slack/card.ts";
import { cardMessage } from "../../../channels/slack/card.ts";
import type { Place } from "../../../channels/slack/place.ts";
import { settledMessage } from "../../../channels/slack/settled-card.ts";
import { isSettled } from "../../../channels/slack/standing.ts";
import type { Card } from "../../../inbox/card/card.ts";
import { describe } from "../../../inbox/card/describe.ts";
import type { Ports } from "../../../ports.ts";
import type { At, Memory } from "./memory.ts";

export interface Written {
  text: string;
  blocks: SlackBlock[];
}

/** No previews of links, no names turned into mentions, no markup in the text that notifications show. */
export const QUIET = {
  unfurl_links: false,
  unfurl_media: false,
  mrkdwn: false,
  parse: "none",
  link_names: false,
} as const;

export interface Screen {
  /** The decision as it is now, as a card of ours that shows no secret. */
  inputOf(found: { decision: DecisionView; card?: Card }): CardInput;
  /** Shows the decision as it is known last: whoever comes first, no older state is left standing. */
  rewrite(at: At, id: string): Promise<void>;
  /** Only this person sees it. Never rejects: what can't be said is in the journal. */
  whisper(place: Place, user: string, message: Written): Promise<void>;
  /** Puts something else in the place of what only this person sees. */
  replace(place: Place, message: Written): Promise<void>;
}

interface Parts {
  service: SlackService;
  apiUrl: string;
  memory: Memory;
  ports: Pick<Ports, "clock" | "journal">;
  urlOf(id: string): string;
}

export function slackScreen({ service, apiUrl, memory, ports, urlOf }: Parts): Screen {
  const { clock, journal } = ports;
  const turns = inTurn();

  async function respond({ response_url: url }: Place, body: object): Promise<void> {
    if (url === null || !isSlacks(url, apiUrl)) throw new Error("Slack gave no address to answer to");
    await service.respond(url, body);
  }

  return {
    inputOf({ decision, card = describe(decision, clock.now()) }) {
      const safe = redacted({ decision, card });
      const { id } = decision;
      const names = memory.shown(id)?.names ?? namesOf(decision);
      const { decision: shown, card: its, showsAll } = safe;
      return { decision: shown, card: its, isWhole: showsAll, reason: "asked", names, url: urlOf(id) };
    },
    rewrite: (at, id) =>
      turns(`${at.channel} ${at.ts}`, async () => {
        const input = memory.shown(id);
        const face = input && faceOf({ ...input, ...memory.ownAt(id, at) });
        if (face) await service.call("chat.update", { ...at, ...face, ...QUIET });
      }),
    async whisper(place, user, message) {
      const { channel } = place;
      const said = channel === null ? Promise.reject(new Error("no channel")) : inChannel(channel);
      await said
        .catch(() => respond(place, { response_type: "ephemeral", replace_original: false, ...message }))
        .catch((error: Error) => journal.warn("slack: somebody could not be told", { error: error.message }));

      function inChannel(channel: string) {
        return service.call("chat.postEphemeral", { channel, user, ...message, ...QUIET });
      }
    },
    async replace(place, message) {
      await respond(place, { replace_original: true, ...message }).catch((error: Error) =>
        journal.warn("slack: a message was not replaced", { error: error.message }),
      );
    },
  };
}

/** Whom it was sent to here. */
function namesOf(decision: Pick<DecisionView, "notices">): string[] {
  const names = decision.notices.filter((it) => it.channel === "slack").map((it) => it.to);
  return [...new Set(names)];
}

/** The card of a decision as it stands: with buttons, or with what became of it. */
export function faceOf(input: CardInput): Written {
  if (isSettled(input.decision)) return settledMessage(input);
  const { text, blocks } = cardMessage(input);
  return { text, blocks };
}

/** Words of ours, and perhaps what somebody typed. */
export function wordsMessage(words: string, typed: readonly string[] = []): Written {
  const kept = typed.length === 0 ? [] : ["What you typed was not sent:", ...typed];
  return { text: escaped(words), blocks: [words, ...kept].flatMap((it) => sections(it)) };
}

/** An answer goes to Slack alone, whatever a payload says. */
function isSlacks(url: string, apiUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, hostname } = new URL(url);
  const api = new URL(apiUrl);
  return host === api.host || (protocol === "https:" && /(^|\.)slack\.com$/.test(hostname));
}

/** One call at a time for each message, in the order in which they were asked for. */
function inTurn(): (name: string, call: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return (name, call) => {
    const done = (last.get(name) ?? Promise.resolve()).catch(() => {}).then(call);
    last.set(name, done);
    const forget = () => {
      if (last.get(name) === done) last.delete(name);
    };
    done.then(forget, forget);
    return done;
  };
}
