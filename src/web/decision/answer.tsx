/** Where a decision is answered: its options, a free answer, a reason, and the button that sends. */

import type { DecisionView } from "../../api/api.ts";
import { choicesOf, read } from "../../inbox/answer.ts";
import { isRememberable } from "../../inbox/card/rule.ts";
import { hearsWords, isFailure } from "../../inbox/failed.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, isOpen, wordsIn } from "../../inbox/model.ts";
import { similarTo } from "../../inbox/order.ts";
import { recipients } from "../../inbox/send.ts";
import { dispatch } from "../base/store.ts";
import { Key } from "../parts/key.tsx";
import { EditButton, EditField } from "./edit.tsx";
import { Options } from "./options.tsx";
import { SendBar } from "./send-bar.tsx";
import { isWriting, Words } from "./words.tsx";

interface Given {
  inbox: Inbox;
  decision: DecisionView;
}

export function Answer({ inbox, decision }: Given) {
  const { id } = decision;
  const open = isOpen(inbox, id);
  const reading = read(decision, formOf(inbox, id));
  const press = (command: "send" | "dismiss" | "remember" | "mark-similar") => {
    if (inbox.selected === id) dispatch({ type: "key", key: { command } });
  };
  const alike = similarTo(inbox, id).length;
  const isUnfolded = inbox.unfolded.has(inbox.items.get(id)?.group ?? "");
  const isOption = decision.questions.length <= 1 && decision.options.some((it) => it.key === "dismiss");
  const isHidden = !isOption && !isFailure(decision.id); // Drop does it
  const isReply = decision.options.some((it) => it.key === "reply" && it.recommended);
  const isHeard = hearsWords(decision);
  return (
    <form
      class="answer"
      aria-label="Answer"
      onSubmit={(event) => {
        event.preventDefault();
        press("send");
      }}
    >
      {isReply && <Message inbox={inbox} decision={decision} />}
      <Options inbox={inbox} decision={decision} disabled={!open} />
      <OwnWords inbox={inbox} decision={decision} />
      {!isReply && isHeard && <Message inbox={inbox} decision={decision} />}
      <EditField inbox={inbox} decision={decision} />
      <div class="more">
        {alike > 1 && (
          <button type="button" class="second" disabled={!open} onClick={() => press("mark-similar")}>
            {isUnfolded ? "Fold the group" : `Show all ${alike} alike`} <Key>M</Key>
          </button>
        )}
        <EditButton inbox={inbox} decision={decision} />
        {isRememberable(decision) && (
          <button type="button" class="second" disabled={!open} onClick={() => press("remember")}>
            Remember this <Key>R</Key>
          </button>
        )}
        {isHidden && (
          <button type="button" class="second" disabled={!open} onClick={() => press("dismiss")}>
            Dismiss <Key>d</Key>
          </button>
        )}
      </div>
      <SendBar
        inbox={inbox}
        id={id}
        reading={reading}
        count={inbox.selected === id ? (recipients(inbox, reading)?.length ?? 1) : 1}
        disabled={!open}
      />
    </form>
  );
}

/** A free answer, where there is one question. */
function OwnWords({ inbox, decision }: Given) {
  const { id, source } = decision;
  const form = formOf(inbox, id);
  const [place, ...others] = choicesOf(decision);
  const isOther = place?.options.some((it) => it.needs === "text" && form.choices[0]?.includes(it.number));
  const isBegun = wordsIn(form, "text", 0) !== "" || isWriting(inbox, id, "text", 0);
  if (others.length > 0 || !(source === "request" || isOther || isBegun)) return null;
  const open = isOpen(inbox, id);
  return <Words inbox={inbox} id={id} field="text" label="In your own words" hint="t" disabled={!open} />;
}

/** Words that go with the answer; to an agent that stopped or failed, they can be the answer. */
function Message({ inbox, decision }: Given) {
  const { id, source, options } = decision;
  const hasStopped = source === "idle" || source === "dead" || source === "error" || source === "gate";
  const label = hasStopped
    ? "Reply to the agent"
    : options.some((it) => it.key === "revise")
      ? "What to change, or why"
      : "Why (sent with the answer)";
  return <Words inbox={inbox} id={id} field="message" label={label} hint="r" disabled={!isOpen(inbox, id)} />;
}
