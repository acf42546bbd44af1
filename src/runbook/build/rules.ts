/** Who may answer a decision, and how many it takes: the attributes that say it. */
import { parseDuration } from "../../core/text/duration.ts";
import { optional } from "./fields.ts";
import type { Shape } from "./shape.ts";
import { ofText, oneOf, refuse } from "./shape.ts";

/** More would never be found. */
const MOST_PEOPLE = 20;
const PERSON = /^[\p{Letter}\p{Number}][\p{Letter}\p{Number}._@-]{0,63}$/u;

const approver: Shape<string> = ofText("a name", (it, report, of) => {
  if (PERSON.test(it.value)) return it.value;
  report(it.at, `${of} must be a person or a group, not "${it.value}"`);
  return undefined;
});

const approvers: Shape<string[]> = {
  expected: "a list of people and groups",
  read(value, report, of) {
    if (value.type !== "list") return refuse(value, report, of, this.expected);
    if (value.items.length === 0) report(value.at, `${of} names nobody`);
    return [...new Set(value.items.flatMap((it) => approver.read(it, report, `each of ${of}`) ?? []))];
  },
};

const howMany: Shape<number> = {
  expected: `a whole number from 1 to ${MOST_PEOPLE}`,
  read(value, report, of) {
    if (value.type !== "number") return refuse(value, report, of, this.expected);
    if (Number.isSafeInteger(value.value) && value.value >= 1 && value.value <= MOST_PEOPLE)
      return value.value;
    report(value.at, `${of} must be ${this.expected}, not ${value.text}`);
    return undefined;
  },
};

const fresh: Shape<string> = ofText('"passkey" and a duration, like "passkey 5m"', (it, report, of) => {
  const [, time] = /^passkey (\S+)$/.exec(it.value) ?? [];
  if (time !== undefined && (parseDuration(time) ?? 0) > 0) return it.value;
  report(it.at, `${of} must be "passkey" and a duration, like "passkey 5m", not "${it.value}"`);
  return undefined;
});

export const RULES = {
  approvers: optional(approvers, "the people and groups who may answer; nobody else may"),
  min: optional(howMany, "how many of them have to say yes (default 1); the first no decides"),
  self: optional(oneOf<"deny" | "allow">("deny", "allow"), "may whoever started the work answer?"),
  fresh: optional(fresh, "a yes takes a passkey that is at most this old"),
};
