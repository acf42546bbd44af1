/** One line of a list: a decision, or several that are alike. */
import type { DecisionBrief } from "../../api/api.ts";
import { shortAge } from "../../core/text/words.ts";
import { saidWords } from "../../inbox/card/said.ts";
import { isQuiet } from "../../inbox/card/waits.ts";
import { who } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";

interface Given {
  brief: DecisionBrief;
  now: number;
  selected: boolean;
  position: number;
  total: number;
  onPoint(id: string): void;
  /** How many decisions the row stands for. */
  count?: number;
  /** One of a group that is open: it has a box to mark it. */
  inGroup?: boolean;
  marked?: boolean;
  onMark?(id: string): void;
  /** Somebody else in the list has the same name. */
  isTwin?: boolean;
}

export function Row(given: Given) {
  const {
    brief,
    now,
    selected,
    position,
    total,
    onPoint,
    count = 1,
    inGroup = false,
    marked = false,
  } = given;
  const { id, title, urgency, source, project, state, held, created_at_ms } = brief;
  const standing = held ? "answered" : state === "pending" ? null : state;
  const said = saidWords(brief);
  const kind = `${selected ? " selected" : ""}${standing ? " done" : ""}${inGroup ? " in-group" : ""}${isQuiet(brief) ? " quiet-row" : ""}`;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    <div
      id={`row-${id}`}
      class={`row urgency-${urgency}${kind}`}
      role="option"
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={total}
      onClick={() => onPoint(id)}
    >
      <Mark {...given} />
      <span class="row-title">{safeLine(title)}</span>
      <span class="row-end">
        {count > 1 && <span class="tag">×{count.toLocaleString("en")}</span>}
        {standing && <span class="tag standing">{standing}</span>}
        {!standing && said !== null && <span class="tag standing">{said}</span>}
        {marked && <span class="unseen">marked</span>}
        <span class="row-age">{shortAge(now - created_at_ms)}</span>
      </span>
      <span class="row-meta">
        {urgency !== "medium" && <span class={`urgency ${urgency}`}>{urgency} · </span>}
        {isQuiet(brief) && !standing && "blocks nothing yet · "}
        {source} · {safeLine(project)} · {who(brief, given.isTwin)}
      </span>
    </div>
  );
}

/** What is in front: the box of a group's member, or how urgent it is. */
function Mark({ brief, inGroup, marked, onMark }: Given) {
  if (!inGroup && !marked) return <span class="row-mark" aria-hidden="true" />;
  return (
    // for pointers; the key is m
    <span
      class={`row-mark box${marked ? " on" : ""}`}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onMark?.(brief.id);
      }}
    />
  );
}
