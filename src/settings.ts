/** What config files may say, with its defaults; how a file is read and checked. `config.ts` says which files. */
import fs from "node:fs";
import { parse } from "smol-toml";
import { parseDuration } from "./core/text/duration.ts";
import { unsafeIn } from "./core/text/safe-text.ts";

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
const REACH_SECTIONS = [
  "person",
  "group",
  "rota",
  "channel",
  "route",
  "web",
  "oidc",
  "ssh",
  "proxy",
  "tailscale",
];

/** A project must not move anybody's log, nor say what their machine is called or whose it is. */
const PERSONAL_KEYS = [
  ["store", "url"],
  ["store", "password_file"],
  ...(["name", "owner"] as const).map((it) => ["machine", it] as const),
] as const;

export class ConfigError extends Error {}

/** What one file says. */
export interface SettingsFile {
  project: string | null;
  settings: Record<string, Record<string, unknown>>;
}

export function readSettings(file: string, isProject: boolean): SettingsFile {
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
  return { project, settings: parsed as SettingsFile["settings"] };
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

/** What is counted: half of one is nothing that could be kept, and half an event is none that the log could begin with. */
const WHOLE = [
  "jobs.max_entries",
  "limits.streams",
  "log.keep",
  "history.max_decisions",
  "store.snapshot_every",
  "store.keep_events",
];
const LEVELS = ["debug", "info", "warn", "error"];

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
      if (name === "log.level" && !LEVELS.includes(value as string))
        throw new ConfigError(`${file}: ${name} must be one of ${LEVELS.join(", ")}`);
      const isOdd = typeof value === "number" && !isUsable(name, value);
      if (typeof value === typeof wanted[key] && !isTooSmall && !isOdd) continue;
      const number = WHOLE.includes(name) ? `whole ${least}` : least;
      const kind = typeof wanted[key] === "number" ? number : typeof wanted[key];
      throw new ConfigError(`${file}: ${name} must be a ${kind}`);
    }
  }
}

function isUsable(name: string, value: number): boolean {
  return WHOLE.includes(name) ? Number.isSafeInteger(value) : Number.isFinite(value);
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

/** The settings of a file win over what they are merged into. */
export function merge(base: Settings, over: SettingsFile["settings"]): Settings {
  const known: Record<string, Record<string, unknown>> = base;
  return Object.fromEntries(
    Object.entries(known).map(([section, keys]) => [section, { ...keys, ...over[section] }]),
  ) as Settings;
}
