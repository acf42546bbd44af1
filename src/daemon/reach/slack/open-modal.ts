/**
 * Opens a modal. Slack allows three seconds from the click, so nothing is asked of the disk before: what the modal shows
 * is what the card showed. Only if that is not in memory is it looked up, and a modal that waits stands in for it.
 */
import type { View } from "../../../channels/slack/blocks.ts";
import type { CardInput } from "../../../channels/slack/card.ts";
import {
  formModal,
  LONGEST_RULE,
  reasonModal,
  refusedModal,
  rememberModal,
  waitingModal,
  wordsModal,
} from "../../../channels/slack/modal.ts";
import { isSettled, settledWords } from "../../../channels/slack/standing.ts";
import { shownRule } from "../../../channels/text/rule.ts";
import type { Person } from "../../../core/reach/config-types.ts";
import { inTime } from "./in-time.ts";
import type { Own } from "./memory.ts";
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

/** The rule takes a look at the disk, so a modal that waits comes first. */
export async function openRule(parts: Parts, clicked: Clicked, { name }: Person): Promise<void> {
  const { service, door, memory } = parts;
  const { click, place, trigger_id } = clicked;
  if (click.type !== "remember") return;
  const known = memory.shown(click.id);
  if (known && isSettled(known.decision)) return late(parts, clicked, known);
  const view_id = viewId(await service.call("views.open", { trigger_id, view: waitingModal() }));
  const update = (view: View) => service.call("views.update", { view_id, view });
  try {
    const [offer, input] = await Promise.all([
      door.rule({ id: click.id, person: name }),
      known ?? lookUp(parts, click.id),
    ]);
    const given = input && { ...input, ...ownOf(parts, clicked), sawAll: click.sawAll, place };
    await update(
      offer.type === "refused" || !given
        ? refusedModal(offer.type === "refused" ? offer.words : GONE, [])
        : rememberModal(given, shownRule(offer.found, LONGEST_RULE), given.url),
    );
  } catch (error) {
    await update(refusedModal("That did not work. Try again, or answer it elsewhere.", [])).catch(() => {});
    throw error;
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

/** What the card that was clicked has of its own. */
function ownOf({ memory }: Parts, { click, place: { channel, ts } }: Clicked): Own | null {
  return click.type === "open" || channel === null || ts === null
    ? null
    : memory.ownAt(click.id, { channel, ts });
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
