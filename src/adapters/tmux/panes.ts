/** The terminals of agents as tmux lists them, and what has ended between two looks. */
import os from "node:os";
import type { AgentId } from "../../core/model/ids.ts";
import type { TerminalExit } from "../../ports.ts";
import { FOREIGN_KEYS, HUB, OVER } from "./server.ts";

export interface Pane {
  agent_id: AgentId;
  /** tmux's name for it, unique as long as its server lives. */
  pane: string;
  server: string;
  pid: number;
  /** Its device, which disappears when tmux sees that the program is gone. */
  tty: string;
  exit: TerminalExit | null;
  /** Its program is gone and tmux has not noticed how. */
  unnoticed: boolean;
  /** How many people are attached to it. */
  attached: number;
  /** How often somebody other than us sent keys there. */
  keys: number;
}

export type Panes = ReadonlyMap<AgentId, Pane>;

const FIELDS = [
  "session_name",
  "pid",
  "pane_id",
  "pane_pid",
  "pane_tty",
  "window_name",
  "pane_dead_status",
  "pane_dead_signal",
  "pane_dead",
  "session_attached",
];

/** A number, whatever somebody put there. */
const KEYS = `#{?#{m/r:^[0-9]+$,#{${FOREIGN_KEYS}}},#{${FOREIGN_KEYS}},0}`;

/** An agent can choose none of these. */
export const PANE_FORMAT = [...FIELDS.map((it) => `#{${it}}`), KEYS].join("|");

/** In a session with several panes (somebody split it), the oldest is the agent's. The hub's window is a guest there. */
export function readPanes(lines: readonly string[]): Map<AgentId, Pane> {
  const panes = new Map<AgentId, Pane>();
  for (const line of lines) {
    const pane = readPane(line);
    const other = pane && panes.get(pane.agent_id);
    if (pane && (!other || numberOf(pane) < numberOf(other))) panes.set(pane.agent_id, pane);
  }
  return panes;
}

export interface Ended {
  was: Pane;
  /** Null when tmux knows nothing of it any more. */
  exit: TerminalExit | null;
}

/** Those that lived at the first look and don't at the second. */
export function endedBetween(before: Panes, after: Panes): Ended[] {
  return [...before.values()].flatMap((was): Ended[] => {
    if (was.exit) return [];
    const now = after.get(was.agent_id);
    if (now?.pane !== was.pane || now.server !== was.server) return [{ was, exit: null }];
    return now.exit ? [{ was, exit: now.exit }] : [];
  });
}

function readPane(line: string): Pane | null {
  const [
    name = "",
    server = "",
    pane = "",
    pid,
    tty = "",
    window,
    status = "",
    signal = "",
    dead,
    attached,
    keys,
  ] = line.split("|");
  if (!isAgentId(name) || window === HUB) return null;
  const exit =
    window === OVER ? { code: status === "" ? null : Number(status), signal: signalName(signal) } : null;
  const unnoticed = dead === "1" && exit === null;
  return {
    agent_id: name,
    pane,
    server,
    pid: Number(pid),
    tty,
    exit,
    unnoticed,
    attached: Number(attached) || 0,
    keys: Number(keys) || 0,
  };
}

export function isAgentId(text: string): text is AgentId {
  return /^agt-[A-Za-z0-9_-]+$/.test(text);
}

function signalName(number: string): string | null {
  if (number === "") return null;
  const known = Object.entries(os.constants.signals).find((it) => it[1] === Number(number));
  return known?.[0] ?? `signal ${number}`;
}

function numberOf({ pane }: Pane): number {
  return Number(pane.slice(1));
}
