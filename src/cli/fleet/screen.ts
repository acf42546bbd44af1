/**
 * The fleet as a screen of the terminal's inbox: which row is in focus, and what its keys do. No key here answers a
 * decision: Enter opens it in the inbox, where it is read and answered.
 */
import type { ProjectFleet } from "../../api/api.ts";
import type { FleetAction, FleetRow } from "../../inbox/fleet/row.ts";
import { actionsOf } from "../../inbox/fleet/row.ts";
import { fleetRows } from "../../inbox/fleet/rows.ts";
import type { Key } from "../base/keys.ts";
import { edit } from "../base/keys.ts";

export interface FleetScreen {
  /** Null until it is loaded. */
  fleet: readonly ProjectFleet[] | null;
  /** The row in focus: an id, so that no news moves it, and where it was, for when it is gone. */
  selected: string | null;
  at: number;
  doing: FleetDoing | null;
  /** What was said before the last move no longer is. */
  since_ms: number;
}

/** What has begun and waits for Enter. It keeps the id that was in focus when it began. */
export type FleetDoing =
  | { type: "cancel"; run_id: string; name: string }
  | { type: "send"; agent_id: string; text: string };

/** What a key asks for. */
export type FleetRequest =
  | { type: "leave" }
  | { type: "quit" }
  /** Open this decision, or this failed job, in the inbox. */
  | { type: "open"; id: string }
  | { type: "peek"; agent_id: string }
  | { type: "attach"; agent_id: string }
  | { type: "cancel"; run_id: string }
  | { type: "send"; agent_id: string; text: string }
  | { type: "say"; text: string };

export interface FleetPress {
  key: Key;
  /** As the inbox names it; null if it has no name. */
  name: string | null;
  now: number;
  /** The rows are not in sight: only what leads back is taken. */
  isTooSmall: boolean;
}

export function openFleet(now: number): FleetScreen {
  return { fleet: null, selected: null, at: 0, doing: null, since_ms: now };
}

/** Takes over the fleet as it is now. The focus stays; if its row is gone, it goes to the one in its place. */
export function refreshed(screen: FleetScreen, fleet: readonly ProjectFleet[], now: number): FleetScreen {
  return focused({ ...screen, fleet }, now);
}

/** The rows, and which one is in focus; ages and late answers change the order without any news. */
export function rowsOn({ fleet, selected, at }: FleetScreen, now: number): { rows: FleetRow[]; at: number } {
  const rows = fleetRows(fleet ?? [], now);
  const found = rows.findIndex((it) => it.id === selected);
  return { rows, at: found >= 0 ? found : Math.max(0, Math.min(at, rows.length - 1)) };
}

export interface Pressed {
  screen: FleetScreen;
  request: FleetRequest | null;
}

export function fleetKey(before: FleetScreen, press: FleetPress): Pressed {
  const { key, name, now, isTooSmall } = press;
  const screen = focused(before, now);
  const asks = (request: FleetRequest | null, change: Partial<FleetScreen> = {}): Pressed => ({
    screen: { ...screen, ...change },
    request,
  });
  if (name === "ctrl+c") return asks({ type: "quit" });
  if (screen.doing && (!isTooSmall || name === "escape")) return onDoing(screen, screen.doing, key, asks);
  if (name === "escape" || name === "f" || name === "q") return asks({ type: "leave" });
  if (isTooSmall) return asks(null);
  const { rows, at } = rowsOn(screen, now);
  const to = moved(name, at, rows.length);
  if (to !== null) return asks(null, { at: to, selected: rows[to]?.id ?? null, since_ms: now });
  const row = rows[at];
  return row && name !== null ? onRow(row, name, asks) : asks(null);
}

type Asks = (request: FleetRequest | null, change?: Partial<FleetScreen>) => Pressed;

function onDoing(screen: FleetScreen, doing: FleetDoing, key: Key, asks: Asks): Pressed {
  if (key.type === "escape") return asks(null, { doing: null });
  if (doing.type === "cancel")
    return key.type === "enter"
      ? asks({ type: "cancel", run_id: doing.run_id }, { doing: null })
      : { screen, request: null };
  if (key.type !== "enter") return asks(null, { doing: { ...doing, text: edit(doing.text, key) } });
  const text = doing.text.trim();
  return asks(text === "" ? null : { type: "send", agent_id: doing.agent_id, text }, { doing: null });
}

function onRow(row: FleetRow, name: string, asks: Asks): Pressed {
  const { decision, agent_id, run_id, state } = row;
  if (name === "enter") {
    const id = decision?.id ?? (state === "failed" ? row.id : null);
    return asks(id === null ? { type: "say", text: "it asks nothing" } : { type: "open", id });
  }
  const types = actionsOf(row).map((it) => it.type);
  const wanted = WANTED[name];
  if (wanted === undefined) return asks(null);
  if (!types.includes(wanted)) return asks({ type: "say", text: cannot(row, wanted) });
  if (wanted === "cancel" && run_id !== null)
    return asks(null, { doing: { type: "cancel", run_id, name: row.name } });
  if (agent_id === null) return asks(null);
  if (wanted === "send") return asks(null, { doing: { type: "send", agent_id, text: "" } });
  return asks({ type: wanted === "peek" ? "peek" : "attach", agent_id });
}

const WANTED: Readonly<Record<string, FleetAction["type"]>> = {
  p: "peek",
  a: "attach",
  t: "send",
  x: "cancel",
};

function cannot({ state, kind }: FleetRow, wanted: FleetAction["type"]): string {
  if (wanted !== "cancel") return "it has no terminal of ours";
  if (state === "failed") return "it has failed already; Enter opens it, to retry or drop it";
  return kind === "session" ? "a session of your own is ended where it runs" : "there is nothing to cancel";
}

function moved(name: string | null, at: number, count: number): number | null {
  const last = Math.max(0, count - 1);
  if (name === "j" || name === "down") return Math.min(last, at + 1);
  if (name === "k" || name === "up") return Math.max(0, at - 1);
  if (name === "g" || name === "home") return 0;
  return name === "G" || name === "end" ? last : null;
}

/** Names the row in focus, so that what arrives later does not take its place. */
function focused(screen: FleetScreen, now: number): FleetScreen {
  const { rows, at } = rowsOn(screen, now);
  return { ...screen, at, selected: rows[at]?.id ?? null };
}
