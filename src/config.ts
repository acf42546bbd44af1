/** The only reader of the environment and of config files. Config is read once, frozen and passed down. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parse } from "smol-toml";
import { sessionVariables } from "./agents/known/setups.ts";
import { parseDuration } from "./core/text/duration.ts";
import { unsafeIn } from "./core/text/safe-text.ts";

export interface Config {
  /** The folder with the log, the socket and the jobs' files. */
  stateDir: string;
  socket: string;
  /**
   * The folder where the command was called, and the project's: the nearest folder from there up that has `.oj` (if
   * none has, `.git`; if none has that either, `cwd`).
   */
  cwd: string;
  root: string;
  project: string;
  user: string;
  home: string;
  /** What people call this machine. */
  machine: string;
  /** The environment as it was given, for the jobs that this shell starts. */
  env: Readonly<Record<string, string>>;
  /** If we run in an agent's terminal: the agent's id, and the token that proves it. */
  agent: string | undefined;
  agentToken: string | undefined;
  /** The token of a person, for a daemon on another machine. */
  token: string | undefined;
  /** If we run in a tool of a session that oj did not start: the id that its client gave the session. */
  session: string | undefined;
  /** If we run in a step of a job: the job and the run. */
  run: string | undefined;
  /** False: we certainly don't run in a session, as an empty OJ_SESSION says. */
  mayBeSession: boolean;
  noColor: boolean;
  settings: Settings;
  /** What is wrong with a config file, for callers that can do without it. */
  problem: string | null;
}

export type Settings = typeof defaults;

/** What config files may set, with the defaults. */
export const defaults = {
  jobs: {
    /** How often a step may be entered before the job counts as looping. */
    max_entries: 5,
    /** Seconds that a decision's context command may take. */
    context_timeout_s: 30,
    /** Kilobytes kept of a context command's output. */
    context_max_kb: 64,
    /** Megabytes kept of a job's output; the oldest half goes first. */
    log_max_mb: 10,
    /** Seconds between asking a process group to end and killing it. */
    kill_after_s: 5,
  },
  agents: {
    /** How long an agent may be at work without printing or reporting anything before a person is asked. */
    hung_after: "10m",
  },
  decisions: {
    /** How long a decision may be pending before it counts as stale. */
    stale_after: "24h",
    /** How long a request may be pending before it expires by itself; "never": it doesn't. */
    auto_close: "never",
  },
  limits: {
    /** Largest request body, in kilobytes. */
    body_kb: 1024,
    /** Requests for a decision that one requester may make in a minute. */
    requests_per_minute: 600,
    /** Event streams open at once. */
    streams: 256,
  },
  /** Seconds in which an answer can be undone before it goes out, by the door it came through. */
  undo: {
    watch_s: 5,
    web_s: 5,
    cli_s: 0,
    api_s: 0,
    slack_s: 0,
    mail_s: 0,
    push_s: 0,
    ntfy_s: 0,
    telegram_s: 0,
  },
  notices: {
    /** True: nothing rings, pops up or shows on the desktop. The inboxes and their counts stay as they are. */
    quiet: false,
  },
  beads: {
    /** True: decisions are mirrored as beads, where a project has a folder `.beads` (docs/beads.md). */
    mirror: false,
  },
  log: {
    /** debug, info, warn or error. */
    level: "info",
    max_mb: 10, // of a log file before it is rotated
    keep: 3, // rotated files kept
  },
  history: {
    /** Days that an ended job and a settled request can still be looked at. */
    keep_days: 90,
    /** The most settled decisions that are kept; the oldest go first. */
    max_decisions: 20_000,
  },
  machine: {
    /** What people call this machine; empty: its host's name. */
    name: "",
    owner: "", // who its own user is, for rules about who may answer; empty: the user's own name
  },
  store: {
    /** Where the team's store is, "postgres://user@host/database"; empty: SQLite in the state folder. */
    url: "",
    /** The file with its password, if neither the URL nor PGPASSWORD has it. */
    password_file: "",
    snapshot_every: 20_000, // events after which a snapshot is made
    /** Events that stay readable behind the newest snapshot, for resumed streams and for the audit. */
    keep_events: 1_000_000,
  },
};

/** People, channels and routes, which `reach-config/` reads: only the daemon and a few commands need them. */
const REACH_SECTIONS = ["person", "group", "rota", "channel", "route", "web", "oidc"];

