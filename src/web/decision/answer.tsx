/** Where a decision is answered: its options, a free answer, a reason, and the button that sends. */

import type { DecisionView } from "../../api/api.ts";
import { choicesOf, read } from "../../inbox/answer.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, isOpen, wordsIn } from "../../inbox/model.ts";
import { similarTo } from "../../inbox/order.ts";
import { dispatch } from "../base/store.ts";
import { Key } from "../parts/key.tsx";
import { Options } from "./options.tsx";
import { SendBar } from "./send-bar.tsx";
import { isWriting, Words } from "./words.tsx";

export function Answer({ inbox, decision }: { inbox: Inbox; decision: DecisionView }) {
  const { id } = decision;
  const form = formOf(inbox, id);
  const open = isOpen(inbox, id);
  const reading = read(decision, form);
  const alike = similarTo(inbox, id).length;
  const together = [...inbox.marked].filter((it) => it !== id && isOpen(inbox, it)).length;
  const press = (command: "send" | "dismiss" | "mark-similar" | "undo") => {
    if (inbox.selected === id) dispatch({ type: "key", key: { command } });
  };
  const isHidden = decision.questions.length > 1 || !decision.options.some((it) => it.key === "dismiss");
  const [place, ...others] = choicesOf(decision);
  const hasOther = place?.options.some((it) => it.needs === "text") || wordsIn(form, "text", 0) !== "";
  const isAsked = decision.source === "request" || hasOther || isWriting(inbox, id, "text", 0);
  return (
    <form
      class="answer"
      aria-label="Answer"
      onSubmit={(event) => {
        event.preventDefault();
        press("send");
      }}
    >
      <Options inbox={inbox} decision={decision} disabled={!open} />
      {others.length === 0 && isAsked && (
        <Words inbox={inbox} id={id} field="text" label="In your own words" hint="t" disabled={!open} />
      )}
      <Words
        inbox={inbox}
        id={id}
        field="message"
        label={
          decision.options.some((it) => it.key === "revise")
            ? "What to change, or why"
            : "Why (sent with the answer)"
        }
        hint="r"
        disabled={!open}
      />
      <div class="more">
        {alike > 1 && (
          <button type="button" class="second" disabled={!open} onClick={() => press("mark-similar")}>
            Mark {alike} similar <Key>M</Key>
          </button>
        )}
        {isHidden && (
          <button type="button" class="second" disabled={!open} onClick={() => press("dismiss")}>
            Dismiss <Key>d</Key>
          </button>
        )}
      </div>
      <SendBar reading={reading} sending={inbox.sending.has(id)} count={together + 1} disabled={!open} />
    </form>
  );
}
