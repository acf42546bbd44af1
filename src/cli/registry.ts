/** Every command, by the words that are typed. A command's file is loaded only when it is called. */
import type { Command } from "./base/command.ts";
import type { Load } from "./frequent.ts";
import { frequent } from "./frequent.ts";
import { aliases } from "./is-frequent.ts";

/** In the order of `oj --help`: one line each. */
export const commands: Readonly<Record<string, Load>> = {
  ...frequent,
  "decision review": () => import("./decision/review.ts"),
  "decision request": () => import("./decision/request.ts"),
  "decision await": () => import("./decision/await.ts"),
  "decision claim": () => import("./decision/claim.ts"),
  "decision release": () => import("./decision/release.ts"),
  "decision snooze": () => import("./decision/snooze.ts"),
  "decision undo": () => import("./decision/undo.ts"),
  "decision cancel": () => import("./decision/cancel.ts"),
  "decision dismiss": () => import("./decision/dismiss.ts"),
  "decision templates": () => import("./decision/templates.ts"),
  "decision dashboard": () => import("./decision/dashboard.ts"),
  "decision chain": () => import("./decision/chain.ts"),
  "decision check": () => import("./decision/check.ts"),
  "decision remind": () => import("./decision/remind.ts"),
  "decision auto-close": () => import("./decision/auto-close.ts"),
  "decision watch": () => import("./decision/watch.ts"),
  "decision turn-clear": () => import("./decision/turn-clear.ts"),
  "decision turn-mark": () => import("./decision/turn-mark.ts"),
  "decision turn-check": () => import("./decision/turn-check.ts"),
  "inject add": () => import("./inject/add.ts"),
  "inject drain": () => import("./inject/drain.ts"),
  "inject status": () => import("./inject/status.ts"),
  run: () => import("./run.ts"),
  "job list": () => import("./job/list.ts"),
  "job show": () => import("./job/show.ts"),
  "job logs": () => import("./job/logs.ts"),
  "job wait": () => import("./job/wait.ts"),
  "job cancel": () => import("./job/cancel.ts"),
  "job suspend": () => import("./job/suspend.ts"),
  "job resume": () => import("./job/resume.ts"),
  "job drop": () => import("./job/drop.ts"),
  "job delete": () => import("./job/delete.ts"),
  "job peek": () => import("./job/peek.ts"),
  "job attach": () => import("./job/attach.ts"),
  "crew list": () => import("./crew/list.ts"),
  "crew show": () => import("./crew/show.ts"),
  "crew logs": () => import("./crew/logs.ts"),
  "crew wait": () => import("./crew/wait.ts"),
  "crew cancel": () => import("./crew/cancel.ts"),
  "crew resume": () => import("./crew/resume.ts"),
  "crew drop": () => import("./crew/drop.ts"),
  "crew delete": () => import("./crew/delete.ts"),
  "crew peek": () => import("./crew/peek.ts"),
  "crew attach": () => import("./crew/attach.ts"),
  "agent list": () => import("./agent/list.ts"),
  "agent show": () => import("./agent/show.ts"),
  "agent peek": () => import("./agent/peek.ts"),
  "agent attach": () => import("./agent/attach.ts"),
  "agent logs": () => import("./agent/logs.ts"),
  "agent send": () => import("./agent/send.ts"),
  "agent signal": () => import("./agent/signal.ts"),
  "agent kill": () => import("./agent/kill.ts"),
  stats: () => import("./stats.ts"),
  "mail receive": () => import("./mail/receive.ts"),
  who: () => import("./who.ts"),
  "route explain": () => import("./route/explain.ts"),
  "policy list": () => import("./policy/list.ts"),
  "policy show": () => import("./policy/show.ts"),
  "policy check": () => import("./policy/check.ts"),
  "policy accept": () => import("./policy/accept.ts"),
  "policy on": () => import("./policy/on.ts"),
  "policy off": () => import("./policy/off.ts"),
  "policy log": () => import("./policy/log.ts"),
  "policy explain": () => import("./policy/explain.ts"),
  "policy remember": () => import("./policy/remember.ts"),
  "policy suggest": () => import("./policy/suggest.ts"),
  "policy try": () => import("./policy/try.ts"),
  "beads status": () => import("./beads/status.ts"),
  "beads sync": () => import("./beads/sync.ts"),
  "channel list": () => import("./channel/list.ts"),
  "channel add": () => import("./channel/add.ts"),
  "channel test": () => import("./channel/test.ts"),
  "machine list": () => import("./machine/list.ts"),
  "machine forget": () => import("./machine/forget.ts"),
  "store status": () => import("./store/status.ts"),
  "store verify": () => import("./store/verify.ts"),
  "store init": () => import("./store/init.ts"),
  "store copy": () => import("./store/copy.ts"),
  "store backup": () => import("./store/backup.ts"),
  "store restore": () => import("./store/restore.ts"),
  "audit verify": () => import("./audit/verify.ts"),
  "audit show": () => import("./audit/show.ts"),
  "audit erase": () => import("./audit/erase.ts"),
  "audit checkpoint": () => import("./audit/checkpoint.ts"),
  "audit export": () => import("./audit/export.ts"),
  person: () => import("./people/person.ts"),
  "person remove": () => import("./people/remove.ts"),
  invite: () => import("./people/invite.ts"),
  "role grant": () => import("./role/grant.ts"),
  "role revoke": () => import("./role/revoke.ts"),
  "token create": () => import("./token/create.ts"),
  "token approve": () => import("./token/approve.ts"),
  "token deny": () => import("./token/deny.ts"),
  "token list": () => import("./token/list.ts"),
  "token rotate": () => import("./token/rotate.ts"),
  "token revoke": () => import("./token/revoke.ts"),
  "passkey add": () => import("./passkey/add.ts"),
  "passkey list": () => import("./passkey/list.ts"),
  "passkey remove": () => import("./passkey/remove.ts"),
  serve: () => import("./serve/serve.ts"),
  ssh: () => import("./ssh/ssh.ts"),
  login: () => import("./context/login.ts"),
  logout: () => import("./context/logout.ts"),
  "context list": () => import("./context/list.ts"),
  "context use": () => import("./context/use.ts"),
  web: () => import("./web.ts"),
  mcp: () => import("./mcp.ts"),
  "runbook list": () => import("./runbook/list.ts"),
  "runbook check": () => import("./runbook/check.ts"),
  "runbook simulate": () => import("./runbook/simulate.ts"),
  "runbook test": () => import("./runbook/test.ts"),
  quiet: () => import("./quiet.ts"),
  init: () => import("./init.ts"),
  demo: () => import("./demo.ts"),
  doctor: () => import("./doctor.ts"),
  completion: () => import("./completion.ts"),
  uninstall: () => import("./uninstall.ts"),
  "daemon start": () => import("./daemon/start.ts"),
  "daemon stop": () => import("./daemon/stop.ts"),
  "daemon restart": () => import("./daemon/restart.ts"),
  "daemon status": () => import("./daemon/status.ts"),
  "daemon logs": () => import("./daemon/logs.ts"),
  __complete: () => import("./complete.ts"),
  __hook: () => import("./session-hook.ts"),
};