/** A project must not move anybody's log, nor say what their machine is called or whose it is. */
const PERSONAL_KEYS = [
  ["store", "url"],
  ["store", "password_file"],
  ...(["name", "owner"] as const).map((it) => ["machine", it] as const),
] as const;

export class ConfigError extends Error {}

type Env = Record<string, string | undefined>;

interface Given {
  project?: string | undefined;
  lenient?: boolean | undefined;
  /** Called with everything that is looked at, before it is: for whether it is there, or for what it says. */
  saw?: (file: string, what: "there" | "text") => void;
}

export function loadConfig(env: Env, cwd: string, given: Given = {}): Readonly<Config> {
  const home = env.HOME || os.homedir();
  const stateDir = path.resolve(
    env.OJ_STATE_DIR || path.join(env.XDG_STATE_HOME || path.join(home, ".local/state"), "oj"),
  );
  const root = findRoot(cwd, given.saw);
  const problems: string[] = [];
  const read = (file: string, isProject: boolean): File => {
    given.saw?.(file, "text");
    try {
      return readSettings(file, isProject);
    } catch (error) {
      if (!given.lenient || !(error instanceof ConfigError)) throw error;
      problems.push(error.message);
      return { project: null, settings: {} };
    }
  };
  const personal = read(personalFile(env, home), false);
  const own = read(path.join(root, ".oj/config.toml"), true);
  const settings = Object.freeze(withStore(merge(merge(defaults, personal.settings), own.settings), env));
  // what our agents and steps ask belongs to them, wherever the job was started
  const isOurs = Boolean(env.OJ_AGENT || env.OJ_RUN);
  return Object.freeze({
    stateDir,
    socket: path.join(stateDir, "oj.sock"),
    cwd,
    root,
    project: given.project || env.OJ_PROJECT || own.project || path.basename(root) || "root",
    user: env.OJ_USER || env.USER || env.LOGNAME || userName(),
    home,
    machine: env.OJ_MACHINE || settings.machine.name || os.hostname(),
    env: Object.freeze(
      Object.fromEntries(Object.entries(env).filter((it): it is [string, string] => it[1] !== undefined)),
    ),
    agent: env.OJ_AGENT || undefined,
    agentToken: env.OJ_AGENT_TOKEN || undefined,
    token: env.OJ_TOKEN || undefined,
    run: env.OJ_JOB && env.OJ_RUN ? `${env.OJ_JOB}/${env.OJ_RUN}` : undefined,
    session: (!isOurs && (env.OJ_SESSION ?? sessionIn(env))) || undefined,
    mayBeSession: !isOurs && env.OJ_SESSION !== "",
    noColor: (env.NO_COLOR ?? "") !== "",
    problem: problems.join("; ") || null,
    settings,
  });
}

function withStore(settings: Settings, { OJ_STORE_URL: url }: Env): Settings {
  return url ? { ...settings, store: { ...settings.store, url } } : settings;
}

/** Where the settings of a person are. */
export function personalFile(env: Env, home: string): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(home, ".config"), "oj/config.toml");
}

/** Whether the person wants no notices now. The file is read again: `oj quiet` needs no restart of the daemon. */
export function isQuietNow({ env, cwd }: Pick<Config, "env" | "cwd">): boolean {
  return loadConfig(env, cwd, { lenient: true }).settings.notices.quiet;
}

function findRoot(cwd: string, saw: Given["saw"]): string {
  const isThere = (file: string) => {
    saw?.(file, "there");
    return fs.existsSync(file);
  };
  let git: string | null = null;
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    if (isThere(path.join(dir, ".oj"))) return dir;
    if (git === null && isThere(path.join(dir, ".git"))) git = dir;
    if (dir === path.dirname(dir)) return git ?? cwd;
  }
}

