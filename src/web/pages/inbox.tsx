/** What waits: the list and the decision in focus, side by side, or one at a time on a phone. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Inbox } from "../../inbox/model.ts";
import { waiting } from "../../inbox/model.ts";
import { decisionPath, go, opened } from "../base/route.ts";
import type { Ui } from "../base/store.ts";
import { dispatch } from "../base/store.ts";
import { Decision } from "../decision/decision.tsx";
import { SuggestionLine } from "../decision/suggestion.tsx";
import { InboxList } from "./inbox-list.tsx";

interface Given {
  inbox: Inbox;
  ui: Ui;
  /** The decision that the address names: on a phone it is shown instead of the list. */
  open: string | null;
}

export function InboxPage({ inbox, ui, open }: Given) {
  const { selected, items, connection } = inbox;
  const decision = selected === null ? undefined : inbox.details.get(selected);
  const isNew = connection !== "live" && items.size === 0;

  // The address and the focus name the same decision. Where both changed, the address wins: a person went there.
  const before = useRef<{ open: string | null; selected: string | null }>({ open: null, selected });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { open, selected };
    if (open === null || open === selected) return;
    if (was.open !== open) dispatch({ type: "pointed", id: open });
    else if (was.selected !== selected && selected !== null && opened() === open)
      go(decisionPath(selected), true);
  }, [open, selected]);

  const back =
    open === null ? null : (
      <a class="back second button" href="#/">
        ← {waiting(inbox)} waiting
      </a>
    );
  if (selected === null && items.size === 0 && !isNew) return <AllClear inbox={inbox} />;
  return (
    <main class={`inbox${open === null ? "" : " opened"}`}>
      <InboxList inbox={inbox} ui={ui} isNew={isNew} />
      <section key={selected} class="pane" aria-label="Focused decision">
        {decision ? (
          <Decision inbox={inbox} decision={decision} back={back} />
        ) : (
          <>
            {back}
            {selected !== null ? <Skeleton /> : !isNew && <NoFocus />}
          </>
        )}
      </section>
    </main>
  );
}

function Skeleton() {
  return (
    <div class="decision-loading" role="status">
      <span class="unseen">Loading the decision</span>
      <div />
      <div />
      <div />
    </div>
  );
}

function NoFocus() {
  return (
    <div class="empty large">
      <p class="quiet">Nothing matches the filter, so no decision is in focus.</p>
    </div>
  );
}

/** Said once, on the whole page: there is no list to show it beside. */
function AllClear({ inbox }: { inbox: Inbox }) {
  return (
    <main class="page empty large">
      <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" class="empty-mark">
        <circle cx="24" cy="24" r="20" />
        <path d="M15 24.5l6.5 6.5L34 18" />
      </svg>
      <h2 class="empty-title">Nothing is waiting for you.</h2>
      <p class="quiet">No agent needs you. The next question shows up here by itself.</p>
      <SuggestionLine inbox={inbox} />
    </main>
  );
}
