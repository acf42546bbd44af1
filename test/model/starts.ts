/** How a daemon starts after a kill, with nothing but what is on disk; how agents start, and are found dead. */

import type { Kept, Label } from "./disk.ts";
import type { Here, Move } from "./moves.ts";
import { movesFrom, textOf } from "./moves.ts";
import { KEY } from "./outcomes.ts";
import type { Outside } from "./outside.ts";
import { endOf, shown } from "./outside.ts";
import { lastLines, withEndInFile } from "./reports.ts";

export function startMoves(here: Here): Move[] {
  const { outside, kept, disk, rules } = here;
  const { moves, go, seen, rule } = movesFrom(here);
  const { daemon, at, started } = outside;
  const { agent } = kept;
  const { incarnation } = agent;
  if (daemon === "down") {
    const next = recalled(here);
    if (at === "gone" || !agent.spawned) go("the daemon", "starts", { daemon: "up" }, next);
    else {
      const look = catchingUp(outside, next);
      go("the daemon", "starts, and looks", { look, daemon: "starting" }, next);
    }
    return moves;
  }
  if (at === "gone" && agent.spawned)
    go("the daemon", "sees that it is dead", { hook: "none", refused: false }, died(here));
  if (daemon !== "up") return moves;
  if (started) {
    const parcel_ids = agent.outbox.filter((it) => started.includes(kept.labelOf(it))).map((it) => it.id);
    const given = { id: disk.agent_id, incarnation, parcel_ids };
    const next = rule(`started ${started}`, (state, moment) => rules.core.startedWith(state, given, moment));
    go("the daemon", "the start is recorded, with what was said", { started: null }, next);
  } else if (kept.due.some((it) => it.type === "start-agent")) {
    if (at === "gone") go("the daemon", "starts the agent", startedNow(here));
    else {
      const next = seen({ type: "spawned", incarnation });
      const look = catchingUp(outside, next);
      go("the daemon", "finds that it was started", rules.looksWhenFound ? { look } : {}, next);
    }
  }
  return moves;
}

/** A look that begins now, before anything else has happened. */
function catchingUp(outside: Outside, { id: was }: { id: number }) {
  return { how: "catch up", shown: shown(outside), was, changed: false, again: false } as const;
}

/** Everything in the outbox goes into the message that it is started with. */
function startedNow({ outside, kept }: Here): Partial<Outside> {
  const labels = kept.agent.outbox.map((it) => kept.labelOf(it));
  const heard = { ...outside.heard };
  const typed = { ...outside.typed };
  for (const it of labels) {
    heard[it] += 1;
    typed[it] += 1;
  }
  const isStale = outside.late === "asks again"; // of the process before
  return {
    ...{ at: labels.length > 0 ? "works" : "idle", heard, typed, started: labels, doing: null },
    reports: labels.length > 0 ? [`submitted ${labels.join("+")}`] : [],
    ...(isStale ? { late: null } : {}),
  };
}

function died(here: Here): Kept {
  const { seen } = movesFrom(here);
  const kept = withEndInFile(here);
  const { incarnation } = kept.agent;
  return seen({ type: "exited", incarnation, code: 1, signal: null, error: null, tail: lastLines }, kept);
}

/** An agent that is gone; words that an earlier daemon typed; an answer that may never have reached its dialog. */
function recalled(here: Here): Kept {
  const { it, outside, kept, disk, rules } = here;
  if (outside.at === "gone") return kept.agent.spawned ? died(here) : kept;
  const { seen, rule } = movesFrom(here);
  const process = { id: disk.agent_id, incarnation: kept.agent.incarnation };
  const lost = (from: Kept, parcel_id: string, label: Label) =>
    rule(
      `lost ${label}`,
      (state, moment) => rules.core.wordsLost(state, { ...process, parcel_id }, moment),
      from,
    );
  const isAsked = kept.agent.prompt?.key === KEY && /dialog/.test(shown(outside));
  const isOpen = isAsked && (outside.at === "runs" || endOf(it, outside)?.file == null);
  let next = kept;
  for (const parcel of kept.agent.outbox) {
    const { reply, state } = parcel;
    const label = kept.labelOf(parcel);
    if (reply && state === "delivered" && isOpen && rules.doubtsReplies) next = lost(next, parcel.id, label);
    if (reply || parcel.shown === undefined) continue;
    if (outside.typed[label] > parcel.shown)
      next = seen({ type: "submitted", text: textOf(here, [label]) }, next);
    else next = lost(next, parcel.id, label);
  }
  return next;
}
