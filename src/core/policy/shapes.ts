/**
 * Which calls are alike: the same tool, the same simple commands with the same options, and other words only in places
 * that say what they are about. Subcommands and names of scripts are never such a place.
 */
import type { CallMatch } from "../model/policy-types.ts";
import { isAssignment } from "../script/words.ts";
import type { Call } from "./call.ts";
import { whyOpaque } from "./opaque.ts";
import { shapeOf } from "./options.ts";
import type { Place } from "./paths.ts";
import { insideOf } from "./paths.ts";

/** What a policy for a group would say, and whether any of its words may vary. */
export interface Wish {
  name: string;
  match: CallMatch;
  varies: boolean;
}

/** The same for calls that one policy may cover; null if a policy could never approve it. */
export function groupKey(call: Call, place: Place): string | null {
  if (call.text === null) {
    const path = pathOf(call, place);
    if (path === null) return null;
    const [top = ""] = path.split("/");
    return JSON.stringify([call.tool, path.includes("/") ? top : `*${extensionOf(path)}`]);
  }
  const commands = commandsOf(call);
  return commands === null ? null : JSON.stringify([call.tool, commands.map((it) => it.key)]);
}

/** The narrowest match that covers them all; null if their words can't be said in a pattern. */
export function wishFor(group: readonly { call: Call; place: Place }[]): Wish | null {
  const [first] = group;
  if (!first) return null;
  const match = { tool: [first.call.tool], command: [], pipe: [], path: [], within: true, outside: false };
  if (first.call.text === null) {
    const pattern = commonPath(group.flatMap((it) => pathOf(it.call, it.place) ?? []));
    if (pattern === null) return null;
    const name = nameOf(`${first.call.tool} ${pattern.replace(/\/?\*.*$/, "")}`);
    return { name, match: { ...match, path: [pattern] }, varies: true };
  }
  const lines = group.map((it) => commandsOf(it.call) ?? []);
  const patterns = (lines[0] ?? []).map((_, at) => patternOf(lines.flatMap((it) => it[at] ?? [])));
  if (patterns.length === 0 || patterns.some((it) => it === null)) return null;
  const command = [...new Set(patterns.flatMap((it) => it ?? []))];
  const name = nameOf(command.map((it) => it.replace(/ (?:-|\*).*$/s, "")).join(", "));
  return { name, match: { ...match, command }, varies: command.some((it) => it.includes("*")) };
}

/** A match for this very call, word for word; null if it can't be said in a pattern. */
export function exactWish(call: Call, place: Place): Wish | null {
  const match = { tool: [call.tool], command: [], pipe: [], path: [], within: true, outside: false };
  if (call.text === null) {
    const path = pathOf(call, place);
    return path === null
      ? null
      : { name: nameOf(`${call.tool} ${path}`), match: { ...match, path: [path] }, varies: false };
  }
  const lines = commandsOf(call)?.map((it) => it.all.join(" "));
  if (!lines) return null;
  const command = [...new Set(lines)];
  return { name: nameOf(command.join(", ")), match: { ...match, command }, varies: false };
}

/** A command with what must be the same apart from what may vary. */
interface Parts {
  /** Its words as they are. */
  all: string[];
  key: string;
  fixed: string[];
  /** The words that may vary; one that is null is at a place of its own among the fixed ones. */
  operands: string[];
  /** For a program that we don't know: all of its words, in order. */
  words: string[] | null;
}

function commandsOf({ line }: Call): Parts[] | null {
  if (line === null || line.problem !== null || !line.isFlat || line.commands.length === 0) return null;
  const all: Parts[] = [];
  for (const command of line.commands) {
    if (command.isInner || whyOpaque(command) !== null) return null;
    const first = command.words.findIndex((it) => !isAssignment(it.text));
    const words = command.words.slice(first).map((it) => it.literal ?? "");
    if (words.some((it) => it === "" || /[\s*|]/.test(it))) return null;
    all.push(partsOf(words));
  }
  return all;
}

