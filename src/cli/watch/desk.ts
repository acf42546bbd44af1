/** The terminal's inbox without a terminal: the inbox, how it is shown, and what of it has been on the screen. */
import type { CommandView, ProjectFleet } from "../../api/api.ts";
import type { Effect, Inbox } from "../../inbox/model.ts";
import { emptyInbox } from "../../inbox/model.ts";
import { haveSeen } from "../../inbox/sight.ts";
import type { Input } from "../../inbox/update.ts";
import { update } from "../../inbox/update.ts";
import type { Style } from "../../text/style.ts";
import type { Key } from "../base/keys.ts";
import type { FleetScreen } from "../fleet/screen.ts";
import { fleetKey, refreshed } from "../fleet/screen.ts";
import type { FleetEffect } from "../fleet/work.ts";
import type { Frame } from "./frame.ts";
import { frame } from "./frame.ts";
import { nameOf } from "./keys.ts";
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

/** What is to be done: for the inbox, to start something, or for the fleet. */
export type DeskEffect = Effect | { type: "commands" } | { type: "run"; run: Run } | FleetEffect;

export interface Desk {
  inbox(): Inbox;
  /** Something happened: returns what is to be done about it. */
  put(input: Input): Effect[];
  press(key: Key): DeskEffect[];
  /** What can be started, asked for with `commands`. */
  offer(commands: readonly CommandView[]): void;
  /** The fleet as it is now; asked for with `follow-fleet`. */
  showFleet(fleet: readonly ProjectFleet[]): void;
  /** Returns the lines to show, and takes note that they have been seen. */
  draw(size: Screenful): string[];
}

export function makeDesk(now: () => number, style: Style): Desk {
  const ui: Typed = {
    inbox: emptyInbox(),
    view: { scroll: 0, isWhole: false, isUnfolded: false, starting: null, fleet: null, opened: new Set() },
  };
  let shown: Frame = { ...still([]), isTooSmall: true };
  const looked: Record<"card" | "whole", Looked> = { card: NOTHING, whole: NOTHING };
  let size = "";

  function put(input: Input): Effect[] {
    const before = ui.inbox;
    const { inbox, effects } = update(before, input, now());
    ui.inbox = inbox;
    if (inbox.selected !== before.selected) ui.view = { ...ui.view, scroll: 0, isWhole: false };
    else if (fills(inbox) !== fills(before) || input.type === "edited") ui.view = { ...ui.view, scroll: 0 };
    return effects;
  }

  /** The person pressed a key on the fleet's screen. */
  function pressFleet(before: FleetScreen, key: Key): DeskEffect[] {
    const press = { key, name: nameOf(key), now: now(), isTooSmall: shown.isTooSmall };
    const { screen, request } = fleetKey(before, press);
    ui.view = { ...ui.view, fleet: screen };
    const leave = (): DeskEffect[] => {
      ui.view = { ...ui.view, fleet: null };
      return [{ type: "leave-fleet" }];
    };
    if (request === null) return [];
    switch (request.type) {
      case "leave":
        return leave();
      case "quit":
        return put({ type: "key", key: { command: "leave" } });
      case "open":
        return [
          ...put({ type: "opened", id: request.id }),
          ...(ui.inbox.items.has(request.id) ? leave() : []),
        ];
      case "peek":
        return put({ type: "peek", agent_id: request.agent_id });
      case "say":
        return put({ type: "noted", text: request.text });
      default:
        return [{ type: "fleet", request }];
    }
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
      if (ui.view.fleet && ui.inbox.mode.type !== "peek") return pressFleet(ui.view.fleet, key);
      const { fleet } = ui.view;
      const input = typed(ui, key, shown, now());
      if (ui.view.starting !== null) return [{ type: "commands" }];
      if (ui.view.fleet !== fleet) return [{ type: "follow-fleet" }];
      return input ? put(input) : [];
    },
    offer(commands) {
      if (ui.view.starting) ui.view = { ...ui.view, starting: { ...ui.view.starting, commands } };
    },
    showFleet(fleet) {
      if (ui.view.fleet) ui.view = { ...ui.view, fleet: refreshed(ui.view.fleet, fleet, now()) };
    },
    draw({ columns, rows, peeked }) {
      const { selected } = ui.inbox;
      const isNew = size !== `${columns}x${rows}`;
      size = `${columns}x${rows}`;
      if (isNew && selected !== null && !haveSeen(ui.inbox, [selected])) ui.view = { ...ui.view, scroll: 0 };
      shown = frame(ui.inbox, { columns, rows, now: now(), style, view: ui.view, peeked });
      const { sight, step } = shown;
      if (sight) {
        const place = sight.isWhole ? "whole" : "card";
        looked[place] = look(looked[place], sight);
        const rest = restOf(looked[place], sight, step);
        for (const id of sight.ids) put({ type: "saw", id, rest });
        if (sight.isRule) for (const id of sight.ids) put({ type: "saw-rule", id, rest });
      }
      return shown.lines;
    },
  };
}

/** What fills the whole screen instead of the list and the card. */
function fills({ mode }: Inbox): string {
  if (mode.type === "suggestion") return `${mode.type} ${mode.key}`;
  return mode.type === "list" || mode.type === "write" || mode.type === "filter" ? "" : mode.type;
}
