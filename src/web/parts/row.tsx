/** One decision in a list. */
import type { DecisionBrief } from "../../api/api.ts";
import { ownerName, shortAge } from "../../core/text/words.ts";
import { safeLine } from "../../text/safe.ts";

interface Given {
  brief: DecisionBrief;
  now: number;
  selected: boolean;
  marked: boolean;
  position: number;
  total: number;
  onPoint(id: string): void;
}

export function Row({ brief, now, selected, marked, position, total, onPoint }: Given) {
  const { id, title, urgency, source, project, owner, state, held, created_at_ms } = brief;
  const standing = held ? "answered" : state === "pending" ? null : state;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    <div
      id={`row-${id}`}
      class={`row urgency-${urgency}${selected ? " selected" : ""}${standing ? " done" : ""}`}
      role="option"
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={total}
      onClick={() => onPoint(id)}
    >
      <span class="row-title">{safeLine(title)}</span>
      <span class="row-meta">
        {urgency === "high" && <span class="tag high">high</span>}
        {urgency === "low" && <span class="tag low">low</span>}
        <span class={`tag source-${source}`}>{source}</span>
        {standing && <span class="tag standing">{standing}</span>}
        {marked && <span class="tag marked">marked</span>}
        <span class="row-owner">
          {safeLine(project)} · {safeLine(ownerName(owner))}
        </span>
        <span class="row-age">{shortAge(now - created_at_ms)}</span>
      </span>
    </div>
  );
}
