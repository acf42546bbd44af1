/** The latest notice about what was done, or about the decision in focus: shown and announced. */
import { useEffect, useState } from "preact/hooks";
import type { Inbox } from "../../inbox/model.ts";
import { safeLine } from "../../text/safe.ts";
import { Key } from "./key.tsx";

const SHOWN_MS = 8000;

export function NoticeBar({ inbox }: { inbox: Inbox }) {
  const { notice } = inbox;
  const [over, setOver] = useState<number | null>(null);
  useEffect(() => {
    if (!notice || notice.kind === "error") return undefined;
    const timer = setTimeout(() => setOver(notice.at_ms), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const shown = notice && notice.at_ms !== over ? notice : null;
  return (
    <>
      <div role="status" class="notice-place">
        {shown && shown.kind !== "error" && (
          <p class={`notice ${shown.kind}`}>
            {safeLine(shown.text)} {shown.key !== undefined && <Key>{shown.key}</Key>}
          </p>
        )}
      </div>
      <div role="alert" class="notice-place">
        {shown && shown.kind === "error" && <p class="notice error">{safeLine(shown.text)}</p>}
      </div>
    </>
  );
}
