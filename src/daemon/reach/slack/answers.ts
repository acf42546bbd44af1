/**
 * What people do in Slack, carried out. It is acknowledged first; whoever is refused or comes too late is told so,
 * privately, and the card they clicked is rewritten.
 */
import type { SlackHeard } from "../../../channel-ports.ts";
import { cardMessage } from "../../../channels/slack/card.ts";
import type { Incoming } from "../../../channels/slack/incoming.ts";
import { incomingFrom } from "../../../channels/slack/incoming.ts";
import { listMessage } from "../../../channels/slack/list.ts";
import { isSettled } from "../../../channels/slack/standing.ts";
import { never } from "../../../core/model/errors.ts";
import type { Person } from "../../../core/reach/config-types.ts";
import type { Answered } from "../channel.ts";
import { failureWords } from "./failures.ts";
import { openModal, openRule } from "./open-modal.ts";
import type { Clicked, Parts } from "./parts.ts";
import { rewriteWhereClicked, strangerWords, UNKNOWN } from "./parts.ts";
import { faceOf, wordsMessage } from "./screen.ts";
import { submit } from "./submit.ts";

export function slackAnswers(parts: Parts): SlackHeard {
  return ({ type, payload }, ack) => {
    const incoming = incomingFrom(type, payload);
    // a modal's answer travels with the acknowledgement; everything else is acknowledged before it is looked at
    if (incoming.type !== "submit") ack();
    handle(parts, incoming, ack).catch((error: Error) => {
      parts.ports.journal.error("slack: what somebody did was not carried out", { error: error.message });
      if (incoming.type === "nothing") return;
      const place = incoming.type === "submit" ? incoming.asked.place : incoming.place;
      const words = `That did not work: ${failureWords(error)}. Try again, or answer it elsewhere.`;
      void parts.screen.whisper(place, incoming.user, wordsMessage(words));
    });
  };
}

async function handle(parts: Parts, incoming: Incoming, ack: (payload?: object) => void): Promise<void> {
  switch (incoming.type) {
    case "click":
      return clicked(parts, incoming);
    case "submit":
      return submit(parts, incoming, ack);
    case "command":
      return list(parts, incoming);
    case "nothing":
      return;
    default:
      return never(incoming);
  }
}

async function clicked(parts: Parts, incoming: Clicked): Promise<void> {
  const { door, screen } = parts;
  const { user, place, click } = incoming;
  if (click.type === "open") return;
  const person = door.personBy("slack", user);
  if (!person) return screen.whisper(place, user, wordsMessage(await strangerWords(parts, click.id)));
  const { id } = click;
  switch (click.type) {
    case "words":
    case "reason":
    case "form":
      return openModal(parts, incoming);
    case "remember":
      return openRule(parts, incoming, person);
    case "show":
      return show(parts, incoming, id, person);
    case "claim":
      return told(parts, incoming, await door.claim({ id, person: person.name, via: "slack" }));
    case "option":
    case "key": {
      const choice =
        click.type === "key"
          ? { choices: [], option: click.key }
          : { choices: [[click.number]], option: null };
      const said = { text: null, texts: [], message: null };
      const who = { id, person: person.name, via: "slack" as const, sawAll: click.sawAll };
      return told(parts, incoming, await door.answer({ ...who, ...choice, ...said }));
    }
    default:
      return never(click);
  }
}

async function told(parts: Parts, { user, place }: Clicked, answered: Answered): Promise<void> {
  if (answered.type === "refused") await parts.screen.whisper(place, user, wordsMessage(answered.words));
  await rewriteWhereClicked(parts, place, answered);
}

/** The whole card, for one of those who may answer it. */
async function show(parts: Parts, { user, place }: Clicked, id: string, { name }: Person): Promise<void> {
  const { door, screen } = parts;
  const found = await door.decision(id);
  const isTheirs = (await door.pendingFor(name)).some((it) => it.id === id);
  if (!found) return screen.whisper(place, user, wordsMessage("This decision no longer exists."));
  if (!isTheirs && !isSettled(found.decision))
    return screen.whisper(place, user, wordsMessage("This one is not for you."));
  const input = screen.inputOf(found);
  return screen.whisper(place, user, isTheirs ? cardMessage({ ...input, names: [] }) : faceOf(input));
}

/** `/oj`: what waits for whoever asks. */
async function list(
  { door, screen, ports }: Parts,
  { user, place }: Extract<Incoming, { type: "command" }>,
): Promise<void> {
  const person = door.personBy("slack", user);
  if (!person) return screen.whisper(place, user, wordsMessage(UNKNOWN));
  const decisions = (await door.pendingFor(person.name)).map(
    (it) => screen.inputOf({ decision: it }).decision,
  );
  return screen.whisper(place, user, listMessage(decisions, { now: ports.clock.now(), title: null }));
}
