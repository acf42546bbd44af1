/**
 * What somebody who comes by ssh may call: these commands with these flags, and nothing else. Each only talks to the
 * daemon, which decides with that person's own rights. Whatever runs a program, opens an editor or a terminal, reads or
 * writes a file, or is about this machine's own settings is missing on purpose.
 */
import type { Command } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { GLOBAL, readFlags } from "../base/parse.ts";

const PROJECT = ["project"];
const RUNS = {
  list: ["status", ...PROJECT],
  show: [],
  logs: ["follow", "lines"],
  wait: ["timeout", "all"],
  suspend: [],
  resume: ["message"],
};

export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  status: PROJECT,
  "decision list": [
    ...["all", "source", "urgency", "search", "blocks", "blocking", "stale", "since", "until"],
    ...["by", "via", "outcome", "limit", "output", ...PROJECT],
  ],
  "decision show": ["full"],
  "decision resolve": ["message", "text", "choice", "rationale", "input"],
  "decision request": [
    ...["prompt", "question", "option", "recommend", "context", "urgency", "template", "type", "blocks"],
    ...["on-cancel", "parent", "predecessor", "deadline", "default", "escalation", "wait", "no-wait"],
    ...["meanwhile", "timeout", "no-file-check"],
  ],
  "decision await": ["timeout"],
  "decision claim": ["for"],
  "decision release": [],
  "decision snooze": [],
  "decision undo": [],
  "decision cancel": ["reason", "all", "yes", ...PROJECT],
  "decision dismiss": ["message", "all", "yes", ...PROJECT],
  "decision dashboard": PROJECT,
  "decision chain": [],
  "job list": RUNS.list,
  "job show": RUNS.show,
  "job logs": RUNS.logs,
  "job wait": RUNS.wait,
  "job cancel": ["reason", "now"],
  "job suspend": RUNS.suspend,
  "job resume": RUNS.resume,
  "crew list": RUNS.list,
  "crew show": RUNS.show,
  "crew logs": [...RUNS.logs, "gates"],
  "crew wait": RUNS.wait,
  "crew cancel": ["reason"],
  "crew resume": RUNS.resume,
  "agent list": ["all", ...PROJECT],
  "agent show": [],
  "agent logs": RUNS.logs,
  "agent send": [],
  "agent kill": [],
  stats: ["since", "until", "by", ...PROJECT],
  who: [],
  "route explain": [],
  "policy log": [],
  "channel list": [],
  "machine list": [],
  "audit show": [],
  person: [],
  "person remove": [],
  invite: ["doors"],
  "role grant": [],
  "role revoke": [],
  "token create": ["for", "scope", "lasts"],
  "token approve": ["for", "yes"],
  "token deny": [],
  "token list": [],
  "token rotate": ["overlap", "lasts"],
  "token revoke": ["for"],
  "passkey list": [],
  "passkey remove": [],
};

/** Of the flags that every command knows: not `--server`, which leads elsewhere. */
const EVERYWHERE: readonly string[] = Object.keys(GLOBAL).filter((it) => it !== "server");

/** These take a text, or `@FILE` to read it from. */
export const READ_FILES = ["context", "input"] as const;

export function isAllowed(name: string): boolean {
  return Object.hasOwn(ALLOWED, name);
}

/** Throws unless these words may be called by ssh. */
export function refuseFlags(command: Command, words: readonly string[]): void {
  const { flags } = readFlags(words, command);
  const allowed = [...EVERYWHERE, ...(ALLOWED[command.name] ?? [])];
  for (const name of Object.keys(flags))
    if (!allowed.includes(name))
      throw usage(`--${name} can't be used by ssh: it is for a shell on the machine itself`, null);
  for (const name of READ_FILES)
    if (/^@(?!@)/.test(String(flags[name] ?? "")))
      throw usage("files of this machine can't be read by ssh", "send the text by stdin, and give - instead");
  if (command.name === "decision request" && flags.project === undefined)
    throw usage("which project is this about?", "oj decision request --project NAME …");
}
