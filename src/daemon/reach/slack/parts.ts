/** What carrying out a click takes, and what is done after every one. */
import type { SlackService } from "../../../channel-ports.ts";
import type { Incoming } from "../../../channels/slack/incoming.ts";
import type { Place } from "../../../channels/slack/place.ts";
import { isSettled } from "../../../channels/slack/standing.ts";
import type { Ports } from "../../../ports.ts";
import type { Answered, Door } from "../channel.ts";
import type { Memory } from "./memory.ts";
import { isSamePlace, refIn } from "./memory.ts";
import type { Screen } from "./screen.ts";
import { faceOf } from "./screen.ts";

export interface Parts {
  service: SlackService;
  door: Door;
  screen: Screen;
  memory: Memory;
  ports: Pick<Ports, "clock" | "journal">;
}

export type Clicked = Extract<Incoming, { type: "click" }>;

/**
 * The card that was clicked, if no notice knows of it, or if it offers what can't be had any more. One that a notice knows
 * of is rewritten by the machine that sent it, with the link that only that machine can make.
 */
export async function rewriteWhereClicked(
  { screen, memory, door, ports }: Parts,
  place: Place,
  { type, decision }: Answered,
): Promise<void> {
  if (!decision) return;
  const settled = isSettled(decision);
  const known = memory.shown(decision.id);
  if (!known || !isSettled(known.decision)) memory.keep(screen.inputOf({ decision }));
  const { channel, ts } = place;
  if (ts === null && settled) return screen.replace(place, faceOf(screen.inputOf({ decision })));
  if (channel === null || ts === null) return;
  const at = { channel, ts };
  const sent = await door.places(decision.id, "slack");
  const isUnknown = !sent.some((it) => isSamePlace(refIn(it).at, at)) && memory.adopts(decision.id, at);
  if (!isUnknown && !(settled && type === "refused")) return;
  await screen.rewrite(at, decision.id).catch((error: Error) => {
    ports.journal.warn("slack: a card was not rewritten", { error: error.message });
  });
}

export const UNKNOWN = "oj does not know your Slack account. It must be in the config of whoever runs oj.";

/** What a stranger may know: for whom it is. */
export async function strangerWords({ door }: Parts, id: string): Promise<string> {
  const names = await door.addressees(id, "slack");
  return names.length === 0 ? `This one is not for you. ${UNKNOWN}` : `This one is for ${names.join(", ")}.`;
}
