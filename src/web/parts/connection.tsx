/** Whether the page is live. While it is not, it says that what it shows may be out of date. */

import type { Inbox } from "../../inbox/model.ts";
import { safeLine } from "../../text/safe.ts";
import { useNow } from "../base/clock.ts";
import { reconnectNow } from "../base/connect.ts";
import type { Ui } from "../base/store.ts";

export function Connection({ inbox, ui }: { inbox: Inbox; ui: Ui }) {
  const isLost = inbox.connection !== "live" && (inbox.items.size > 0 || ui.retry_at_ms !== null);
  return (
    <div role="status" class="connection">
      {isLost && <Lost inbox={inbox} ui={ui} />}
    </div>
  );
}

function Lost({ inbox, ui }: { inbox: Inbox; ui: Ui }) {
  const now = useNow(500);
  const left = Math.max(0, Math.ceil(((ui.retry_at_ms ?? now) - now) / 1000));
  const isTrying = inbox.connection === "connecting" || left === 0;
  return (
    <div class="lost">
      <span class="dot" aria-hidden="true" />
      <p>
        <strong>{ui.failure === null ? "The daemon can't be reached." : safeLine(ui.failure)}</strong>{" "}
        {ui.failure === null && (
          <>
            Where it runs: <code>oj daemon start</code>.{" "}
          </>
        )}
        {inbox.items.size > 0 && "What you see may be out of date; what you type is kept. "}
        <span aria-hidden="true">{isTrying ? "Trying…" : `Trying again in ${left} s.`}</span>
      </p>
      <button type="button" class="second" onClick={reconnectNow}>
        Try now
      </button>
    </div>
  );
}
