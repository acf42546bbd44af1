/** Changing a command, an edit or a plan before it is approved. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { DecisionView } from "../../api/api.ts";
import { editText } from "../../inbox/edit.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, isOpen } from "../../inbox/model.ts";
import { dispatch } from "../base/store.ts";
import { Key } from "../parts/key.tsx";

interface Given {
  inbox: Inbox;
  decision: DecisionView;
}

const MOST_ROWS = 16;

export function EditButton({ inbox, decision }: Given) {
  const { id } = decision;
  const original = editText(decision);
  if (original === null) return null;
  const isEdited = formOf(inbox, id).edit !== undefined;
  return (
    <button
      type="button"
      class="second"
      disabled={!isOpen(inbox, id)}
      onClick={() => dispatch({ type: "edited", id, text: isEdited ? null : original.text })}
    >
      {isEdited ? "Leave it as it was" : "Edit it first"} <Key>E</Key>
    </button>
  );
}

export function EditField({ inbox, decision }: Given) {
  const { id } = decision;
  const { edit } = formOf(inbox, id);
  const area = useRef<HTMLTextAreaElement>(null);
  const isOpened = edit !== undefined;
  useLayoutEffect(() => {
    if (isOpened) area.current?.focus();
  }, [isOpened]);
  if (edit === undefined) return null;
  return (
    <label class="words">
      <span>{decision.source === "plan" ? "The plan as you want it" : "What may run instead"}</span>
      <textarea
        ref={area}
        class="edit"
        rows={Math.min(MOST_ROWS, edit.split("\n").length + 1)}
        value={edit}
        spellcheck={false}
        disabled={!isOpen(inbox, id)}
        onInput={(event) => dispatch({ type: "edited", id, text: event.currentTarget.value })}
      />
    </label>
  );
}
