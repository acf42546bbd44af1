/**
 * What the policies say about a call: deny before ask before approve. Nothing is approved that a reader can't see
 * through; then there is no verdict, and a person decides.
 */
import type { CallPolicy, Irreversible, Policy } from "../model/policy-types.ts";
import type { SeenCommand } from "../script/simple.ts";
import { isAssignment } from "../script/words.ts";
import type { Call, NamedPath } from "./call.ts";
import { UNKNOWN_WORD } from "./call.ts";
import { fitsExactly, fitsLoosely } from "./command-match.ts";
import { fitsPipe, whyIrreversible } from "./irreversible.ts";
import { mayFit } from "./may-fit.ts";
import { whyOpaque, whyUnknown } from "./opaque.ts";
import type { Place } from "./paths.ts";
import { insideByWords, insideOf, isProtected } from "./paths.ts";
import { alternativesOf, fixedIn, pathFits, weightOf, wordFits } from "./pattern.ts";

/** What one policy says about a decision, and why. */
export interface Finding {
  policy: Policy;
  fits: boolean;
  why: string;
  /** How much of what fits is fixed text. */
  weight: number;
}

/** Every policy's finding; those that fit come first, in the order in which they count. */
export function judgeCall(
  policies: readonly Policy[],
  call: Call,
  place: Place,
  added: readonly Irreversible[],
): Finding[] {
  let known: string | null | undefined;
  const lasting = () => {
    if (known === undefined) known = whyIrreversible(call, place, added);
    return known;
  };
  const findings: Finding[] = [];
  for (const policy of policies) {
    if (policy.kind === "answer") continue;
    const { fits, why, weight } = findingOf(policy, call, place, lasting);
    findings.push({ policy, fits, why, weight });
  }
  return findings.sort(inOrder);
}

/** The same of those that fit, without asking each of the others why it does not: an agent waits for this. */
export function fittingCall(
  policies: readonly Policy[],
  call: Call,
  place: Place,
  added: readonly Irreversible[],
): Finding[] {
  return judgeCall(policies.filter(mayFit(call)), call, place, added).filter((it) => it.fits);
}

const RANK = { deny: 0, ask: 1, approve: 2, answer: 3 };

/** Those that fit first; deny before ask before approve and answer; then the most specific. */
export function inOrder(a: Finding, b: Finding): number {
  return (
    Number(b.fits) - Number(a.fits) ||
    RANK[a.policy.kind] - RANK[b.policy.kind] ||
    b.weight - a.weight ||
    byName(a.policy.name, b.policy.name)
  );
}

