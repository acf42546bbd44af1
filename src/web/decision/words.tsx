/** A text field: for a free answer or a reason. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, wordsIn } from "../../inbox/model.ts";
import { dispatch } from "../base/store.ts";
import { Key } from "../parts/key.tsx";

interface Given {
  inbox: Inbox;
  id: string;
  field: "text" | "message";
  /** The question that the text answers. */
  at?: number;
  label: string;
  hint: string;
  disabled: boolean;
}

export function Words({ inbox, id, field, at = 0, label, hint, disabled }: Given) {
  const area = useRef<HTMLTextAreaElement>(null);
  const writing = isWriting(inbox, id, field, at);
  // The focus moves before the next key, so that fast typing loses no letter.
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
        value={wordsIn(formOf(inbox, id), field, at)}
        disabled={disabled}
        data-field={field}
        placeholder={writing ? "Enter sends, Shift+Enter starts a new line" : ""}
        onInput={(event) => dispatch({ type: "typed", id, field, at, text: event.currentTarget.value })}
      />
    </label>
  );
}

export function isWriting(inbox: Inbox, id: string, field: "text" | "message", at: number): boolean {
  const { mode, selected } = inbox;
  if (mode.type !== "write" || mode.field !== field || selected !== id) return false;
  return field === "message" || formOf(inbox, id).at === at;
}
