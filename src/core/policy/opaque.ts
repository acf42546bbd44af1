/**
 * What an approval can't see through: words that are known only when the line runs, and programs and options that run
 * something else. Whatever is listed here goes to a person, even if a pattern fits.
 */
import type { Word } from "../script/flow.ts";
import { isAwk, isInterpreter, isShell, isSpecialCommand } from "../script/known.ts";
import type { SeenCommand } from "../script/simple.ts";
import { isAssignment } from "../script/words.ts";

/** Why nobody can tell what this command does; null if its words say it. */
export function whyOpaque(command: SeenCommand): string | null {
  let why = known.get(command);
  if (why === undefined) {
    why = readOpaque(command);
    known.set(command, why);
  }
  return why;
}

/** Every policy asks about the same commands. */
const known = new WeakMap<SeenCommand, string | null>();

function readOpaque({ words, documents, redirections }: SeenCommand): string | null {
  if (documents.length > 0) return "it has a here-document";
  const [here] = redirections.filter((it) => it.operator === "<<<");
  if (here) return "it has a here-string";
  const [first] = words;
  if (!first) return "there is no command";
  const first_at = words.findIndex((it) => !isAssignment(it.text));
  for (const it of first_at === -1 ? words : words.slice(0, first_at)) {
    if (!HARMLESS.test(it.text)) return `it sets ${it.text.split("=")[0]}`;
  }
  if (first_at === -1) return "there is no command";
  const call = words.slice(first_at);
  for (const it of call) {
    const why = whyUnknown(it);
    if (why !== null) return why;
  }
  const [program = "", ...args] = call.map((it) => it.literal ?? "");
  return whyProgram(program, args);
}

/** Variables that choose a colour or a mode, and nothing that is run or read. */
const HARMLESS = /^(?:CI|NO_COLOR|FORCE_COLOR|NODE_ENV|COLUMNS|LINES)=[\w.-]*$/;

