/**
 * What comes back by mail. A reply counts if the token in its address was made for this decision and for the person who
 * wrote it. Everything else is ignored: answering strangers and robots would only make more mail.
 */
import type { DecisionView } from "../../../api/api.ts";
import { TOKEN, tokenIn } from "../../../channels/mail/address.ts";
import type { Shown } from "../../../channels/mail/compose.ts";
import { approves, holdsAll, recordedLetter, refusedLetter } from "../../../channels/mail/compose.ts";
import { readMessageId } from "../../../channels/mail/ids.ts";
import type { Letter } from "../../../channels/mail/letter.ts";
import { ownWords } from "../../../channels/mail/quoted.ts";
import type { MailSettings } from "../../../channels/mail/settings.ts";
import { redacted } from "../../../channels/redacted.ts";
import type { Chosen } from "../../../channels/text/chosen.ts";
import { answerIn } from "../../../channels/text/reply.ts";
import { isOpen } from "../../../core/model/face.ts";
import type { DecisionId } from "../../../core/model/ids.ts";
import type { Person } from "../../../core/reach/config-types.ts";
import type { Delivery, MailReceipt, ReceivedMail } from "../../../core/reach/received-mail.ts";
import type { Clock } from "../../../ports.ts";
import type { Key } from "../../secrets/kept-key.ts";
import type { Door } from "../channel.ts";
import type { Post } from "./mail-post.ts";

interface Parts {
  settings: MailSettings;
  key: Key;
  door: Door;
  post: Post;
  clock: Clock;
  /** The page with all options; null: there is none. */
  link(decision: string, person: string): string | null;
  newId(): string;
}

/** The token of a reply's address: the decision without its kind, and a signature for it and the person. */
export function replyToken(decision: string, person: string, key: Key): string {
  return `${decision.replace(/^dec-/, "")}-${key.sign("reply", decision, person)}`;
}

export function mailReplies(parts: Parts): (mail: ReceivedMail, delivery: Delivery) => Promise<MailReceipt> {
  const { settings, key, door, post, clock, link, newId } = parts;

  return async (mail, delivery) => {
    const sender = delivery.sender ?? mail.return_path;
    if (mail.report !== null || sender === "") return bounce(mail);
    if (mail.is_automatic) return ignored("it was sent by a machine");
    const token = tokenOf(mail, delivery);
    if (token === null) return ignored("its address has no token");
    const [from = "", ...others] = mail.from;
    if (others.length > 0 || door.personBy("mail", from) === null)
      return ignored("nobody with this address is configured");
    const [short = "", signature = ""] = token.split("-");
    const id = `dec-${short}`;
    const isSigned = ({ name }: Person) => key.isSigned(signature, "reply", id, name);
    const person = door.personBy("mail", from, isSigned); // several may share an address
    return person ? answer(mail, id, person) : ignored("its token is not this person's");
  };

  async function answer(mail: ReceivedMail, id: string, person: Person): Promise<MailReceipt> {
    const found = await door.decision(id);
    if (!found) return ignored("the decision is no longer kept");
    const { decision } = found;
    const words = ownWords(mail.text);
    const reply = answerIn(decision, words);
    const problem = words === "" ? NOTHING : linkOnly(decision, reply);
    if (isOpen(decision) && problem !== null) return refuse(problem);
    const { showsAll, card } = redacted(found);
    const answered = await door.answer({
      id,
      person: person.name,
      via: "mail",
      ...reply,
      texts: reply.texts ?? [],
      sawAll: holdsAll({ card }, showsAll),
    });
    if (answered.type === "refused") return refuse(answered.words);
    if (!isOpen(answered.decision)) return { type: "taken", words: `${id} was answered` };
    await tell(recordedLetter);
    return { type: "taken", words: `what you said about ${id} is recorded; it takes others too` };

    async function refuse(words: string): Promise<MailReceipt> {
      await tell((shown, open) => refusedLetter(shown, { words, open }));
      return { type: "refused", words };
    }

    /** Whoever wrote it is told by mail. If that fails, the reply comes again and nothing is lost. */
    async function tell(written: (shown: Shown, open: string | null) => Letter): Promise<void> {
      const now = (await door.decision(id)) ?? { decision, card };
      const isPending = isOpen(now.decision);
      await post({
        to: mail.from[0] ?? "",
        letter: written({ ...redacted(now), now: clock.now() }, isPending ? link(id, person.name) : null),
        message_id: newId(),
        thread: mail.message_id === null ? [] : [mail.message_id],
        token: isPending ? replyToken(id, person.name, key) : null,
        isReply: true,
      });
    }
  }

  function linkOnly(decision: DecisionView, { choices, option }: Chosen): string | null {
    if (settings.approveByReply) return null;
    const numbers = choices.flat();
    const found = decision.options.find(
      (it) => approves(decision, it) && (it.key === option || numbers.includes(it.number)),
    );
    return found ? `"${found.label}" can be given by its link alone, because a mail is easily forged.` : null;
  }

  /** Where a mail of ours came back from. */
  async function bounce({ report }: ReceivedMail): Promise<MailReceipt> {
    if (report && report.action !== null && report.action !== "failed")
      return ignored(`a report: ${report.action}`);
    const ids = (report?.message_ids ?? []).flatMap((it) => readMessageId(it, key.sign) ?? []);
    const [ours] = ids;
    if (!ours) return ignored("a bounce that names no mail of ours");
    const error = `the mail came back${report?.reason ? `: ${report.reason}` : ""}`;
    await door.failed({ decision_id: ours.decision as DecisionId, key: ours.key, error });
    return { type: "bounced", words: `the notice ${ours.key} of ${ours.decision} has failed` };
  }

  function tokenOf({ to }: ReceivedMail, { recipient, extension }: Delivery): string | null {
    const template = settings.replyTo;
    if (template === null) return null;
    const bare = extension?.toLowerCase() ?? "";
    const [first = null] = recipient === null ? [] : [tokenIn(template, recipient)];
    if (first !== null) return first;
    if (TOKEN.test(bare)) return bare;
    for (const address of to) {
      const token = tokenIn(template, address);
      if (token !== null) return token;
    }
    return null;
  }
}

const NOTHING = "There was no answer above the quoted text. Begin with the number of an option.";

function ignored(words: string): MailReceipt {
  return { type: "ignored", words };
}
