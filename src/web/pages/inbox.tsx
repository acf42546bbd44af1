/** What waits: the list and the decision in focus, side by side, or one at a time on a phone. */

import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Inbox } from "../../inbox/model.ts";
import { waiting } from "../../inbox/model.ts";
import { listed } from "../../inbox/order.ts";
import { useNow } from "../base/clock.ts";
import { decisionPath, go } from "../base/route.ts";
import type { Ui } from "../base/store.ts";
import { current, dispatch } from "../base/store.ts";
import { Decision } from "../decision/decision.tsx";
import { Facets } from "../parts/facets.tsx";
import { Key } from "../parts/key.tsx";
import { Row } from "../parts/row.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";

interface Given {
  inbox: Inbox;
  ui: Ui;
  /** The decision that the address names: on a phone it is shown instead of the list. */
  open: string | null;
}

export function InboxPage({ inbox, ui, open }: Given) {
  const { selected, items, filter, connection } = inbox;
  const briefs = useMemo(() => listed(inbox), [items, filter, selected]);
  const decision = selected === null ? undefined : inbox.details.get(selected);
  const isNew = connection !== "live" && items.size === 0;

  // The address and the focus name the same decision: the one that changed last wins.
  useEffect(() => {
    if (open !== null && open !== current().selected) dispatch({ type: "pointed", id: open });
  }, [open]);
  const before = useRef(selected);
  useEffect(() => {
    if (before.current !== selected && selected !== null && open !== null && open !== selected)
      go(decisionPath(selected), true);
    before.current = selected;
  }, [selected, open]);

  const back =
    open === null ? null : (
      <a class="back second button" href="#/">
        ← All {waiting(inbox)} waiting
      </a>
    );
  return (
    <main class={`inbox${open === null ? "" : " opened"}`}>
      <section class="list-pane" aria-label="Decisions">
        <ListHead inbox={inbox} shown={briefs.length} isNew={isNew} />
        {isNew ? (
          <Waiting ui={ui} />
        ) : briefs.length === 0 ? (
          <Empty filtered={filter.high || filter.text !== ""} />
        ) : (
          <List inbox={inbox} briefs={briefs} />
        )}
      </section>
      <section class="pane" aria-label="Focused decision">
        {decision ? (
          <Decision inbox={inbox} decision={decision} back={back} />
        ) : (
          <>
            {back}
            {selected !== null ? <Skeleton /> : !isNew && <AllDone />}
          </>
        )}
      </section>
    </main>
  );
}

function ListHead({ inbox, shown, isNew }: { inbox: Inbox; shown: number; isNew: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const { filter, mode, marked } = inbox;
  useLayoutEffect(() => {
    if (mode.type === "filter") field.current?.focus();
  }, [mode]);
  const isFiltered = filter.high || filter.text !== "";
  return (
    <div class="list-head">
      <div class="search">
        <input
          ref={field}
          type="search"
          aria-label="Filter"
          placeholder="Filter  /"
          value={filter.text}
          onInput={(event) => dispatch({ type: "filtered", text: event.currentTarget.value })}
        />
        {isFiltered && (
          <button
            type="button"
            class="second"
            onClick={() => dispatch({ type: "key", key: { command: "all" } })}
          >
            Show all <Key>a</Key>
          </button>
        )}
      </div>
      {!isNew && <Facets inbox={inbox} />}
      {isFiltered && (
        <p class="quiet" role="status">
          {shown} shown{filter.high ? ", high urgency only" : ""}
        </p>
      )}
      {marked.size > 0 && (
        <p class="marked-bar">
          {marked.size} marked to be answered together.{" "}
          <button
            type="button"
            class="plain-button"
            onClick={() => dispatch({ type: "key", key: { command: "back" } })}
          >
            Unmark <Key>Esc</Key>
          </button>
        </p>
      )}
    </div>
  );
}

function List({ inbox, briefs }: { inbox: Inbox; briefs: ReturnType<typeof listed> }) {
  const now = useNow(10_000);
  const { selected, marked } = inbox;
  return (
    <VirtualList
      briefs={briefs}
      selected={selected}
      label={`${briefs.length} decisions, most urgent first`}
      row={(brief, at) => (
        <Row
          brief={brief}
          now={now}
          selected={brief.id === selected}
          marked={marked.has(brief.id)}
          position={at + 1}
          total={briefs.length}
          onPoint={(id) => {
            dispatch({ type: "pointed", id });
            go(decisionPath(id));
          }}
        />
      )}
    />
  );
}

function Waiting({ ui }: { ui: Ui }) {
  return (
    <div class="rows-loading" role="status">
      <span class="unseen">{ui.failure ?? "Loading the inbox"}</span>
      {[1, 2, 3, 4].map((it) => (
        <div key={it} class="row-loading" />
      ))}
    </div>
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

function Empty({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <div class="empty">
      <p class="empty-title">Nothing matches the filter.</p>
      <button type="button" class="second" onClick={() => dispatch({ type: "key", key: { command: "all" } })}>
        Show all
      </button>
    </div>
  ) : (
    <div class="empty">
      <p class="empty-title">Nothing is waiting for you.</p>
      <p class="quiet">When an agent asks something, it appears here.</p>
    </div>
  );
}

function AllDone() {
  return (
    <div class="empty large">
      <svg viewBox="0 0 48 48" width="72" height="72" aria-hidden="true" class="empty-mark">
        <circle cx="24" cy="24" r="20" />
        <path d="M15 24.5l6.5 6.5L34 18" />
      </svg>
      <p class="empty-title">All clear</p>
      <p class="quiet">No agent needs you. This page stays live: the next question shows up here.</p>
    </div>
  );
}