/** Two files may have policies of the same name: they stay in the order of their files. */
function byName(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

type Said = Omit<Finding, "policy">;
const no = (why: string): Said => ({ fits: false, why, weight: 0 });

function findingOf(policy: CallPolicy, call: Call, place: Place, lasting: () => string | null): Said {
  const { tool } = policy.match;
  if (tool.length > 0 && !tool.some((it) => wordFits(it, call.tool)))
    return no(`the tool is ${call.tool}, not ${tool.join(" or ")}`);
  if (policy.kind !== "approve") return looks(policy, call, place);
  const said = approves(policy, call, place);
  const why = said.fits && !policy.irreversible ? lasting() : null;
  return why === null ? said : no(`this ${why}, and the policy does not say irreversible = true`);
}

/** Deny and ask: any part of the call that fits is enough. */
function looks({ match }: CallPolicy, call: Call, place: Place): Said {
  const { tool, command, pipe, path, outside, within } = match;
  let weight = Math.max(0, ...tool.map((it) => fixedIn(it)));
  let why = `the tool is ${call.tool}`;
  if (command.length > 0) {
    const found = firstFit(alternativesOf(command), call.commands);
    if (found === null) return no(unread(call, "no command in it fits"));
    weight += found.weight;
    why = `\`${found.words.join(" ").replaceAll(UNKNOWN_WORD, "…")}\` fits \`${found.pattern.join(" ")}\``;
  }
  if (pipe.length > 0) {
    if (!call.pipes.some((it) => fitsPipe(pipe, it))) return no(unread(call, "it is not that pipe"));
    weight += weightOf(pipe);
    why = `it is the pipe ${pipe.join(" | ")}`;
  }
  const named = call.paths.flat();
  const places = (it: NamedPath) => it.paths.map((one) => (one === null ? null : insideOf(place, one)));
  const byWords = (it: NamedPath) => it.paths.map((one) => (one === null ? null : insideByWords(place, one)));
  if (path.length > 0) {
    const found = named.find((it) =>
      [it.word, ...places(it), ...byWords(it)].some(
        (one) => one !== null && path.some((pattern) => pathFits(pattern, one)),
      ),
    );
    if (!found) return no(unread(call, "no path in it fits"));
    weight += Math.max(...path.map((it) => fixedIn(it)));
    why = `${found.word} fits ${path.join(" or ")}`;
  }
  if (outside || within) {
    const found = named.find((it) => places(it).some((one) => (one === null) === outside));
    if (!found) return no(`no path in it is ${outside ? "outside" : "within"} the workspace`);
    why = `${found.word} is ${outside ? "outside" : "within"} the workspace`;
  }
  return { fits: true, why, weight };
}

function unread({ line }: Call, otherwise: string): string {
  return line?.problem ? `it can't be read: ${line.problem}` : otherwise;
}

function firstFit(
  patterns: readonly (readonly string[])[],
  commands: Call["commands"],
): { pattern: readonly string[]; words: readonly string[]; weight: number } | null {
  let best: { pattern: readonly string[]; words: readonly string[]; weight: number } | null = null;
  for (const pattern of patterns)
    for (const words of commands)
      if (fitsLoosely(pattern, words) && weightOf(pattern) > (best?.weight ?? -1))
        best = { pattern, words, weight: weightOf(pattern) };
  return best;
}

/** Approve: all of the call must fit, and nothing in it may be hidden. */
function approves({ match }: CallPolicy, call: Call, place: Place): Said {
  const { tool, command, pipe, path, within, outside } = match;
  if (outside) return no("outside can't approve anything");
  let weight = Math.max(0, ...tool.map((it) => fixedIn(it)));
  if (call.text !== null) {
    const said = approvesLine(match, call);
    if (!said.fits) return said;
    if (call.folder !== null) return no(`it runs in ${call.folder}`);
    weight += said.weight;
  } else {
    if (command.length > 0 || pipe.length > 0) return no(`${call.tool} runs no command line`);
    if (tool.length === 0) return no("it names no tool");
  }
  if (Object.values(call.input ?? {}).length > 0 && isUnboxed(call.input))
    return no("it asks to run without its sandbox");
  const named = call.paths.flat();
  if (path.length > 0 || within) {
    if (call.isVague) return no("it names too many paths to look at");
    if (named.length === 0 && call.text === null) return no("it names no path");
    for (const it of named)
      for (const one of it.paths) {
        const where = one === null ? null : insideOf(place, one);
        if (where === null) return no(`${it.word} may be outside the workspace`);
        if (isProtected(where)) return no(`${it.word} may change what is run or approved`);
        if (path.length > 0 && !path.some((pattern) => pathFits(pattern, where)))
          return no(`${it.word} does not fit ${path.join(" or ")}`);
      }
    if (path.length > 0 && named.length === 0) return no("it names no path");
    weight += Math.max(0, ...path.map((it) => fixedIn(it)));
  } else if (call.text === null && named.some((it) => it.paths.some((one) => isHidden(place, one))))
    return no("it may change what is run or approved");
  return { fits: true, why: "every part of it fits", weight };
}

function isHidden(place: Place, path: string | null): boolean {
  const where = path === null ? null : insideOf(place, path);
  return where === null ? /(?:^|\/)\.[^/]+/.test(path ?? "/.") : isProtected(where);
}

function isUnboxed(input: unknown): boolean {
  return (
    typeof input === "object" &&
    input !== null &&
    "dangerouslyDisableSandbox" in input &&
    Boolean(input.dangerouslyDisableSandbox)
  );
}

/** The words of a command without the variables that it sets; the same list for every policy that asks. */
function plainWords(command: SeenCommand): readonly string[] {
  let words = plain.get(command);
  if (words === undefined) {
    const first = command.words.findIndex((it) => !isAssignment(it.text));
    words = command.words.slice(first).map((it) => it.literal ?? "");
    plain.set(command, words);
  }
  return words;
}

const plain = new WeakMap<SeenCommand, readonly string[]>();

/** Every simple command of the line fits, and says by its words alone what it does. */
function approvesLine({ command, pipe, within }: CallPolicy["match"], { line, text }: Call): Said {
  if (command.length === 0 && pipe.length === 0) return no("it names no command");
  if (line === null || line.problem !== null) return no(`it can't be read: ${line?.problem ?? "no line"}`);
  if (!line.isFlat || line.commands.some((it) => it.isInner))
    return no("it is more than a list of simple commands");
  if (line.commands.length === 0) return no("there is no command");
  if (/[^\S \t\n]/.test(text ?? "") || /\\\n/.test(text ?? ""))
    return no("it has blanks that shells read in different ways");
  const patterns = alternativesOf(command);
  let weight = 0;
  for (const [at, one] of line.commands.entries()) {
    const opaque = whyOpaque(one);
    if (opaque !== null) return no(opaque);
    const words = plainWords(one);
    const fitting = pipe.length > 0 ? alternativesOf([pipe[at] ?? ""]) : patterns;
    const [pattern] = fitting
      .filter((it) => fitsExactly(it, words))
      .sort((a, b) => weightOf(b) - weightOf(a));
    if (pattern === undefined) return no(`no pattern fits \`${words.join(" ")}\``);
    weight += weightOf(pattern);
    if (pipe.length > 0 && one.isPiped !== at > 0) return no("it is not that pipe");
    for (const { operator, word } of one.redirections) {
      const unknown = whyUnknown(word);
      if (unknown !== null) return no(unknown);
      const target = word.literal ?? "";
      if (target === "/dev/null" || (/^[<>]&$/.test(operator) && /^(?:[0-9]|-)$/.test(target))) continue;
      if (!within) return no(`it redirects to or from ${target}`);
      if (target.startsWith("/dev/") || isProtected(target)) return no(`it redirects to or from ${target}`);
    }
  }
  if (pipe.length > 0 && line.commands.length !== pipe.length) return no("it is not that pipe");
  return { fits: true, why: "", weight };
}
