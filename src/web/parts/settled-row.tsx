/** One line of the history: what was asked and when it was settled; the answer, by whom, and whether it arrived. */
import type { DecisionBrief } from "../../api/api.ts";
import { safeLine } from "../../text/safe.ts";

interface Given {
  brief: DecisionBrief;
  selected: boolean;
  position: number;
  total: number;
  /** More than one project is in the list. */
  hasProjects: boolean;
  onPoint(id: string): void;
}

type Settled = NonNullable<DecisionBrief["settled"]>;

export function SettledRow({ brief, selected, position, total, hasProjects, onPoint }: Given) {
  const { id, title, source, project, settled } = brief;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    <div
      id={`row-${id}`}
      class={`row settled${selected ? " selected" : ""}`}
      role="option"
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={total}
      onClick={() => onPoint(id)}
    >
      <span class={`row-mark ${settled?.outcome ?? ""}`} aria-hidden="true" />
      <span class="row-title">{safeLine(title)}</span>
      <span class="row-end">
        {settled && (
          <time class="row-age" dateTime={new Date(settled.at_ms).toISOString()}>
            {dateWords(settled.at_ms)}
          </time>
        )}
      </span>
      <span class="row-meta">
        {settled && <Result settled={settled} />}
        {source}
        {hasProjects && ` · ${safeLine(project)}`}
      </span>
    </div>
  );
}

function Result({ settled }: { settled: Settled }) {
  const { outcome, words, by, via, delivery } = settled;
  const isAnswer = ["answered", "approved", "denied", "cancelled"].includes(outcome);
  return (
    <>
      <span class={`result ${outcome}`}>{safeLine(isAnswer ? words : outcome)}</span>
      {by !== null && ` · ${safeLine(`${by}${via === null ? "" : ` (${via})`}`)}`}
      {" · "}
      {DELIVERED[delivery] !== null && (
        <span class={delivery === "failed" ? "high" : ""}>{DELIVERED[delivery]} · </span>
      )}
    </>
  );
}

const DELIVERED: Record<Settled["delivery"], string | null> = {
  none: null,
  owed: "not delivered yet",
  delivered: "sent",
  acknowledged: "delivered",
  failed: "not delivered",
};

const THIS_YEAR = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const ANY_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** "12 Nov, 16:02"; "3 Dec 2025" in another year. */
function dateWords(at_ms: number): string {
  const isThisYear = new Date(at_ms).getFullYear() === new Date().getFullYear();
  return (isThisYear ? THIS_YEAR : ANY_YEAR).format(at_ms);
}
