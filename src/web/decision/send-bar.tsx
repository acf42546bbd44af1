/**
 * The bar that sends. It stays within reach; while the options are out of sight, or something of what they decide about
 * has not been in view, it leads there.
 */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Reading } from "../../inbox/answer.ts";
import { count as counted } from "../../inbox/card/words.ts";
import type { Inbox } from "../../inbox/model.ts";
import { haveSeen } from "../../inbox/sight.ts";
import { safeLine } from "../../text/safe.ts";
import { readOn } from "../base/scroll.ts";
import { Key } from "../parts/key.tsx";

interface Given {
  inbox: Inbox;
  id: string;
  reading: Reading;
  /** How many decisions get the answer. */
  count: number;
  disabled: boolean;
}

export function SendBar({ inbox, id, reading, count, disabled }: Given) {
  const bar = useRef<HTMLDivElement>(null);
  const areOptionsBelow = useOptionsBelow(bar);
  const isReady = reading.type === "ready";
  const isUnseen = !haveSeen(inbox, [id]);
  const readsOn = isUnseen && (isReady ? reading.acts && count === 1 : areOptionsBelow);
  if (!disabled && (readsOn || (areOptionsBelow && !isReady)))
    return (
      <div ref={bar} class="send-bar">
        {readsOn ? (
          <button type="button" class="send unready" onClick={readOn}>
            Read on ↓ <Rest inbox={inbox} id={id} /> <Key>J</Key>
          </button>
        ) : (
          <button type="button" class="send unready" onClick={() => optionsOf(bar.current)?.scrollIntoView()}>
            To the options ↓
          </button>
        )}
      </div>
    );
  return (
    <div ref={bar} class="send-bar">
      <button type="submit" class={isReady ? "send" : "send unready"} disabled={disabled}>
        <span>
          {inbox.sending.has(id)
            ? "Sending…"
            : isReady
              ? `Send${count > 1 ? ` to ${count}` : ""}: ${safeLine(reading.words)}`
              : "Send"}
        </span>
        <Key>↵</Key>
      </button>
      <p class="send-hint">{isReady ? "" : reading.why}</p>
    </div>
  );
}

/** "2 more screens". */
function Rest({ inbox, id }: { inbox: Inbox; id: string }) {
  const rest = inbox.seen.get(id) ?? 0;
  return rest > 0 ? <span class="rest-count">{counted(rest, "more screen")}</span> : null;
}

/** Whether the options are below what is in view; where they are beside the decision, they never are. */
function useOptionsBelow(bar: RefObject<HTMLDivElement | null>): boolean {
  const [isBelow, setBelow] = useState(false);
  useLayoutEffect(() => {
    const decision = bar.current?.closest(".decision");
    const pane = bar.current?.closest(".pane");
    const options = optionsOf(bar.current);
    if (!pane || !decision || !options) return undefined;
    const look = () => {
      const { left, top } = options.getBoundingClientRect();
      const isStacked = left <= decision.getBoundingClientRect().left;
      setBelow(isStacked && top > (bar.current?.getBoundingClientRect().top ?? 0));
    };
    look();
    const watcher = new ResizeObserver(look);
    for (const it of [pane, decision]) watcher.observe(it);
    pane.addEventListener("scroll", look, { passive: true });
    return () => {
      watcher.disconnect();
      pane.removeEventListener("scroll", look);
    };
  }, [bar]);
  return isBelow;
}

function optionsOf(bar: HTMLDivElement | null): Element | null {
  return bar?.closest(".decision")?.querySelector(".places") ?? null;
}
