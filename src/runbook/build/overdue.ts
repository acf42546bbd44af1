/** What happens while nobody answers: the attributes that say it, and the `escalation` block. */
import type { EscalationDef, LevelDef } from "../../core/model/reach-types.ts";
import { LONGEST_CLAIM_MS, LONGEST_DEADLINE_MS } from "../../core/model/reach-types.ts";
import type { Overdue, Place } from "../../core/model/runbook.ts";
import type { Report } from "../hcl/source.ts";
import type { Block } from "../hcl/syntax.ts";
import { valueIn } from "../hcl/syntax.ts";
import type { Read } from "./fields.ts";
import { optional } from "./fields.ts";
import type { Shape } from "./shape.ts";
import { duration, name, ofText, refuse } from "./shape.ts";

/** How long something waits: never so long that no calendar has the day. */
export const waiting = duration(1, LONGEST_DEADLINE_MS);

/** The attributes of everything that asks a person. */
export const OVERDUE = {
  escalation: optional(name, "the escalation that begins while nobody answers"),
  deadline: optional(waiting, "how long after the question the default is taken"),
  default: optional(name, "the option that is taken at the deadline; without it the decision stays pending"),
};

/** `deadline` is written as a duration and kept as milliseconds. */
export function withOverdue<T extends Read<typeof OVERDUE>>(
  values: T,
): Omit<T, "deadline"> & Pick<Overdue, "deadline_ms"> {
  const { deadline, ...rest } = values;
  return deadline === undefined ? rest : { ...rest, deadline_ms: deadline };
}

const MOST_ROUNDS = 5;

export const times: Shape<number> = {
  expected: `a whole number from 0 to ${MOST_ROUNDS}`,
  read(value, report, of) {
    if (value.type !== "number") return refuse(value, report, of, this.expected);
    if (Number.isSafeInteger(value.value) && value.value >= 0 && value.value <= MOST_ROUNDS)
      return value.value;
    report(value.at, `${of} must be ${this.expected}, not ${value.text}`);
    return undefined;
  },
};

const whom: Shape<string> = ofText("a name", (it, report, of) => {
  if (/^@?[\p{Letter}\p{Number}._-]+$/u.test(it.value)) return it.value;
  report(it.at, `${of} must be a person, a group, or a rota as "@name", not "${it.value}"`);
  return undefined;
});

export const levelNames: Shape<string[]> = {
  expected: "a list of names",
  read(value, report, of) {
    if (value.type !== "list") return refuse(value, report, of, this.expected);
    if (value.items.length === 0) report(value.at, `${of} names nobody`);
    return value.items.flatMap((it) => whom.read(it, report, `each of ${of}`) ?? []);
  },
};

export const claiming = duration(1, LONGEST_CLAIM_MS);

/** How long a claim lasts if nothing is said about it. */
const CLAIM_FOR_MS = 30 * 60_000;

/** An escalation with the blocks that declare it and its levels. */
export interface DeclaredEscalation {
  def: EscalationDef & Place;
  block: Block;
  levels: Block[];
}

export function escalationDef(
  given: Place & {
    name: string;
    repeat?: number;
    claim_for?: number;
    clock?: "working" | "always";
    deadline?: number;
    default?: string;
  },
  levels: readonly LevelDef[],
): EscalationDef & Place {
  const { path, line, name, repeat = 0, claim_for = CLAIM_FOR_MS, clock = "always" } = given;
  return {
    path,
    line,
    name,
    levels,
    repeat,
    claim_for_ms: claim_for,
    clock,
    deadline_ms: given.deadline ?? null,
    default: given.default ?? null,
  };
}

export function levelDef(values: {
  notify?: string[];
  via?: string[];
  remind?: number;
  next?: number;
}): LevelDef {
  const { notify = [], via = null, remind = null, next = null } = values;
  return { notify, via, remind_ms: remind, next_ms: next };
}

/** The checks that need nothing but the block itself: what comes before what. */
export function checkTimes({ def, block, levels }: DeclaredEscalation, report: Report): void {
  let begins = 0;
  def.levels.forEach(({ remind_ms, next_ms }, index) => {
    const level = levels[index] ?? block;
    const remind = valueIn(level, "remind");
    if (remind && remind_ms !== null && next_ms !== null && remind_ms >= next_ms)
      report(
        remind.at,
        "nobody would be reminded: the next level begins first",
        "remind must be less than next",
      );
    if (def.deadline_ms !== null && begins >= def.deadline_ms)
      report(
        level.at,
        "this level begins after the deadline",
        "move the deadline, or let the levels before it be shorter",
      );
    begins += next_ms ?? 0;
    const isLast = index === def.levels.length - 1;
    if (next_ms === null && !isLast && !level.broken)
      report(level.at, "the levels below this one never begin", 'give it next, like next = "15m"');
    if (next_ms === null && isLast && def.repeat > 0 && !level.broken)
      report(
        level.at,
        "it never starts again: its last level has no next",
        'give it next, like next = "15m"',
      );
  });
}
