/** The only reader of the environment and of config files. Config is read once, frozen and passed down. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { sessionVariables } from "./agents/known/setups.ts";
import type { Settings, SettingsFile } from "./settings.ts";
import { ConfigError, defaults, merge, readSettings } from "./settings.ts";

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

type Env = Record<string, string | undefined>;

interface Given {
  project?: string | undefined;
  lenient?: boolean | undefined;
  /** Called with everything that is looked at, before it is: for whether it is there, or for what it says. */
  saw?: (file: string, what: "there" | "text") => void;
}

export function loadConfig(env: Env, cwd: string, given: Given = {}): Readonly<Config> {
  const home = homeOf(env);
  const stateDir = path.resolve(
    env.OJ_STATE_DIR || path.join(env.XDG_STATE_HOME || path.join(home, ".local/state"), "oj"),
  );
  const root = findRoot(cwd, given.saw);
  const problems: string[] = [];
  const read = (file: string, isProject: boolean): SettingsFile => {
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

/** In a container the user id may have no home. Then it is "/": what can't be written there is told in plain words. */
export function homeOf({ HOME }: Env): string {
  try {
    return HOME || os.homedir();
  } catch {
    return "/";
  }
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    // in a container the user id may have no name, or there may be no descriptor left to look it up
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
