/** How the daemon looks: at a screen that no hook tells of, and after the connection of a hook broke. */
import type { Kept } from "./disk.ts";
import type { Here, Move } from "./moves.ts";
import { movesFrom } from "./moves.ts";
import { dialog, KEY } from "./outcomes.ts";
import type { Outside } from "./outside.ts";
import { endOf, shown, stateOf } from "./outside.ts";
import { lastLines, nextDialog, withUnwritten } from "./reports.ts";

export function lookMoves(here: Here): Move[] {
  const { outside, kept, rules } = here;
  const { moves, go, seen } = movesFrom(here);
  const { daemon, at, look, hook } = outside;
  const { agent } = kept;
  if (daemon === "down") return moves;
  if (look) {
    const { next, more } = looked(here);
    go(
      "the daemon",
      `records what it saw (${look.how}: ${look.shown})`,
      { ...more, look: null, daemon: "up" },
      next,
    );
    const isKept = look.how === "closed" && rules.isLasting("screen") && look.shown === "working";
    if (outside.troubles > 0 && outside.unwritten === null)
      go("trouble", "the disk is full: what it saw is not recorded", {
        ...{ look: null, daemon: "up", troubles: outside.troubles - 1, unwritten: isKept ? "screen" : null },
        refused: true,
      });
  } else if (hook === "broken") {
    if (agent.prompt?.key !== KEY) {
      if (!outside.asking) go("the daemon", "forgets the broken hook", { hook: "none" });
    } else go("the daemon", "looks after the connection broke", { ...looking("closed", kept), hook: "none" });
  } else if (daemon === "up" && at !== "gone" && !outside.response && (outside.refused || isUnclear(here)))
    go("the daemon", "looks", { ...looking("catch up", kept), refused: false });
  if (daemon !== "up") return moves;
  if (
    hook === "open" &&
    agent.prompt?.key === KEY &&
    shown(outside) === "working" &&
    rules.isUnanswered(KEY)(agent)
  )
    go(
      "the daemon",
      "sees that the dialog was answered",
      { hook: "none" },
      seen({ type: "answered", key: KEY }),
    );
  return moves;

  function looking(how: "catch up" | "closed", then: Kept): Partial<Outside> {
    return { look: { how, shown: shown(outside), was: then.id, changed: false, again: outside.refused } };
  }
}

/** No hook will tell what the agent does now. */
function isUnclear({ kept: { agent }, outside }: Here): boolean {
  if (!agent.spawned || agent.stopping) return false;
  if (!agent.prompt) return agent.status === "working" && !outside.asking;
  const { key } = agent.prompt;
  const isOpen = key === KEY ? outside.hook === "open" : outside.at === "next";
  return !isOpen && !agent.outbox.some((it) => it.prompt_key === key && it.state === "owed");
}

function looked(here: Here): { next: Kept; more: Partial<Outside> } {
  const { it, outside, rules, disk, kept } = here;
  const { seen } = movesFrom(here);
  const { look } = outside;
  const nothing = { next: kept, more: {} };
  if (!look || outside.at === "gone") return nothing;
  const before = withUnwritten(here);
  const wrote = { next: before, more: { unwritten: null } };
  if (look.how === "closed") {
    if (!rules.isUnanswered(KEY)(before.agent)) return wrote;
    const type = look.shown === "working" ? "answered" : "closed";
    return {
      next: seen(type === "closed" ? { type, key: KEY, tail: lastLines } : { type, key: KEY }, before),
      more: wrote.more,
    };
  }
  const then = disk.of(look.was).agent;
  const now = {
    ...before.agent,
    changed_at_ms: then.changed_at_ms + (look.changed || before.touched ? 1 : 0),
  };
  if (!rules.asItStands(then)(now))
    return { next: before, more: { ...wrote.more, refused: outside.refused || look.again } };
  const state = stateOf(look.shown);
  if (state === "unknown") return nothing;
  const file = endOf(it, outside)?.file ?? null;
  const isInFile = kept.agent.conversation === "first" && it.prompt !== null && !outside.asking;
  const isOver = outside.end !== null && outside.at !== "runs" && file !== null;
  const ended = isInFile && isOver && file ? [{ key: KEY, ...file }] : [];
  const open = isInFile && !isOver ? [dialog(it.prompt?.kind ?? "approval")] : [];
  const { prompt } = then;
  if (prompt && look.shown === "dialog" && prompt.key === KEY && ended.length === 0) return nothing; // still asked
  let next = before;
  let more: Partial<Outside> = { unwritten: null };
  if (prompt) {
    const end =
      prompt.key === KEY
        ? rules.endOfDialog(then, prompt, state, { ended, open })
        : { unseen: true as const };
    if (end === "later") return nothing;
    next = seen({ type: "answered", key: prompt.key, ...end }, next);
    if (prompt.key === KEY)
      more = {
        ...more,
        over: outside.over || ended.length > 0,
        hook: outside.hook === "open" ? "none" : outside.hook,
      };
  }
  const waits = then.status === "idle" || then.status === "errored";
  if (state === "idle") {
    if (!waits) next = seen({ type: "stopped", last_message: "Done.", tail: lastLines }, next);
    return { next, more };
  }
  if (waits) next = seen({ type: "worked" }, next);
  if (state !== "dialog" || next.agent.prompt) return { next, more };
  if (look.shown === "another dialog")
    return { next: seen({ type: "prompted", prompt: nextDialog, tail: lastLines }, next), more };
  if (it.prompt && !outside.over && open.length > 0)
    return { next: seen({ type: "prompted", prompt: it.prompt, tail: lastLines }, next), more };
  return { next, more };
}
