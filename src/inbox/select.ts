/** Moving the focus. Keys only ever reach what is listed, so the filter moves it too. */
import type { Inbox, Notice, Step } from "./model.ts";
import { GUARD_MS, only, withNotice } from "./model.ts";
import { isListed, rows } from "./order.ts";

const ALL: Inbox["filter"] = { high: false, text: "" };

/** Moves the focus, and loads the whole decision. */
export function select(inbox: Inbox, id: string | null): Step {
  if (id === null) return only({ ...inbox, selected: null });
  const next: Inbox = { ...inbox, selected: id, notice: id === inbox.selected ? inbox.notice : null };
  return inbox.details.has(id) ? only(next) : only(next, { type: "load", id });
}

/** The person pointed at this one: if the filter hides it, the filter goes. */
export function point(inbox: Inbox, id: string): Step {
  const isHidden = inbox.items.has(id) && !isListed(inbox, id);
  return select({ ...inbox, mode: { type: "list" }, ...(isHidden && { filter: ALL }) }, id);
}

/** As `point`, from another screen: keys pause for a moment, since one pressed there must do nothing here. */
export function opened(inbox: Inbox, id: string, now: number): Step {
  if (!inbox.items.has(id)) return only(withNotice(inbox, "warning", `${id} no longer waits for you`, now));
  const { inbox: next, effects } = point(inbox, id);
  return only({ ...next, guarded_until_ms: now + GUARD_MS }, ...effects);
}

/** Changes the filter. What is no longer listed loses its mark and the focus, which goes to the first match. */
export function filtered(inbox: Inbox, change: Partial<Inbox["filter"]>): Step {
  const next = { ...inbox, filter: { ...inbox.filter, ...change } };
  const marked = new Set([...next.marked].filter((id) => isListed(next, id)));
  return refocused({ ...next, marked });
}

/** Puts the first decision in focus if the one in focus is not listed. */
export function refocused(inbox: Inbox): Step {
  const { selected } = inbox;
  if (selected !== null && isListed(inbox, selected)) return only(inbox);
  return select(inbox, rows(inbox)[0]?.item.id ?? null);
}

/** Tells the person that what they look at has changed by itself; keys pause for a moment. */
export function disturbed(inbox: Inbox, kind: Notice["kind"], text: string, now: number): Inbox {
  return {
    ...inbox,
    mode: inbox.mode.type === "confirm" || inbox.mode.type === "write" ? { type: "list" } : inbox.mode,
    notice: { kind, text, at_ms: now },
    guarded_until_ms: now + GUARD_MS,
    typed_at_ms: inbox.mode.type === "write" ? now : inbox.typed_at_ms,
  };
}
