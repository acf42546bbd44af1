/** What a key does here: text goes into the line that is being typed, some keys change the view, all others the inbox. */

import type { Command } from "../../inbox/keys.ts";
import { pressed } from "../../inbox/keys.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, wordsIn } from "../../inbox/model.ts";
import type { Input } from "../../inbox/update.ts";
import type { Key } from "../base/keys.ts";
import { edit } from "../base/keys.ts";
import { openFleet } from "../fleet/screen.ts";
import type { Frame } from "./frame.ts";
import { nameOf, OWN_KEYS } from "./keys.ts";
import type { View } from "./pane.ts";
import { STARTING } from "./start.ts";

export interface Typed {
  inbox: Inbox;
  view: View;
}

/** What a window that is too small for the options still takes. */
const HARMLESS: readonly Command[] = ["down", "up", "first", "last", "back", "quit", "leave"];

/** The input for the inbox; null if only the view changed, or nothing did. */
export function typed(
  ui: Typed,
  key: Key,
  shown: Pick<Frame, "most" | "step" | "isTooSmall" | "sight">,
  now: number,
): Input | null {
  const { mode, selected } = ui.inbox;
  const isSpecial = key.type === "enter" || key.type === "escape" || key.type === "interrupt";
  if (mode.type === "write" && selected !== null && !isSpecial) {
    const text = edit(wordsIn(formOf(ui.inbox, selected), mode.field), key);
    return { type: "typed", id: selected, field: mode.field, text };
  }
  if (mode.type === "filter" && !isSpecial)
    return { type: "filtered", text: edit(ui.inbox.filter.text, key) };
  const name = nameOf(key);
  if (name === null) return null;
  const press = pressed(name);
  const command = press && "command" in press ? press.command : null;
  if (shown.isTooSmall)
    return press && command && HARMLESS.includes(command) ? { type: "key", key: press } : null;
  if (command === "scroll-down" || command === "scroll-up") {
    scroll(ui, command === "scroll-down" ? shown.step : -shown.step, shown);
    return null;
  }
  if (ui.view.isWhole) return onWhole(ui, name, command);
  const isGuarded = now < ui.inbox.guarded_until_ms;
  if (mode.type === "list" && !isGuarded && onOwn(ui, name, now)) return null;
  return press === null ? { type: "stray" } : { type: "key", key: press };
}

/** At the end of a text that is cut, the next page is the whole text. */
function scroll(ui: Typed, by: number, { most, sight }: Pick<Frame, "most" | "sight">): void {
  const from = Math.min(ui.view.scroll, most);
  if (by > 0 && from === most && sight?.isCut && !ui.view.isWhole) return openWhole(ui);
  ui.view = { ...ui.view, scroll: Math.max(0, Math.min(most, from + by)) };
}

/** Only what leads back, scrolls, or ends the program: the options are not in sight. */
function onWhole(ui: Typed, name: string, command: Command | null): Input | null {
  if (command === "leave") return { type: "key", key: { command } };
  if (name === "e" || command === "back" || command === "quit")
    ui.view = { ...ui.view, isWhole: false, scroll: 0 };
  return null;
}

function onOwn(ui: Typed, name: string, now: number): boolean {
  const own = OWN_KEYS.find((it) => it.keys.some((key) => key === name))?.command;
  if (own === "whole") openWhole(ui);
  if (own === "start") ui.view = { ...ui.view, starting: STARTING };
  if (own === "fleet") ui.view = { ...ui.view, fleet: openFleet(now) };
  if (own === "unfold") ui.view = { ...ui.view, isUnfolded: !ui.view.isUnfolded };
  return own !== undefined;
}

function openWhole(ui: Typed): void {
  const { selected, details } = ui.inbox;
  if (selected === null || !details.has(selected)) return;
  const opened = new Set([...ui.view.opened, selected]);
  ui.view = { ...ui.view, isWhole: true, scroll: 0, opened };
}
