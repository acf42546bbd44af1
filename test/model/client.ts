/** What the client and people do: the dialog gets an answer, the tool runs, the turn ends; somebody types; ana answers. */
import { isSame } from "./cases.ts";
import type { Label } from "./disk.ts";
import type { Here, Move } from "./moves.ts";
import { movesFrom, parcelOf } from "./moves.ts";
import type { Outside } from "./outside.ts";
import { endOf, outcomesOf } from "./outside.ts";

export function clientMoves(here: Here): Move[] {
  const { it, outside, kept } = here;
  const isCleared = endOf(it, outside)?.next === "clears";
  const { at, hidden, asksMore, reports, response, queued, composer } = outside;
  const { moves, go } = movesFrom(here);
  if (response) {
    if (at === "dialog") go("the client", "the response arrives", { ...settled(here, 0), response: false });
    else go("the client", "the response is too late", { response: false });
  }
  if (at === "gone") return moves;
  if (outside.daemon === "down" && reports[0])
    go("the client", `nobody takes "${reports[0]}"`, afterReport(outside));
  if (at === "dialog" && asksMore && !hidden && outside.doing?.step !== "touched")
    go("the client", "another dialog covers it", { hidden: true, asksMore: false });
  if (at === "runs") {
    const { ran } = endOf(it, outside) ?? {};
    go("the client", "the tool ends", {
      at: "works",
      reports: [...reports, ...(ran ? ["ran" as const] : []), "batch"],
    });
  }
  const isFree = reports.length === 0 && !hidden;
  const [first, ...others] = queued;
  if (isFree && first && (at === "idle" || at === "works"))
    go("the client", "it reads what waited", { ...reads(outside, first), queued: others });
  else if (isFree && at === "works") {
    go("the client", "its turn ends", { reports: ["stopped"] });
    // its first hook comes before the dialog, and names the conversation
    const isNamed = outside.daemon === "down" || kept.agent.conversation === "second" || !isCleared;
    if (asksMore && isNamed)
      go("the client", "it asks something else", { at: "next", asksMore: false, reports: ["asks again"] });
  }
  const person = "somebody in the terminal";
  const isDelivered = parcelOf(here, "main")?.state === "delivered";
  if (hidden) go(person, "answers the dialog in front", { hidden: false });
  if (at === "next" && isFree) go(person, "answers the next dialog", { at: "works", reports: ["next ran"] });
  if (at === "idle" && isFree && composer === null && it.prompt === null)
    go(person, "gives it work", { at: "works", reports: ["submitted other"] });
  if (at === "dialog" && !hidden)
    for (const [n, outcome] of outcomesOf(it).entries()) {
      if (n < 2 || outcome === null) continue;
      const isOut = outside.response || outside.replied || outside.doing?.step === "touched" || isDelivered;
      const contested = outside.contested || (outcome.next === "rests" && isOut);
      go(person, `says ${outcome.name}`, { ...settled(here, n), contested });
      if (outcome.next === "clears" && outside.hook === "open")
        go(person, `says ${outcome.name}; the hook breaks`, { ...settled(here, n), hook: "broken" });
    }
  return moves;
}

/** The dialog is answered. A refusal at the keyboard breaks the connection of its hook. */
export function settled({ it, outside }: Here, end: number): Partial<Outside> {
  const outcome = outcomesOf(it)[end];
  if (!outcome) throw new Error("it can't be answered that way");
  const { next } = outcome;
  const isRefusal = next === "works" || next === "rests";
  const heard = isSame(it, outcome) ? { ...outside.heard, answer: true } : outside.heard;
  const hook = end > 0 && isRefusal && outside.hook === "open" ? "broken" : outside.hook;
  if (next === "runs") return { end, heard, hook, at: "runs" };
  if (next === "rests") return { end, heard, hook, at: "idle" };
  return { end, heard, hook, at: "works", reports: [next === "clears" ? "conversation" : "batch"] };
}

/** Words reach the agent, and it begins to work on them. */
export function reads({ heard, typed }: Outside, label: Label): Partial<Outside> {
  return {
    ...{ at: "works", reports: [`submitted ${label}`] },
    heard: { ...heard, [label]: heard[label] + 1 },
    typed: { ...typed, [label]: typed[label] + 1 },
  };
}

/** The client has its response, or goes on without one. */
export function afterReport({ reports, at }: Outside): Partial<Outside> {
  return { reports: reports.slice(1), at: reports[0] === "stopped" ? "idle" : at };
}

/** Ana answers what she is asked, and restarts an agent that has died since. */
export function anaMoves(here: Here): Move[] {
  const { it, rules, kept, outside } = here;
  const { moves, go, rule } = movesFrom(here);
  if (outside.daemon !== "up") return moves;
  for (const { id, source } of kept.pending) {
    const isMain = kept.labelOf({ id }) === "main";
    if (!isMain && (source !== "dead" || kept.delivery.retry !== undefined)) continue;
    const { option, choices = [], ...words } = isMain ? it.answer : { option: "retry" };
    const given = {
      id,
      option,
      choices,
      text: null,
      message: null,
      by: "ana",
      via: "cli" as const,
      ...words,
    };
    const name = isMain ? "answers" : "restarts it";
    go(
      "ana",
      name,
      {},
      rule(name, (state, moment) => rules.core.resolveDecision(state, given, moment)),
    );
  }
  return moves;
}

/** What goes wrong: kills, a hook that the client gives up; see also `deliver.ts`. */
export function troubles(here: Here): Move[] {
  const { it, outside, kept } = here;
  const { at, reports, late, daemon, heard, response } = outside;
  const { moves, go } = movesFrom(here);
  if (outside.troubles === 0) return moves;
  const left = { troubles: outside.troubles - 1 };
  const isInFile = at !== "runs" && endOf(it, outside)?.file != null;
  const isHeard = kept.agent.outbox.some((one) => {
    const label = kept.labelOf(one);
    return heard[label] > 0 || (label === "main" && heard.answer && !isInFile);
  });
  if (at !== "gone")
    go("trouble", "the agent dies", {
      ...left,
      ...{
        at: "gone",
        hidden: false,
        composer: null,
        queued: [],
        waits: [],
        reports: [],
        hook: "none",
        response: false,
        end: at === "runs" ? null : outside.end, // its call never ended
      },
      ...{ keys: null, doing: null, asking: false }, // they go to the dead program's terminal
      excused: outside.excused + (isHeard ? 1 : 0),
    });
  if (daemon !== "down") {
    const isUnsure =
      outside.told !== null || outside.started !== null || outside.keys !== null || outside.queued.length > 0;
    const dead: Partial<Outside> = {
      ...left,
      ...{
        daemon: "down",
        hook: "none",
        asking: false,
        over: false,
        doing: null,
        waits: [],
        replied: false,
        said: null,
      },
      ...{ told: null, started: null, look: null, unwritten: null, refused: false, late: null },
      excused: outside.excused + (isUnsure ? 1 : 0),
    };
    go("trouble", "the daemon is killed", dead);
    if (response)
      go("trouble", "the daemon is killed before its response is out", { ...dead, response: false });
  }
  if (reports[0] && reports[0] !== "stopped" && late === null && daemon !== "down")
    go("trouble", `the client no longer waits with "${reports[0]}"`, {
      ...left,
      ...afterReport(outside),
      late: reports[0],
    });
  return moves;
}
