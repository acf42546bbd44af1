/** What the daemon does with reports: it records them, and its responses carry words. A full disk takes none. */
import type { Observation } from "../../src/core/agent/agent.ts";
import { afterReport } from "./client.ts";
import type { Kept, Label } from "./disk.ts";
import type { Here, Move } from "./moves.ts";
import { movesFrom, textOf } from "./moves.ts";
import { dialog, KEY } from "./outcomes.ts";
import type { Outside, Report } from "./outside.ts";
import { endOf } from "./outside.ts";

const TAIL = "the last lines";
const NEXT = { ...dialog("approval"), key: "t2", sha256: "another" };

export function reportMoves(here: Here): Move[] {
  const { outside, kept, rules, it } = here;
  const { reports, late, asking, over } = outside;
  const { moves, go, seen } = movesFrom(here);
  if (outside.daemon === "down") return moves;
  if (asking && it.prompt) {
    const isStill = !over && outside.at !== "gone" && kept.agent.status !== "exited";
    const next = isStill ? seen({ type: "prompted", prompt: it.prompt, tail: TAIL }) : kept;
    const isAsked = next.id !== kept.id && outside.reported;
    // its end may come in between, and then nobody waits at its hook any more
    const hook = next.agent.prompt?.key === KEY ? outside.hook : "none";
    const wrong = isAsked ? "somebody is asked about a call whose end was reported" : undefined;
    go("the daemon", "the dialog is recorded", { asking: false, hook }, next, wrong);
  }
  if (outside.told) return moves; // what a response told is recorded before the next report
  const isOvertaken = late === "asks again"; // a look at the screen goes first, and takes time
  for (const [report, isLate] of [[reports[0], false] as const, [late, true] as const]) {
    if (!report || (late && !isLate && !isOvertaken)) continue;
    const name = `${isLate ? "late, " : ""}"${report}" is recorded`;
    const after = isLate ? { late: null } : afterReport(outside);
    const { next, more } = recorded(here, report, isLate);
    go("the daemon", name, { ...more, ...after, unwritten: null }, next);
    if (outside.troubles > 0 && outside.unwritten === null)
      go("trouble", `the disk is full: "${report}" is not recorded`, {
        ...after,
        unwritten: isEnd(report) && rules.isLasting("report") ? report : null,
        refused: rules.looksAgain,
        troubles: outside.troubles - 1,
      });
  }
  return moves;
}

/** The end of a call that could not be written is written first. */
export function withUnwritten(here: Here): Kept {
  const { unwritten } = here.outside;
  const { seen } = movesFrom(here);
  return unwritten === null ? here.kept : seen(endSeen(here, unwritten));
}

function isEnd(report: Report): report is "ran" | "batch" {
  return report === "ran" || report === "batch";
}

function inConversation(here: Here, from: Kept): Kept {
  const seen = { type: "conversation", conversation: "second", transcript: "second.jsonl" } as const;
  return endOf(here.it, here.outside)?.next === "clears" ? movesFrom(here).seen(seen, from) : from;
}

/** If the end of a call that was answered is not reported, the file has it: that comes before whatever follows. */
export function withEndInFile(here: Here): Kept {
  const { it, outside, rules } = here;
  const kept = withUnwritten(here);
  const { prompt, outbox } = kept.agent;
  const isRead = rules.readsFile(outside.at === "gone" ? "the dead" : "the living");
  const file = outside.at === "runs" ? null : endOf(it, outside)?.file;
  if (!file || !isRead || prompt?.key !== KEY || !outbox.some((one) => one.prompt_key === KEY)) return kept;
  return movesFrom(here).seen({ type: "answered", key: KEY, ...file }, kept);
}

function endSeen({ it, outside }: Here, what: "ran" | "batch" | "screen"): Observation {
  const end = what === "screen" ? {} : endOf(it, outside)?.[what];
  return { type: "answered", key: KEY, ...end };
}

function recorded(here: Here, report: Report, isLate: boolean): { next: Kept; more: Partial<Outside> } {
  const { outside, rules } = here;
  const { seen } = movesFrom(here);
  const before = inConversation(here, isEnd(report) ? withUnwritten(here) : withEndInFile(here));
  const released = outside.hook === "open" ? "none" : outside.hook;
  switch (report) {
    case "ran":
    case "batch": {
      const next = seen(endSeen(here, report), before);
      const more = { over: true, hook: released, reported: true } as const;
      return { next, more: { ...more, ...(isLate ? {} : told(here, next)) } };
    }
    case "conversation": {
      const next = before; // every report names its conversation
      const isKnown = rules.endsWithConversation;
      const more = isKnown ? { over: true, hook: released, reported: true } : { reported: true };
      return { next, more: { ...more, ...(isLate ? {} : told(here, next)) } };
    }
    case "stopped":
      return {
        next: seen({ type: "stopped", last_message: "Done.", tail: TAIL }, before),
        more: { hook: released },
      };
    case "asks again": {
      const heard = before.agent.outbox.some((it) => it.told) ? seen({ type: "heard" }, before) : before;
      return { next: seen({ type: "prompted", prompt: NEXT, tail: TAIL }, heard), more: {} };
    }
    case "next ran":
      return { next: seen({ type: "answered", key: "t2", ran: true }, before), more: {} };
    default: {
      const labels = report.slice("submitted ".length).split("+") as Label[];
      return { next: seen({ type: "submitted", text: textOf(here, labels) }, before), more: {} };
    }
  }
}

/** The response tells what came of the agent's requests, and what was said with an answer. */
function told({ it, outside }: Here, next: Kept): Partial<Outside> {
  const isRequest = it.begins === "works";
  const labels = next.agent.outbox
    .filter((it) => it.state === "owed" && it.reply === null)
    .filter((it) => it.beside !== undefined || (isRequest && next.labelOf(it) === "main"))
    .map((it) => next.labelOf(it));
  if (labels.length === 0) return {};
  const heard = { ...outside.heard };
  for (const it of labels) heard[it] += 1;
  return { told: { labels, incarnation: next.agent.incarnation }, heard };
}

/** The dialog that only the screen shows, or that the agent asks next. */
export const nextDialog = NEXT;
export const lastLines = TAIL;
