/** The line at the top: how many wait, what the filter leaves of them, and whether the daemon is there. */
import { URGENCIES } from "../../core/model/decision-types.ts";
import { isQuiet } from "../../inbox/card/waits.ts";
import { isFiltered } from "../../inbox/facets.ts";
import type { Inbox } from "../../inbox/model.ts";
import { asideIn, isWaiting, waiting } from "../../inbox/model.ts";
import { listed } from "../../inbox/order.ts";
import { pad, truncate, widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";

const STATES: Readonly<Record<Inbox["connection"], string>> = {
  connecting: "connecting…",
  live: "● live",
  offline: "○ no daemon: oj daemon start",
  away: "○ the server can't be reached",
  full: "○ not live: too many event streams",
};

export function header(inbox: Inbox, columns: number, style: Style): string {
  const count = waiting(inbox);
  const shown = isFiltered(inbox)
    ? `${listed(inbox).filter((it) => isWaiting(it) && !isQuiet(it)).length} of ${count}`
    : `${count}`;
  const by = URGENCIES.flatMap((urgency) => {
    let number = 0;
    for (const it of inbox.items.values())
      if (it.urgency === urgency && isWaiting(it) && !isQuiet(it)) number += 1;
    return number === 0 ? [] : [`${number} ${urgency}`];
  });
  const aside = asideIn(inbox);
  const filters = [
    ...(inbox.filter.high ? ["high only"] : []),
    ...(inbox.filter.text === "" ? [] : [`/${safeLine(inbox.filter.text)}`]),
  ];
  const left = [
    ` oj  ${shown} waiting for you${by.length > 1 ? ` (${by.join(", ")})` : ""}${aside > 0 ? `, ${aside} aside` : ""}`,
    ...(filters.length > 0 ? [`[${filters.join(", ")}]`] : []),
  ].join("  ");
  const state = STATES[inbox.connection];
  const room = columns - widthOf(state) - 2;
  const colour = inbox.connection === "live" ? style.green : style.yellow;
  return `${style.bold(pad(truncate(left, room), room))} ${colour(state)}`;
}