function partsOf(words: string[]): Parts {
  const shape = shapeOf(words);
  const isPlain = shape?.isSure === true && !words.includes("--") && shape.head[0] === words[0];
  if (!shape || !isPlain) {
    const key = words.map((word, at) => (at > 1 && looksLikePlace(word) ? "*" : word));
    return { all: words, key: JSON.stringify(key), fixed: [], operands: [], words };
  }
  const { head, options, operands } = shape;
  const named = NAMES_FIRST.test(head.join(" ")) ? operands.slice(0, 1) : [];
  const fixed = [...head, ...options.toSorted(), ...named];
  const rest = operands.slice(named.length);
  return { all: words, key: JSON.stringify(fixed.map(uncounted)), fixed, operands: rest, words: null };
}

/** How many lines are shown does not matter: `head -n 5` is like `head -n 20`. */
function uncounted(option: string): string {
  return option.replace(/^(--(?:lines|bytes|max-count|(?:after-|before-)?context))=\d+$/, "$1=*");
}

/** What these run is named by their first operand. */
const NAMES_FIRST =
  /^(?:npm|pnpm|yarn) (?:run|exec|x|dlx|start|test|explore)$|^git (?:stash|remote|submodule)$/;

function looksLikePlace(word: string): boolean {
  return !word.startsWith("-") && !word.includes("://") && /\/|\.\w+$/.test(word);
}

function patternOf(group: readonly Parts[]): string | null {
  const [first] = group;
  if (!first) return null;
  if (first.words !== null) {
    const lists = group.map((it) => it.words ?? []);
    return first.words.map((word, at) => common(word, lists, at)).join(" ");
  }
  const { fixed, operands } = first;
  const lists = group.map((it) => it.operands);
  const isEven = lists.every((it) => it.length === operands.length);
  const varying = isEven ? operands.map((word, at) => common(word, lists, at)) : ["**"];
  const steady = fixed.map((word, n) => (group.every((it) => it.fixed[n] === word) ? word : uncounted(word)));
  const pattern = [...steady, ...varying];
  return pattern.some((it) => it === "") ? null : pattern.join(" ");
}

function common(word: string, lists: readonly (readonly string[])[], at: number): string {
  return lists.every((it) => it[at] === word) ? word : "*";
}

/** The one file that a tool is about, from the workspace. */
function pathOf({ paths }: Call, place: Place): string | null {
  const [only, ...more] = paths.flat();
  if (!only || more.length > 0) return null;
  const [path, ...others] = only.paths.map((it) => (it === null ? null : insideOf(place, it)));
  return path == null || others.length > 0 || path === "." || /[*]/.test(path) ? null : path;
}

function commonPath(paths: readonly string[]): string | null {
  const folders = paths.map((it) => it.split("/").slice(0, -1));
  const [first] = folders;
  if (!first) return null;
  const depth = first.findIndex((name, at) => !folders.every((it) => it[at] === name));
  const shared = depth === -1 ? first : first.slice(0, depth);
  const isOne = folders.every((it) => it.length === shared.length);
  if (shared.length === 0 && !isOne) return null;
  const extensions = new Set(paths.map(extensionOf));
  const [extension = ""] = extensions;
  const file = extensions.size === 1 ? `*${extension}` : "*";
  const tail = isOne ? [file] : file === "*" ? ["**"] : ["**", file];
  return [...shared, ...tail].join("/");
}

function extensionOf(path: string): string {
  return /\.\w+$/.exec(path.split("/").at(-1) ?? "")?.[0] ?? "";
}

const LONGEST_NAME = 60;

function nameOf(words: string): string {
  const plain = words.toLowerCase().replace(/[^\w ,./=:@+-]+/g, "");
  return plain.trim().slice(0, LONGEST_NAME) || "a rule";
}
