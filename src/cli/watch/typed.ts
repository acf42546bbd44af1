/** What a key does here: text goes into the line that is being typed, everything else to the inbox. */

import { pressed } from "../../inbox/keys.ts";
import type { Inbox } from "../../inbox/model.ts";
import { formOf, wordsIn } from "../../inbox/model.ts";
import type { Input } from "../../inbox/update.ts";
import type { Key } from "../base/keys.ts";
import { edit } from "../base/keys.ts";
import { nameOf } from "./keys.ts";

export interface Typed {
  inbox: Inbox;
  /** How many lines of the text in focus are scrolled away. */
  scroll: number;
}

/** The input for the inbox; null if only the view changed, or nothing did. */
export function typed(ui: Typed, key: Key, view: { most: number; step: number }): Input | null {
  const { mode, selected } = ui.inbox;
  const isSpecial = key.type === "enter" || key.type === "escape" || key.type === "interrupt";
  if (mode.type === "write" && selected !== null && !isSpecial) {
    const text = edit(wordsIn(formOf(ui.inbox, selected), mode.field), key);
    return { type: "typed", id: selected, field: mode.field, text };
  }
  if (mode.type === "filter" && !isSpecial)
    return { type: "filtered", text: edit(ui.inbox.filter.text, key) };
  const name = nameOf(key);
  const press = name === null ? null : pressed(name);
  if (press === null) return null;
  if ("command" in press && (press.command === "scroll-down" || press.command === "scroll-up")) {
    const by = view.step * (press.command === "scroll-down" ? 1 : -1);
    ui.scroll = Math.max(0, Math.min(view.most, Math.min(ui.scroll, view.most) + by));
    return null;
  }
  return { type: "key", key: press };
}
