/** Variables that a script sets: what gets into them, and which of them bash itself or another program evaluates. */
import { specialVariable } from "./faults.ts";
import type { Flow } from "./flow.ts";
import { carry, emptyFlow, forbid, reach } from "./flow.ts";
import type { Hole } from "./hole.ts";
import type { Scan } from "./scan.ts";
import { markHoles } from "./scan.ts";

/** `literal` is the whole value if it is constant. */
export function setVariable({ flows }: Scan, name: string, flow: Flow, literal: string | null): void {
  carry(flows, name, flow);
  const constants = flows.constants.get(name) ?? new Set();
  flows.constants.set(name, constants.add(literal));
  if (isSpecial(name)) forbid(flows, flow, specialVariable(name));
}

/** Variables whose value bash or the programs that it starts evaluate, load or run. */
export function isSpecial(name: string): boolean {
  return SPECIAL.test(name);
}

const SPECIAL = new RegExp(
  `^(?:${[
    // Bash reads these as commands, prompts or numbers, or manages them itself.
    "BASH(?:_.*|OPTS|PID)?|ENV|PS[0-4]|PROMPT_COMMAND|PROMPT_DIRTRIM|SHELLOPTS|POSIXLY_CORRECT|S?RANDOM|SECONDS|LINENO|OPTIND|OPTERR",
    "HIST.*|EPOCH.*|E?UID|PPID|GROUPS|DIRSTACK|FUNC(?:NAME|NEST)|COMP.*|READLINE_.*|MAIL.*|IGNOREEOF|TMOUT|INPUTRC|FCEDIT",
    // Loaders and interpreters.
    "LD_.*|DYLD_.*|PERL5?(?:OPT|LIB|DB)|PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT)|RUBY(?:OPT|LIB)|NODE_(?:OPTIONS|PATH)",
    "JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|AWKPATH|MAKEFLAGS|GNUMAKEFLAGS|MFLAGS",
    // Command lines.
    "EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|LESSCLOSE|SHELL|(?:SUDO|SSH|GIT)_ASKPASS|RSYNC_RSH|CVS_RSH",
    "GIT_(?:SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|PROXY_COMMAND|CONFIG.*|EXEC_PATH|TEMPLATE_DIR)",
  ].join("|")})$`,
);

/** The key of an array: bash evaluates it as a number, unless the array is known to be associative. */
export function calculateKey(
  { flows, base }: Scan,
  key: { name: string | null; start: number; flow: Flow; direct: Hole[] },
): void {
  flows.later.push(() => {
    const from = key.name === null ? undefined : flows.associative.get(key.name);
    if (from !== undefined && from < base + key.start) return;
    const direct = new Set(key.direct);
    markHoles(direct, "integer");
    for (const hole of reach(flows, key.flow)) if (!direct.has(hole)) hole.needs.add("operand");
  });
}

export function flowOf(...names: string[]): Flow {
  const flow = emptyFlow();
  for (const it of names) flow.names.add(it);
  return flow;
}
