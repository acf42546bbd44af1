/** Where a decision is answered: its options, words of one's own, why, and the button that sends. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { DecisionView } from "../../api.ts";
import { choicesOf, read } from "../../inbox/answer.ts";
import type { Inbox } from "../../inbox/model.ts";
import { draftOf, isOpen } from "../../inbox/model.ts";
import { similarTo } from "../../inbox/order.ts";
import { dispatch } from "../store.ts";
import { Key } from "./key.tsx";
import { Options } from "./options.tsx";
import { SendBar } from "./send-bar.tsx";

export function Answer({ inbox, decision }: { inbox: Inbox; decision: DecisionView }) {
  const { id } = decision;
  const draft = draftOf(inbox, id);
  const open = isOpen(inbox, id);
  const reading = read(decision, draft);
  const alike = similarTo(inbox, id).length;
  const together = [...inbox.marked].filter((it) => it !== id && isOpen(inbox, it)).length;
  const press = (command: "send" | "dismiss" | "mark-similar" | "undo") => {
    if (inbox.selected === id) dispatch({ type: "key", key: { command } });
  };
  const isHidden = decision.questions.length > 1 && decision.options.some((it) => it.key === "dismiss");
  const hasOther = choicesOf(decision).some((it) => it.options.some((one) => one.needs === "text"));
  const own = decision.source === "request" || hasOther || draft.text !== "" || isWriting(inbox, "text");
  return (
    <form
      class="answer"
      aria-label="Answer"
      onSubmit={(event) => {
        event.preventDefault();
        press("send");
      }}
    >
      <Options decision={decision} draft={draft} disabled={!open} />
      {own && (
        <Words
          inbox={inbox}
          id={id}
          field="text"
          label="In your own words"
          hint="t"
          value={draft.text}
          disabled={!open}
        />
      )}
      <Words
        inbox={inbox}
        id={id}
        field="message"
        label={
          decision.options.some((it) => it.key === "revise") ? "What to change, or why" : "Why (goes along)"
        }
        hint="r"
        value={draft.message}
        disabled={!open}
      />
      <div class="more">
        {alike > 1 && (
          <button type="button" class="second" disabled={!open} onClick={() => press("mark-similar")}>
            Mark {alike} alike <Key>M</Key>
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

function isWriting({ mode }: Inbox, field: "text" | "message"): boolean {
  return mode.type === "write" && mode.field === field;
}

interface WordsGiven {
  inbox: Inbox;
  id: string;
  field: "text" | "message";
  label: string;
  hint: string;
  value: string;
  disabled: boolean;
}

function Words({ inbox, id, field, label, hint, value, disabled }: WordsGiven) {
  const area = useRef<HTMLTextAreaElement>(null);
  const writing = isWriting(inbox, field) && inbox.selected === id;
  // Before the next key: what is typed fast loses no letter.
  useLayoutEffect(() => {
    if (writing) area.current?.focus();
  }, [writing]);
  return (
    <label class="words">
      <span>
        {label} <Key>{hint}</Key>
      </span>
      <textarea
        ref={area}
        rows={2}
        value={value}
        disabled={disabled}
        data-field={field}
        placeholder={writing ? "Enter sends, Shift+Enter starts a new line" : ""}
        onInput={(event) => dispatch({ type: "typed", id, field, text: event.currentTarget.value })}
      />
    </label>
  );
}
