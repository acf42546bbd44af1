/** Puts `policy` and `irreversible` blocks together. A policy has exactly one of approve, deny, ask and answer. */
import type { CallMatch, Irreversible, Policy } from "../../core/model/policy-types.ts";
import { sha256 } from "../../core/text/hash.ts";
import type { Report, Source } from "../hcl/source.ts";
import { lineOf } from "../hcl/source.ts";
import type { Block } from "../hcl/syntax.ts";
import { placeIn, textsOf, valueIn } from "../hcl/syntax.ts";
import { readBlock } from "./block.ts";
import type { Declared } from "./build-job.ts";
import type { Read } from "./fields.ts";
import type { CALL_MATCH } from "./policy-objects.ts";
import { IRREVERSIBLE, POLICY } from "./schema.ts";

const KINDS = ["deny", "ask", "approve", "answer"] as const;

export function buildPolicy(block: Block, source: Source, report: Report): Declared<Policy>[] {
  const { name, what, values, has } = readBlock(POLICY, block, report);
  const kinds = KINDS.filter(has);
  if (kinds.length !== 1 && !block.broken)
    report(block.at, `${what} needs exactly one of deny, ask, approve and answer`);
  noValues(block, report);
  const [kind] = kinds;
  if (name === null || kind === undefined) return [];
  const text = source.text.slice(block.at.start, block.end);
  const { at_most, expires, message, urgency, escalation, irreversible } = values;
  if (kind === "deny" || kind === "ask") {
    if (at_most !== undefined)
      report(
        placeIn(block, "at_most"),
        `at_most bounds what a policy approves or answers, not what it ${kind === "deny" ? "denies" : "asks"}`,
      );
    if (irreversible !== undefined)
      report(placeIn(block, "irreversible"), "irreversible belongs beside approve");
  }
  if (kind !== "ask" && (urgency ?? escalation) !== undefined)
    report(
      placeIn(block, urgency === undefined ? "escalation" : "urgency"),
      "urgency and escalation belong beside ask",
    );
  const rest = {
    name,
    text,
    hash: sha256(text),
    path: source.path,
    line: lineOf(source, block.at.start),
    message: message ?? null,
    urgency: urgency ?? null,
    escalation: escalation ?? null,
    at_most: at_most ?? null,
    expires: expires ?? null,
    expires_at_ms: expires === undefined ? null : Date.parse(`${expires}T00:00:00Z`),
    irreversible: irreversible ?? false,
  };
  if (kind === "answer") {
    const { source: why, option, question, said, title } = values.answer ?? {};
    if (why === undefined || option === undefined) return [];
    if ((question ?? said ?? title) === undefined && !block.broken)
      report(
        placeIn(block, "answer"),
        "answer needs question, said or title",
        'like said = "*Shall I continue?"',
      );
    const match = {
      source: why,
      option,
      question: question ?? null,
      said: said ?? null,
      title: title ?? null,
    };
    return [{ def: { ...rest, kind, match }, block }];
  }
  const match = matchOf(values[kind] ?? {});
  checkMatch(kind, match, block, report);
  return [{ def: { ...rest, kind, match }, block }];
}

export function buildIrreversible(block: Block, source: Source, report: Report): Declared<Irreversible>[] {
  const { name, what, values } = readBlock(IRREVERSIBLE, block, report);
  const match = matchOf(values);
  noValues(block, report);
  if (match.tool.length + match.command.length + match.pipe.length === 0 && !block.broken)
    report(block.at, `${what} says nothing`, 'like command = "make ship **"');
  if (name === null) return [];
  const text = source.text.slice(block.at.start, block.end);
  return [{ def: { name, match, path: source.path, line: lineOf(source, block.at.start), text }, block }];
}

function matchOf(read: Partial<Read<typeof CALL_MATCH>>): CallMatch {
  const { tool = [], command = [], pipe = [], path = [], within, outside } = read;
  return { tool, command, pipe, path, within: within !== undefined, outside: outside !== undefined };
}

/** An approval that says nothing about the command, or nothing about the tool, would approve anything. */
function checkMatch(kind: "deny" | "ask" | "approve", match: CallMatch, block: Block, report: Report): void {
  const at = placeIn(block, kind);
  const { tool, command, pipe, path, within, outside } = match;
  const says = tool.length + command.length + pipe.length + path.length > 0 || within || outside;
  if (!says) {
    if (!block.broken)
      report(at, `${kind} says nothing about the call`, 'like { tool = "Bash", command = "git status" }');
    return;
  }
  if (kind !== "approve") return;
  if (tool.length === 0) report(at, "approve needs tool", 'like tool = "Bash"');
  if (tool.includes("Bash") && command.length + pipe.length === 0)
    report(at, "approve needs command for Bash", 'like command = ["git status **"]');
  if (outside) report(at, "approve can't be about what is outside the workspace");
  for (const pattern of [...command, ...pipe])
    if (/^[\s|]*\*+(?:\s|$)/.test(pattern) || /\|\s+\*+(?:\s|$)/.test(pattern))
      report(at, `"${pattern}" would approve any program`, "begin with the program's name");
}

/** What is accepted is the text itself: nothing in it may come from elsewhere. */
function noValues(block: Block, report: Report): void {
  for (const item of block.items)
    if (item.type === "attribute" && valueIn(block, item.name)?.type === "call")
      report(item.at, "a policy can't take its text from elsewhere");
  for (const text of block.items.flatMap(textsOf))
    if (/(?<!\$)\$\{/.test(text.value) || text.marks.some((it) => it.fixed))
      report(text.at, "a policy can't take values from elsewhere", "write the text itself");
}
