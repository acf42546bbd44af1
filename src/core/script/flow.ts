/**
 * Where the values in a script can end up: from a hole they get into variables, the arguments and output of functions
 * and the input of commands, and from there to places where bash evaluates text. The order of commands is ignored:
 * whatever could reach such a place counts as reaching it.
 */
import type { Fault, Hole, Need } from "./hole.ts";

/**
 * What a text is made of: holes and carriers. A carrier is a variable,
 * by its name, or something else, by a name with a special mark.
 */
export interface Flow {
  holes: Set<Hole>;
  names: Set<string>;
}

/** A word of a script; how bash splits words is in `core/script/words.ts`. */
export interface Word {
  /** As written, quotes and all. */
  text: string;
  start: number;
  /** The holes in it; those in a substitution belong to the words inside that. */
  holes: Hole[];
  /** Everything that gets into it. */
  flow: Flow;
  /** The word without its quotes, or null if it is not constant. */
  literal: string | null;
  /** Whether bash may turn it into several words, or none. */
  splits: boolean;
  /** Where its holes and expansions are in the script. */
  spans: [start: number, end: number][];
  /** The words of `name=(…)`. */
  elements: Word[] | null;
}

/** Carriers that are not variables. */
export const INPUT = "<";
export const ANYTHING = "*";
export const REFERENCED = "&";

export interface Flows {
  edges: Map<string, Flow>;
  /** Run once the whole script is known: functions and arrays may be defined after their use. */
  later: (() => void)[];
  functions: Set<string>;
  /** Whether words of the script may mean something other than they say (aliases). */
  isTwisted: boolean;
  /** Functions that run their arguments as a command: `run() { echo "+ $*"; "$@"; }`. */
  runners: Set<string>;
  /** Associative arrays, with the position after which their keys are text. */
  associative: Map<string, number>;
  /** The constant texts that each variable is set to; null is among them if it is also set to something else. */
  constants: Map<string, Set<string | null>>;
  /**
   * The commands that each array is set to by `name=(command …)`;
   * `isOther` if its elements are also set in another way.
   */
  arrays: Map<string, { commands: Word[][]; isOther: boolean }>;
  /** What was read, for callers that ask for it (core/script/simple.ts). */
  seen: Seen | null;
}

/** The simple commands of a script, in the order in which they were read. */
export interface Seen {
  commands: SeenCommand[];
  /** It has more than a list of simple commands: a block, a function, a subshell, a test, a substitution. */
  isCompound: boolean;
}

export interface SeenCommand {
  words: readonly Word[];
  redirections: readonly { operator: string; word: Word }[];
  documents: readonly string[];
  isPiped: boolean;
  /** It stands in the words of another command: after `sudo`, in `sh -c`, after `-exec`. */
  isInner: boolean;
}

export function startFlows(): Flows {
  return {
    edges: new Map(),
    later: [],
    functions: new Set(),
    isTwisted: false,
    runners: new Set(),
    associative: new Map(),
    constants: new Map(),
    arrays: new Map(),
    seen: null,
  };
}

export function emptyFlow(): Flow {
  return { holes: new Set(), names: new Set() };
}

export function addFlow(to: Flow, from: Flow): void {
  for (const hole of from.holes) to.holes.add(hole);
  for (const name of from.names) to.names.add(name);
}

export function joinFlows(flows: Iterable<Flow>): Flow {
  const all = emptyFlow();
  for (const it of flows) addFlow(all, it);
  return all;
}

export function carry(flows: Flows, name: string, flow: Flow): void {
  const known = flows.edges.get(name);
  if (known) addFlow(known, flow);
  else flows.edges.set(name, joinFlows([flow]));
}

/** Every hole whose value may get into this flow. */
export function reach(flows: Flows, flow: Flow): Set<Hole> {
  const holes = new Set(flow.holes);
  const seen = new Set(flow.names);
  const open = [...seen];
  const visit = (names: Iterable<string>) => {
    for (const it of names) {
      if (seen.has(it)) continue;
      seen.add(it);
      open.push(it);
    }
  };
  if (open.length > 0) visit([REFERENCED]);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === ANYTHING) visit(flows.edges.keys());
    const next = flows.edges.get(name);
    if (!next) continue;
    for (const it of next.holes) holes.add(it);
    visit(next.names);
  }
  return holes;
}

/** Values that get here must look like this. */
export function needs(flows: Flows, flow: Flow, need: Need): void {
  flows.later.push(() => {
    for (const hole of reach(flows, flow)) hole.needs.add(need);
  });
}

/** No value may get here. */
export function forbid(flows: Flows, flow: Flow, fault: Fault): void {
  flows.later.push(() => forbidNow(flows, flow, fault));
}

export function forbidNow(flows: Flows, flow: Flow, fault: Fault): void {
  for (const hole of reach(flows, flow)) hole.fault ??= fault;
}
