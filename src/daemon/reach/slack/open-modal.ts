/**
 * Opens a modal. Slack allows three seconds from the click, so nothing is asked of the disk before: what the modal shows
 * is what the card showed. Only if that is not in memory is it looked up, and a modal that waits stands in for it.
 */
import type { View } from "../../../channels/slack/blocks.ts";
import type { CardInput } from "../../../channels/slack/card.ts";
import {
  formModal,
  reasonModal,
  refusedModal,
  waitingModal,
  wordsModal,
} from "../../../channels/slack/modal.ts";
import { isSettled, settledWords } from "../../../channels/slack/standing.ts";
import { inTime } from "./in-time.ts";
import type { Clicked, Parts } from "./parts.ts";
import { wordsMessage } from "./screen.ts";

/** As long as a modal may wait for what it shows, so that Slack still takes it. */
const LOOK_UP_MS = 1500;

export async function openModal(parts: Parts, clicked: Clicked): Promise<void> {
  const { service, memory, ports } = parts;
  const { click, trigger_id } = clicked;
  if (click.type === "open") return;
  const known = memory.shown(click.id);
  if (known) return openOn(known);
  const looking = lookUp(parts, click.id);
  const found = await inTime(looking, LOOK_UP_MS, ports.clock);
  if (found !== "late") return found ? openOn(found) : gone(parts, clicked);
  const view_id = viewId(await service.call("views.open", { trigger_id, view: waitingModal() }));
  const input = await looking;
  const view =
    input === null
      ? refusedModal(GONE, [])
      : isSettled(input.decision)
        ? refusedModal(settledWords(input.decision), [])
        : viewOf(input, clicked);
  await service.call("views.update", { view_id, view });

  async function openOn(input: CardInput): Promise<void> {
    if (isSettled(input.decision)) return late(parts, clicked, input);
    await service.call("views.open", { trigger_id, view: viewOf(input, clicked) });
  }
}

const GONE = "This decision no longer exists.";

function viewOf({ decision, card }: CardInput, { click, place }: Clicked): View {
  const sawAll = "sawAll" in click && click.sawAll;
  const given = { decision, card, sawAll, place };
  if (click.type === "words") return wordsModal(given, click.number);
  return click.type === "form" ? formModal(given) : reasonModal(given);
}

async function lookUp({ door, screen, memory }: Parts, id: string): Promise<CardInput | null> {
  const found = await door.decision(id);
  if (!found) return null;
  const input = screen.inputOf(found);
  memory.keep(input);
  return input;
}

function gone({ screen }: Parts, { place, user }: Clicked): Promise<void> {
  return screen.whisper(place, user, wordsMessage(GONE));
}

async function late({ screen }: Parts, { place, user }: Clicked, { decision }: CardInput): Promise<void> {
  await screen.whisper(place, user, wordsMessage(`${settledWords(decision)}.`));
  const { channel, ts } = place;
  if (channel !== null && ts !== null) await screen.rewrite({ channel, ts }, decision.id);
}

function viewId({ view }: Record<string, unknown>): string {
  return String((view as { id?: unknown } | undefined)?.id ?? "");
}
