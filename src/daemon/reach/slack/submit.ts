/** An answer that was given in a modal. What was typed stays readable whenever it could not be sent. */
import type { Incoming } from "../../../channels/slack/incoming.ts";
import { refusedModal, sendingModal, sentModal } from "../../../channels/slack/modal.ts";
import type { Submitted } from "../../../channels/slack/submission.ts";
import { submitted } from "../../../channels/slack/submission.ts";
import type { Answered, Door, GivenAnswer } from "../channel.ts";
import { inTime } from "./in-time.ts";
import type { Parts } from "./parts.ts";
import { rewriteWhereClicked, strangerWords } from "./parts.ts";
import { wordsMessage } from "./screen.ts";

/** Slack waits three seconds for the acknowledgement, and the way there takes some. */
const ANSWER_MS = 2000;

export async function submit(
  parts: Parts,
  { user, view_id, asked, values }: Extract<Incoming, { type: "submit" }>,
  ack: (payload?: object) => void,
): Promise<void> {
  const { door, screen, service, ports } = parts;
  const read = submitted(asked, values);
  if (read.type === "missing") return ack({ response_action: "errors", errors: read.errors });
  const person = door.personBy("slack", user);
  const { id, place, sawAll } = asked;
  const typed = read.type === "answer" ? read.typed : [];
  const answering: Promise<Answered> = person
    ? carriedOut(door, read, { id, person: person.name, via: "slack", sawAll })
    : strangerWords(parts, id).then((words) => ({ type: "refused", words, decision: null }));
  const failed = (error: Error): Answered => {
    ports.journal.error("slack: an answer was not taken", { error: error.message });
    return {
      type: "refused",
      words: "That did not work. Try again, or answer it elsewhere.",
      decision: null,
    };
  };
  const outcome = answering.catch(failed);
  const soon = await inTime(outcome, ANSWER_MS, ports.clock);
  if (soon === "late") ack({ response_action: "update", view: sendingModal() });
  else if (soon.type === "taken") ack();
  else ack({ response_action: "update", view: refusedModal(soon.words, typed) });

  const answered = await outcome;
  if (soon === "late") {
    const view = answered.type === "taken" ? sentModal() : refusedModal(answered.words, typed);
    await service.call("views.update", { view_id, view }).catch(() => {}); // closed meanwhile
  }
  if (answered.type === "refused") await screen.whisper(place, user, wordsMessage(answered.words, typed));
  await rewriteWhereClicked(parts, place, answered);
}

/** Approving once is an answer like any other; for longer, it is the rule that was in the modal. */
function carriedOut(
  door: Door,
  read: Exclude<Submitted, { type: "missing" }>,
  who: Pick<GivenAnswer, "id" | "person" | "via" | "sawAll">,
): Promise<Answered> {
  if (read.type === "answer") return door.answer({ ...who, option: null, ...read.given });
  const { scope, hash } = read;
  return scope === "once"
    ? door.answer({ ...who, option: "approve", choices: [], text: null, texts: [], message: null })
    : door.remember({ ...who, scope, hash });
}
