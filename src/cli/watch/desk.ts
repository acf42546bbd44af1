/** The terminal's inbox without a terminal: the inbox, how it is shown, and what of it has been on the screen. */
import type { CommandView } from "../../api/api.ts";
import type { Effect, Inbox } from "../../inbox/model.ts";
import { emptyInbox } from "../../inbox/model.ts";
import { haveSeen } from "../../inbox/sight.ts";
import type { Input } from "../../inbox/update.ts";
import { update } from "../../inbox/update.ts";
import type { Style } from "../../text/style.ts";
import type { Key } from "../base/keys.ts";
import type { Frame } from "./frame.ts";
import { frame } from "./frame.ts";
import { still } from "./pane.ts";
import type { Looked } from "./sight.ts";
import { look, NOTHING, restOf } from "./sight.ts";
import type { Run } from "./start.ts";
import { startKey } from "./start.ts";
import type { Typed } from "./typed.ts";
import { typed } from "./typed.ts";

export interface Screenful {
  columns: number;
  rows: number;
  peeked: readonly string[];
}

/** What is to be done: for the inbox, or to start something. */
export type DeskEffect = Effect | { type: "commands" } | { type: "run"; run: Run };

export interface Desk {
  inbox(): Inbox;
  /** Something happened: returns what is to be done about it. */
  put(input: Input): Effect[];
  press(key: Key): DeskEffect[];
  /** What can be started, asked for with `commands`. */
  offer(commands: readonly CommandView[]): void;
  /** Returns the lines to show, and takes note that they have been seen. */
  draw(size: Screenful): string[];
}

export function makeDesk(now: () => number, style: Style): Desk {
  const ui: Typed = {
    inbox: emptyInbox(),
    view: { scroll: 0, isWhole: false, isUnfolded: false, starting: null, opened: new Set() },
  };
  let shown: Frame = { ...still([]), isTooSmall: true };
  let looked: Looked = NOTHING;
  let size = "";

  function put(input: Input): Effect[] {
    const before = ui.inbox;
    const { inbox, effects } = update(before, input, now());
    ui.inbox = inbox;
    if (inbox.selected !== before.selected) ui.view = { ...ui.view, scroll: 0, isWhole: false };
    else if (fills(inbox) !== fills(before)) ui.view = { ...ui.view, scroll: 0 };
    return effects;
  }

  return {
    inbox: () => ui.inbox,
    put,
    press(key) {
      if (ui.view.starting) {
        const { start, run } = startKey(ui.view.starting, key);
        ui.view = { ...ui.view, starting: start };
        return run ? [{ type: "run", run }] : [];
      }
      const input = typed(ui, key, shown);
      if (ui.view.starting !== null) return [{ type: "commands" }];
      return input ? put(input) : [];
    },
    offer(commands) {
      if (ui.view.starting) ui.view = { ...ui.view, starting: { ...ui.view.starting, commands } };
    },
    draw({ columns, rows, peeked }) {
      const { selected } = ui.inbox;
      const isNew = size !== `${columns}x${rows}`;
      size = `${columns}x${rows}`;
      if (isNew && selected !== null && !haveSeen(ui.inbox, [selected])) ui.view = { ...ui.view, scroll: 0 };
      shown = frame(ui.inbox, { columns, rows, now: now(), style, view: ui.view, peeked });
      const { sight, step } = shown;
      if (sight) {
        looked = look(looked, sight);
        const rest = restOf(looked, sight, step);
        for (const id of sight.ids) put({ type: "saw", id, rest });
      }
      return shown.lines;
    },
  };
}

/** What fills the whole screen instead of the list and the card. */
function fills({ mode }: Inbox): string {
  return mode.type === "help" || mode.type === "peek" || mode.type === "confirm" ? mode.type : "";
}
