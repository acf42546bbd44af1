/**
 * Where the values in a script can get to: from a hole into variables, the arguments and output of functions, input of
 * commands, and from there to places where bash evaluates text. The order of commands is not looked at: whatever could
 * reach such a place counts as reaching it.
 */
import type { Fault, Hole, Need } from "./hole.ts";

/** What a text is made of: holes, and carriers, which are variables by name and some things named with a mark of their own. */
export interface Flow {
  holes: Set<Hole>;
  names: Set<string>;
}

/** A word of a script; how bash cuts one out is in `core/script/words.ts`. */
export interface Word {
  /** As written, quotes and all. */
  text: string;
  start: number;
  /** The holes in it; those in a substitution belong to the words in there. */
  holes: Hole[];
  /** Everything that gets into it. */
  flow: Flow;
  /** What it is without its quotes, or null where that is not constant. */
  literal: string | null;
  /** May bash make several words of it, or none? */
  splits: boolean;
  /** Where its holes and expansions stand, in the script. */
  spans: [start: number, end: number][];
  /** The words of `name=(…)`. */
  elements: Word[] | null;
}

/** Carriers that are no variables. */
export const INPUT = "<";
export const ANYTHING = "*";
export const REFERENCED = "&";

export interface Flows {
  edges: Map<string, Flow>;
  /** Settled when the whole script is known: which functions and arrays there are may be said after their use. */
  later: (() => void)[];
  functions: Set<string>;
  /** Do words of the script mean something else than they say (aliases)? */
  isTwisted: boolean;
  /** Functions that run their arguments as a command: `run() { echo "+ $*"; "$@"; }`. */
  runners: Set<string>;
  /** Arrays whose keys are text for the whole script, and from where on. */
  associative: Map<string, number>;
  /** The constant texts that each variable is set to; null among them where it is set to something else. */
  constants: Map<string, Set<string | null>>;
  /** Arrays that are only ever begun by `name=(command …)` and added to. */
  arrays: Map<string, { commands: Word[][]; isOther: boolean }>;
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

/** Every hole whose value may be in there. */
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