/** The id of a session that oj did not start, as its client gives it. */
function sessionIn(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return sessionVariables.map((it) => env[it]).find((it) => it !== undefined);
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    // in a container the user id may have no name, or there may be no descriptor left to look it up
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

interface File {
  project: string | null;
  settings: Record<string, Record<string, unknown>>;
}

function readSettings(file: string, isProject = false): File {
  let text: string;
  try {
    // Checked first, because most people have no such file and an exception takes longer.
    if (!fs.statSync(file, { throwIfNoEntry: false })) return { project: null, settings: {} };
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { project: null, settings: {} };
    throw new ConfigError(`${file} can't be read: ${(error as Error).message}`);
  }
  let parsed: Record<string, unknown>;
  try {
    parsed = parse(text);
  } catch (error) {
    throw new ConfigError(`${file} is not TOML: ${(error as Error).message.trim()}`);
  }
  const project = isProject ? projectName(file, parsed.project) : null;
  if (isProject) delete parsed.project;
  for (const section of REACH_SECTIONS) {
    if (isProject && section in parsed) throw notHere(file, section);
    delete parsed[section];
  }
  checkKeys(file, parsed);
  for (const [section, key] of PERSONAL_KEYS)
    if (isProject && Object.hasOwn((parsed[section] as object | undefined) ?? {}, key))
      throw notHere(file, `${section}.${key}`);
  return { project, settings: parsed as File["settings"] };
}

function notHere(file: string, section: string): ConfigError {
  return new ConfigError(
    `${file}: "${section}" belongs in your own settings, ~/.config/oj/config.toml; agents can write a project's files`,
  );
}

function projectName(file: string, section: unknown): string | null {
  if (section === undefined) return null;
  const name = (section as Record<string, unknown>).name;
  const others = Object.keys(section as object).filter((it) => it !== "name");
  if (others.length > 0) throw unknownKey(file, `project.${others[0]}`, ["project.name"]);
  if (typeof name !== "string" || name.trim() === "")
    throw new ConfigError(`${file}: project.name must be a non-empty string`);
  const unsafe = unsafeIn(name);
  if (unsafe !== null) throw new ConfigError(`${file}: project.name ${unsafe}`);
  return name;
}

const NEVER = "never";
const AUTO_CLOSE = "decisions.auto_close";
const DURATIONS = ["agents.hung_after", "decisions.stale_after", AUTO_CLOSE];

/** Checks that every key has a default, and every value the default's type. */
function checkKeys(file: string, parsed: Record<string, unknown>): void {
  const known: Record<string, Record<string, unknown>> = defaults;
  const all = Object.entries(known).flatMap(([section, keys]) =>
    Object.keys(keys).map((it) => `${section}.${it}`),
  );
  for (const [section, values] of Object.entries(parsed)) {
    const wanted = known[section];
    if (!wanted || typeof values !== "object" || values === null)
      throw unknownKey(file, section, [...Object.keys(known), ...REACH_SECTIONS]);
    for (const [key, value] of Object.entries(values)) {
      const name = `${section}.${key}`;
      if (!Object.hasOwn(wanted, key)) throw unknownKey(file, name, all);
      const least = section === "undo" ? "number from 0 up" : "number above 0"; // no undo at all is a valid choice
      const isTooSmall = typeof value === "number" && !(section === "undo" ? value >= 0 : value > 0);
      if (DURATIONS.includes(name) && durationMs(value) === null && !(name === AUTO_CLOSE && value === NEVER))
        throw new ConfigError(
          `${file}: ${name} must be a duration of at least a second, like "10m"${name === AUTO_CLOSE ? `, or "${NEVER}"` : ""}`,
        );
      if (typeof value === typeof wanted[key] && !isTooSmall) continue;
      const kind = typeof wanted[key] === "number" ? least : typeof wanted[key];
      throw new ConfigError(`${file}: ${name} must be a ${kind}`);
    }
  }
}

/** Null if it is not a duration, or shorter than a second. */
function durationMs(value: unknown): number | null {
  const ms = typeof value === "string" ? (parseDuration(value) ?? 0) : 0;
  return ms >= 1000 ? ms : null;
}

/** How long an agent may be silent unless its runbook says otherwise. */
export function hungAfterMs({ agents }: Settings): number {
  return durationMs(agents.hung_after) ?? 600_000;
}

/** How long a decision may be pending before it counts as stale. */
export function staleAfterMs({ decisions }: Settings): number {
  return durationMs(decisions.stale_after) ?? 86_400_000;
}

/** How long a request may be pending before it expires by itself; null: it doesn't. */
export function autoCloseMs({ decisions }: Settings): number | null {
  return durationMs(decisions.auto_close);
}

function unknownKey(file: string, key: string, known: string[]): ConfigError {
  const near = known.find((it) => it.startsWith(key.slice(0, 4)) || it.endsWith(key.slice(-4)));
  return new ConfigError(
    `${file}: Unknown setting "${key}"${near ? `; did you mean "${near}"?` : `; the settings are ${known.join(", ")}`}`,
  );
}

function merge(base: Settings, over: File["settings"]): Settings {
  const known: Record<string, Record<string, unknown>> = base;
  return Object.fromEntries(
    Object.entries(known).map(([section, keys]) => [section, { ...keys, ...over[section] }]),
  ) as Settings;
}