/** Words that bash or another shell changes before the program gets them. */
export function whyUnknown({ text, literal, splits }: Word): string | null {
  if (literal === null || splits) return `${shown(text)} is known only when it runs`;
  if (/[\p{C}\p{Z}]/u.test(literal.replaceAll(/[ \t\n]/g, ""))) return "it has characters that can't be seen";
  if (/^(?:=|~[^/]|.*[=:]~)/s.test(text) || /\$["']/.test(text))
    return `${shown(text)} is known only when it runs`;
  return null;
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function whyProgram(program: string, args: readonly string[]): string | null {
  const name = program.replace(/^.*\//s, "");
  const read = READERS[name];
  if (read) {
    const why = read(args);
    if (why !== null) return why;
  } else if (isAwk(name)) {
    const why = whyAwk(args);
    if (why !== null) return why;
  } else if (isInterpreter(name)) {
    const why = whyInterpreter(name, args);
    if (why !== null) return why;
  } else if (isShell(name) || isSpecialCommand(program) || RUNNERS.has(name)) {
    return `${name} runs what it is given`;
  }
  for (const arg of args) {
    const option = runningOption(name, arg);
    if (option !== null) return `${option} of ${name} may run another program or another configuration`;
  }
  return null;
}

/** Programs whose job is to run something else, or whose own language can. */
const RUNNERS = new Set(
  (
    "awk ed emacs ex gdb less lldb more nano nvim pico vi view vim vimdiff rvim man info " +
    "eval exec source alias bind trap coproc sudo doas su env xargs parallel entr dbus-run-session start-stop-daemon " +
    "systemctl systemd-run crontab at batch osascript open xdg-open npx pnpx bunx uvx pipx dotenv direnv nix nix-shell " +
    "docker podman kubectl ssh scp sftp rsync mosh telnet nc ncat socat m4 cc1 ld sqlite3 psql mysql redis-cli mongosh ftp"
  ).split(" "),
);

/** Programs whose arguments are read one by one; null: nothing in them runs anything else. */
const READERS: Readonly<Record<string, (args: readonly string[]) => string | null>> = {
  find: (args) => {
    const action = args.find((it) =>
      /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|files0-from)$/.test(it),
    );
    return action === undefined ? null : `${action} of find does more than look`;
  },
  sed: whySed,
  gsed: whySed,
  jq: (args) =>
    args.some((it) => /^(?:-[a-zA-Z]*[fL]|--from-file)/.test(it)) ? "jq reads its program from a file" : null,
  make: whyMake,
  gmake: whyMake,
  git: whyGit,
  npm: whyNpm,
  pnpm: whyNpm,
  yarn: whyNpm,
  go: (args) =>
    args.includes("generate") || args.includes("run") || args.includes("tool")
      ? "go runs what it is given"
      : null,
  tar: (args) =>
    args.some(
      (it) => /^-?[A-Za-z]*[IF]/.test(it) || /^--(?:to-|use-|checkpoint|rsh|info|new-vol|rmt|wild)/.test(it),
    )
      ? "an option of tar may run another program"
      : null,
  sort: (args) =>
    args.some((it) => /^--(?:comp|o|t)/.test(it) || /^-[a-zA-Z]*[oT]/.test(it))
      ? "an option of sort writes or runs"
      : null,
  cd: (args) =>
    args.length === 1 && !/^-/.test(args[0] ?? "-") ? null : "cd without a folder goes anywhere",
  bun: (args) =>
    /^(?:test|--version|install|run|pm)$/.test(args[0] ?? "") ? null : "bun runs what it is given",
  deno: (args) =>
    /^(?:test|lint|fmt|check|--version)$/.test(args[0] ?? "") ? null : "deno runs what it is given",
};

/** One command that prints, deletes or replaces text in a line: nothing that writes a file or runs one. */
const SED_SCRIPT =
  /^(?:(?:\d+|\$)(?:,(?:\+?\d+|\$))?[pdq=]|s([/|#,:@%])(?:(?!\1)[^\\\n])*\1(?:(?!\1)[^\\\n])*\1[gIp\d]*)$/;

function whySed(args: readonly string[]): string | null {
  const [script] = args.filter((it) => !it.startsWith("-"));
  const options = args.filter((it) => it.startsWith("-"));
  if (options.some((it) => !/^-[nErsz]+$/.test(it))) return "an option of sed may write or run";
  return script !== undefined && SED_SCRIPT.test(script) ? null : "sed's script may write or run";
}

function whyAwk(args: readonly string[]): string | null {
  const rest = [...args];
  while (/^-[Fv]/.test(rest[0] ?? "")) rest.splice(0, (rest[0] ?? "").length > 2 ? 1 : 2);
  const [script = "-"] = rest;
  return /^-|[|>@`]|system|getline|printf?\s*\(?.*"\s*\||close|fflush|ENVIRON/.test(script)
    ? "awk's program may write or run"
    : null;
}

const HARMLESS_FLAGS: Readonly<Record<string, RegExp>> = {
  node: /^(?:--test|--version|-v|--check)$/,
  python: /^(?:-[uBVIs]|--version|-m)$/,
};

function whyInterpreter(name: string, args: readonly string[]): string | null {
  const family = name.startsWith("py") ? "python" : name;
  const at = args.findIndex((it) => !it.startsWith("-"));
  const options = at === -1 ? args : args.slice(0, at);
  const flags = HARMLESS_FLAGS[family];
  if (args.length === 0 || args[0] === "-") return `${name} runs what it is given`;
  if (options.some((it) => !flags?.test(it))) return `${name} runs what it is given`;
  return null;
}

function whyMake(args: readonly string[]): string | null {
  const other = args.find(
    (it) =>
      it.includes("=") ||
      (it.startsWith("-") && !/^(?:-j\d*|-[ksnB]+|--silent|--keep-going|--dry-run)$/.test(it)),
  );
  return other === undefined ? null : `${shown(other)} may change what make runs`;
}

/** Before the subcommand only `-C` and what is about paging; after it nothing that runs, configures or writes elsewhere. */
function whyGit(args: readonly string[]): string | null {
  let at = 0;
  for (; (args[at] ?? "").startsWith("-"); at++) {
    const word = args[at] ?? "";
    if (word === "-C") at++;
    else if (!/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--version)$/.test(word))
      return `${shown(word)} of git may run another program`;
  }
  const [sub = "", next = ""] = args.slice(at);
  if (GIT_RUNS.has(sub)) return `git ${sub} may run another program`;
  if (sub === "bisect" && next === "run") return "git bisect run runs what it is given";
  if (sub === "submodule" && args.includes("foreach")) return "git submodule foreach runs what it is given";
  if (sub === "grep" && args.some((it) => /^-[a-zA-Z]*O/.test(it))) return "git grep -O runs a program";
  if (sub === "rebase" && args.some((it) => /^-[a-z]*[xi]/.test(it)))
    return "git rebase may run what it is given";
  if (
    /^(?:clone|fetch|pull|ls-remote|archive)$/.test(sub) &&
    args.some((it) => /^-[a-zA-Z]*[uo]|::|^ext:/.test(it))
  )
    return `git ${sub} may run another program`;
  return null;
}

const GIT_RUNS = new Set(
  "config alias filter-branch difftool mergetool instaweb daemon shell upload-pack receive-pack send-email help web--browse credential remote-ext fsmonitor--daemon hook maintenance".split(
    " ",
  ),
);

/** What follows `--` goes to the script; before it, only what chooses among the project's own packages. */
function whyNpm(args: readonly string[]): string | null {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  if (own.some((it) => /^(?:exec|x|dlx|explore|config|c|set|edit)$/.test(it)))
    return "npm runs what it is given";
  const other = own.find(
    (it) =>
      it.startsWith("-") &&
      !/^(?:-s|--silent|--if-present|-w|--workspace(?:=.*)?|--workspaces|-ws|--no-audit|--no-fund|--loglevel=\w+|--version|-v|--fix|--quiet|--run|--watch=false|--coverage)$/.test(
        it,
      ),
  );
  return other === undefined ? null : `${shown(other)} may change what npm runs`;
}

/**
 * Options with which a program runs another one, or takes its settings from elsewhere. Most programs accept the
 * beginning of a name as well.
 */
const RUNNING =
  "ask-pass checkpoint-action cmd command compress-program compressor-program config config-env config-file engine eval exec exec-path execute ext-diff extcmd filter globalSetup hostname-bin import info-script init-file inspect interpreter loader new-volume-script node-options open-files-in-pager output pager plugin post-file pre preload program rcfile receive-pack require rmt-command rsh rsh-command rsync-path rulesdir run script script-shell setup setupFiles setupFilesAfterEnv shell ssh ssh-command textconv to-command toolexec transform upload-pack use-askpass use-compress-program userconfig vettool".split(
    " ",
  );

function runningOption(program: string, arg: string): string | null {
  const [, dashes, name = ""] = /^(--?)([A-Za-z][\w-]*)/.exec(arg) ?? [];
  if (dashes === undefined) return null;
  if (dashes === "-") {
    if (/^(?:exec|toolexec|vettool|overlay)$/.test(name)) return `-${name}`; // of go
    const letters = SHORT_RUNNING[program];
    const found = letters === undefined ? undefined : [...name].find((it) => letters.includes(it));
    return found === undefined ? null : `-${found}`;
  }
  const isAbbreviated = GETOPT.has(program);
  const found = RUNNING.find(
    (it) => it === name || (isAbbreviated && name.length > 1 && it.startsWith(name)),
  );
  return found === undefined ? null : `--${name}`;
}

/** Programs that take the beginning of an option's name. */
const GETOPT = new Set(
  "git tar sort grep diff ls cp mv rm cat head tail wc du split curl wget zip date tee patch".split(" "),
);

/** Letters of short options that run something, write a file, or read their settings from one. */
const SHORT_RUNNING: Readonly<Record<string, string>> = {
  curl: "KoOT",
  wget: "eOiP",
  zip: "T",
  pytest: "pco",
  eslint: "cof",
  date: "s",
  split: "",
  rg: "",
  tree: "o",
  patch: "o",
  tee: "",
};