/** Left out of help, completion and suggestions. */
const hidden: ReadonlySet<string> = new Set(["__complete", "__hook"]);

/** Called by hooks and agents more than by people: not on the first screen of help. */
export const forPrograms: ReadonlySet<string> = new Set([
  "decision turn-clear",
  "decision turn-mark",
  "decision turn-check",
]);

/** What a group of commands is about. */
export const groups: Readonly<Record<string, string>> = {
  decision: "see what is waiting for an answer, and answer it",
  job: "runs of a runbook's jobs",
  crew: "standing agents outside any job",
  agent: "coding agents at work",
  inject: "messages for sessions that oj did not start",
  runbook: "the project's runbooks",
  mail: "what mail servers hand over",
  route: "who hears of a decision",
  policy: "rules that answer in your place",
  beads: "decisions mirrored as beads",
  channel: "ways to reach people: Slack, mail, push and more",
  machine: "machines that share the inbox",
  store: "where everything is kept: copy it, back it up, check it",
  audit: "prove who decided what, and that nothing was changed",
  role: "what people may do, in a project or everywhere",
  token: "tokens that stand for people",
  passkey: "what people sign answers with that can't be undone",
  context: "the machines that commands can go to",
  daemon: "the background program that keeps it all going",
};

/** Needed once, or seldom: they share a line of `oj --help`. */
export const seldom: ReadonlySet<string> = new Set([
  "stats",
  "inject",
  "runbook",
  "mcp",
  "who",
  "route",
  "policy",
  "mail",
  "machine",
  "store",
  "audit",
  "person",
  "invite",
  "role",
  "token",
  "passkey",
  ...["serve", "ssh", "login", "logout", "context"],
  "beads",
  "daemon",
  "demo",
  "quiet",
  "completion",
  "uninstall",
]);

/** How `oj --help` orders the first words. One that is named nowhere comes last. */
export const sections: Readonly<Record<string, readonly string[]>> = {
  Decide: ["status", "decision", "web", "stats", "policy", "quiet"],
  Work: ["run", "job", "crew", "agent", "inject", "runbook", "mcp"],
  "Set up": [
    "init",
    "demo",
    "channel",
    "doctor",
    "who",
    "route",
    "mail",
    "machine",
    "store",
    "audit",
    "person",
    "invite",
    "role",
    "token",
    "passkey",
    ...["serve", "ssh", "login", "logout", "context"],
    "beads",
    "daemon",
    "completion",
    "uninstall",
  ],
};

export function isCommand(name: string): boolean {
  return Object.hasOwn(commands, name) || Object.hasOwn(aliases, name);
}

export function isGroup(name: string): boolean {
  return name !== "" && Object.keys(commands).some((it) => it.startsWith(`${name} `));
}

/** The names that people may be shown, of one group or of all. */
export function namesIn(group = ""): string[] {
  const start = group === "" ? "" : `${group} `;
  return Object.keys(commands).filter((name) => name.startsWith(start) && !hidden.has(name));
}

export async function loadCommand(name: string): Promise<Command> {
  const load = commands[aliases[name] ?? name];
  if (!load) throw new Error(`no command ${name}`);
  return (await load()).command;
}

export async function loadAll(): Promise<Command[]> {
  return Promise.all(namesIn().map(loadCommand));
}
