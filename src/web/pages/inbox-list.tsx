/** The list of what waits, with its filters in one row. */
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { twins } from "../../inbox/card/words.ts";
import { isFiltered } from "../../inbox/facets.ts";
import type { Inbox } from "../../inbox/model.ts";
import { listed, rows } from "../../inbox/order.ts";
import { useNow } from "../base/clock.ts";
import { decisionPath, go } from "../base/route.ts";
import type { Ui } from "../base/store.ts";
import { current, dispatch } from "../base/store.ts";
import { SuggestionLine } from "../decision/suggestion.tsx";
import { Facets } from "../parts/facets.tsx";
import { Key } from "../parts/key.tsx";
import { Row } from "../parts/row.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";

export function InboxList({ inbox, ui, isNew }: { inbox: Inbox; ui: Ui; isNew: boolean }) {
  const { items, filter, selected, unfolded, marked } = inbox;
  const lines = useMemo(() => rows(inbox), [items, filter, selected, unfolded]);
  const isTwin = useMemo(() => twins(listed(inbox)), [items, filter]);
  const now = useNow(10_000);
  return (
    <section class="list-pane" aria-label="Decisions">
      <ListHead inbox={inbox} isNew={isNew} />
      {isNew ? (
        <Waiting ui={ui} />
      ) : lines.length === 0 ? (
        <Empty inbox={inbox} />
      ) : (
        <VirtualList
          lines={lines}
          idOf={(it) => it.item.id}
          selected={selected}
          label={`${lines.length} rows, most urgent first`}
          row={({ item, ids, alike }, at) => (
            <Row
              brief={item}
              now={now}
              selected={item.id === selected}
              count={ids.length}
              inGroup={alike > ids.length}
              marked={ids.every((it) => marked.has(it))}
              isTwin={ids.length === 1 && isTwin(item)}
              position={at + 1}
              total={lines.length}
              onPoint={(id) => {
                dispatch({ type: "pointed", id });
                go(decisionPath(id));
              }}
              onMark={(id) => dispatch({ type: "marked", id })}
            />
          )}
        />
      )}
    </section>
  );
}

function ListHead({ inbox, isNew }: { inbox: Inbox; isNew: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const { filter, mode, marked } = inbox;
  useLayoutEffect(() => {
    if (mode.type === "filter") field.current?.focus();
  }, [mode]);
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
          onBlur={() => {
            if (current().mode.type === "filter") dispatch({ type: "key", key: { command: "send" } }); // done, and kept
          }}
        />
        {!isNew && <Facets inbox={inbox} />}
      </div>
      <SuggestionLine inbox={inbox} />
      {isFiltered(inbox) && (
        <p class="list-note">
          <span role="status">{shownWords(inbox)}</span>
          <button type="button" class="bare" onClick={showAll}>
            Show all <Key>a</Key>
          </button>
        </p>
      )}
      {marked.size > 0 && (
        <p class="list-note on">
          <span role="status">{marked.size} marked, to be answered together</span>
          <button
            type="button"
            class="bare"
            onClick={() => dispatch({ type: "key", key: { command: "back" } })}
          >
            Unmark <Key>Esc</Key>
          </button>
        </p>
      )}
    </div>
  );
}

/** "2 of 14", "no match". */
function shownWords(inbox: Inbox): string {
  const shown = listed(inbox).length;
  const words = shown === 0 ? "no match" : `${shown} of ${inbox.items.size.toLocaleString("en")}`;
  return inbox.filter.high ? `${words}, high urgency only` : words;
}

function showAll(): void {
  dispatch({ type: "key", key: { command: "all" } });
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

/** That nothing matches a filter stands beside it. */
function Empty({ inbox }: { inbox: Inbox }) {
  return isFiltered(inbox) ? null : <p class="empty quiet">Nothing else is waiting.</p>;
}
