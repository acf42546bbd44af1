/** The dialogs on top of the page: help, confirmations, the results of a batch, the agent's terminal. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DecisionView } from "../api/api.ts";
import { dismissalWords, read } from "../inbox/answer.ts";
import { who } from "../inbox/card/words.ts";
import { KEYS } from "../inbox/keys.ts";
import type { Inbox } from "../inbox/model.ts";
import { formOf } from "../inbox/model.ts";
import { haveSeen } from "../inbox/sight.ts";
import { openOne } from "../inbox/suggestion.ts";
import { safeLine } from "../text/safe.ts";
import { hasLetterKeys, setLetterKeys } from "./base/keyboard.ts";
import { go } from "./base/route.ts";
import { readOn } from "./base/scroll.ts";
import type { Ui } from "./base/store.ts";
import { dispatch, setUi } from "./base/store.ts";
import { Remember } from "./decision/remember.tsx";
import { Suggestion } from "./decision/suggestion.tsx";
import { Results, Together } from "./decision/together.tsx";
import { Key } from "./parts/key.tsx";
import { Peek } from "./parts/peek.tsx";

export function Dialogs({ inbox, ui }: { inbox: Inbox; ui: Ui }) {
  const { mode, selected } = inbox;
  const decision = selected === null ? undefined : inbox.details.get(selected);
  if (ui.together !== null)
    return (
      <Dialog title="Answered together" onClose={() => setUi({ together: null })}>
        <Results results={ui.together} inbox={inbox} />
      </Dialog>
    );
  if (mode.type === "help")
    return (
      <Dialog title="Keys" onClose={back}>
        <Help />
      </Dialog>
    );
  if (mode.type === "peek")
    return (
      <Dialog title="The agent's terminal" kind="wide terminal-dialog" onClose={back}>
        <Peek agentId={mode.agent_id} />
      </Dialog>
    );
  if (mode.type === "remember" && decision?.id === mode.id) {
    const { found, scope, rest } = mode;
    const isUnseen = !haveSeen(inbox, [mode.id]) || (scope !== "once" && rest !== 0);
    return (
      <Dialog title="Remember this" kind="wide" onClose={back}>
        {found ? <Remember decision={decision} found={found} scope={scope} /> : <p class="quiet">Loading…</p>}
        <Confirm
          label={
            scope === null ? "Choose how long" : scope === "once" ? "Approve once" : "Approve and remember"
          }
          disabled={found === null}
          readsOn={scope !== null && isUnseen}
        />
      </Dialog>
    );
  }
  const suggested = mode.type === "suggestion" ? openOne(inbox, mode) : undefined;
  if (mode.type === "suggestion" && suggested) {
    const { scope, rest } = mode;
    const { suggestions } = inbox;
    const place =
      suggestions.length > 1 ? `${suggestions.indexOf(suggested) + 1} of ${suggestions.length}: j, k` : "";
    return (
      <Dialog key={suggested.key} title="Your answers suggest a rule" kind="wide" onClose={back}>
        <Suggestion one={suggested} scope={scope} place={place} />
        <Confirm
          label={scope === null ? "Choose" : scope === "project" ? "Let it count" : "Don't suggest it again"}
          readsOn={scope === "project" && rest !== 0}
        />
      </Dialog>
    );
  }
  if (mode.type === "confirm" && decision && mode.what === "dismiss")
    return <Dismissal inbox={inbox} ids={mode.ids} decision={decision} />;
  if (mode.type === "confirm" && decision && mode.what === "together") {
    const reading = read(decision, formOf(inbox, decision.id));
    return (
      <Dialog title={`Answer ${mode.ids.length} together`} kind="wide" onClose={back}>
        <Together inbox={inbox} ids={mode.ids} words={reading.type === "ready" ? reading.words : ""} />
        <Confirm
          label={`Answer all ${mode.ids.length}`}
          disabled={mode.ids.some((it) => !inbox.details.has(it))}
          readsOn={reading.type === "ready" && reading.acts && !haveSeen(inbox, mode.ids)}
        />
      </Dialog>
    );
  }
  return null;
}

/** Of several, each is named: all of them are dismissed. */
function Dismissal({
  inbox,
  ids,
  decision,
}: {
  inbox: Inbox;
  ids: readonly string[];
  decision: DecisionView;
}) {
  const isSeveral = ids.length > 1;
  const all = ids.flatMap((id) => inbox.items.get(id) ?? []);
  return (
    <Dialog title={isSeveral ? `Dismiss all ${ids.length}?` : "Dismiss it?"} onClose={back}>
      {isSeveral ? (
        <ol class="together">
          {all.map((it) => (
            <li key={it.id}>
              <p class="given-title">{safeLine(it.title)}</p>
              <p class="quiet">
                {who(it)} · {it.id}
              </p>
            </li>
          ))}
        </ol>
      ) : (
        <>
          <p>{safeLine(decision.title)}</p>
          <p class="quiet">Then {safeLine(dismissalWords(decision))}.</p>
        </>
      )}
      <Confirm label={isSeveral ? `Dismiss all ${ids.length}` : "Dismiss"} />
    </Dialog>
  );
}

function back(): void {
  dispatch({ type: "key", key: { command: "back" } });
}

interface ConfirmGiven {
  label: string;
  disabled?: boolean;
  /** Not all of it has been in view: the button leads on instead. */
  readsOn?: boolean;
}

function Confirm({ label, disabled = false, readsOn = false }: ConfirmGiven) {
  const button = useRef<HTMLButtonElement>(null);
  // Only once everything is loaded: until then, Enter must not close the dialog instead of sending.
  useLayoutEffect(() => {
    if (!disabled) button.current?.focus();
  }, [disabled]);
  return (
    <div class="confirm">
      <button type="button" class="second" onClick={back}>
        Back <Key>Esc</Key>
      </button>
      <button
        ref={button}
        type="button"
        class={readsOn ? "send unready" : "send"}
        data-autofocus
        disabled={disabled}
        onClick={() => (readsOn ? readOn() : dispatch({ type: "key", key: { command: "send" } }))}
      >
        {readsOn ? "Read on ↓" : label} <Key>↵</Key>
      </button>
    </div>
  );
}

interface DialogGiven {
  title: string;
  kind?: string;
  onClose(): void;
  children: ComponentChildren;
}

/** The browser's own dialog: it keeps the focus inside and gives it back afterwards. */
function Dialog({ title, kind = "", onClose, children }: DialogGiven) {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    element?.showModal();
    const wanted = element?.querySelector<HTMLElement>("[data-autofocus]");
    if (wanted) (wanted.matches(":disabled") ? element : wanted)?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={box}
      class={kind}
      tabIndex={-1}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="second" onClick={onClose}>
          Close <Key>Esc</Key>
        </button>
      </div>
      <div class="dialog-text">{children}</div>
    </dialog>
  );
}

function toDevices(): void {
  back();
  go("#/device");
}

/** Keys for the terminal only: you leave a page by closing it, and move through it with Tab. */
const NOT_HERE = ["quit", "leave", "next", "previous"];

/** The keys as keyboards label them. */
const NAMES: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  home: "Home",
  end: "End",
  enter: "Enter",
  space: "Space",
  escape: "Esc",
  "page-up": "PgUp",
  "page-down": "PgDn",
};

function Help() {
  const [letters, setLetters] = useState(hasLetterKeys);
  return (
    <>
      <table class="keys">
        <tbody>
          <tr>
            <th scope="row">
              <kbd>1</kbd>–<kbd>9</kbd>
            </th>
            <td>choose an option; Enter sends it</td>
          </tr>
          {KEYS.filter((it) => !NOT_HERE.includes(it.command)).map((it) => (
            <tr key={it.command}>
              <th scope="row">
                {it.keys.map((key) => (
                  <kbd key={key}>{NAMES[key] ?? key}</kbd>
                ))}
              </th>
              <td>{it.command === "open" ? "open the page of its job or crew" : it.help}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <label class="setting">
        <input
          type="checkbox"
          checked={letters}
          onChange={(event) => {
            setLetterKeys(event.currentTarget.checked);
            setLetters(event.currentTarget.checked);
          }}
        />
        Use letters and digits as keys. Turn this off for speech control; Enter, arrows and Escape still work.
      </label>
      <p>
        <button type="button" class="second" onClick={toDevices}>
          Approve a login
        </button>{" "}
        of a machine without a browser
      </p>
    </>
  );
}
