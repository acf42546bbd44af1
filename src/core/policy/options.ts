/**
 * The options of programs that we know: `-rf`, `-r -f` and `--recursive --force` are the same, `git -C dir push` is a
 * push, `npm pu` is a publish. What an option does is in opaque.ts and irreversible.ts.
 */

/** A command line, with its options apart from its operands. */
export interface Shape {
  /** The program and its subcommand. */
  head: string[];
  /** `--name` or `--name=value`; `-x` if it has no long name. */
  options: string[];
  operands: string[];
  /** Whether the meaning of every option is known. */
  isSure: boolean;
}

/**
 * `f/force` is a flag, `o=output` takes a value. Either side may be empty. The table of a subcommand has the key
 * `program subcommand`.
 */
const TABLES: Readonly<Record<string, string>> = {
  cat: "n/number A/show-all b/number-nonblank E/show-ends s/squeeze-blank T/show-tabs v/show-nonprinting",
  chmod: "R/recursive f/silent v/verbose c/changes =reference",
  chown: "R/recursive f/silent v/verbose c/changes h/no-dereference =from =reference",
  cp: "r/recursive R/recursive f/force a/archive i/interactive n/no-clobber p/ u/update v/verbose t=target-directory T/no-target-directory",
  curl: "X=request d=data /fail f/fail s/silent S/show-error L/location o=output O/remote-name H=header F=form T=upload-file I/head k/insecure v/verbose u=user A=user-agent i/include K=config b=cookie c=cookie-jar x=proxy G/get =data-binary =data-raw =data-urlencode =json",
  "git add": "A/all u/update p/patch f/force n/dry-run v/verbose i/interactive N/intent-to-add",
  "git branch":
    "D/delete-force d/delete f/force m/move M/move-force a/all r/remotes v/verbose u=set-upstream-to /list /show-current",
  "git checkout": "b= B= f/force q/quiet t/track /ours /theirs m/merge p/patch /detach =orphan",
  "git clean": "f/force d/ x/ X/ n/dry-run q/quiet i/interactive e=exclude",
  "git commit":
    "m=message a/all /amend q/quiet v/verbose n/no-verify s/signoff F=file C=reuse-message c=reedit-message =author =date /allow-empty /no-edit =fixup =squash S/gpg-sign",
  "git log":
    "n=max-count p/patch /oneline /stat /graph /all /name-only /name-status /merges /no-merges /reverse",
  "git push":
    "f/force n/dry-run d/delete u/set-upstream q/quiet v/verbose o=push-option /force-with-lease /force-if-includes /all /mirror /tags /prune =receive-pack =exec =repo /no-verify /atomic /follow-tags /porcelain 4/ipv4 6/ipv6",
  "git reset": "q/quiet /hard /soft /mixed /merge /keep p/patch N/intent-to-add",
  "git rm": "r/ f/force n/dry-run q/quiet /cached",
  "git stash": "u/include-untracked a/all k/keep-index m=message p/patch q/quiet",
  "git status": "s/short b/branch v/verbose /porcelain /long u/untracked-files z/ /ignored",
  "git tag": "d/delete f/force a/annotate s/sign l/list m=message F=file n/ v/verify",
  grep: "r/recursive R/dereference-recursive i/ignore-case n/line-number v/invert-match E/extended-regexp F/fixed-strings P/perl-regexp l/files-with-matches L/files-without-match c/count w/word-regexp x/line-regexp o/only-matching q/quiet s/no-messages H/with-filename h/no-filename A=after-context B=before-context C=context e=regexp f=file m=max-count =include =exclude =exclude-dir",
  head: "n=lines c=bytes q/quiet v/verbose",
  ls: "l/ a/all A/almost-all h/human-readable t/ r/reverse R/recursive S/ 1/ d/directory F/classify i/inode s/size G/no-group p/ c/ u/ X/",
  mkdir: "p/parents m=mode v/verbose",
  mv: "f/force i/interactive n/no-clobber u/update v/verbose t=target-directory T/no-target-directory",
  npm: "s/silent d/ f/force g/global D/save-dev S/save E/save-exact y/yes w=workspace /workspaces /if-present =tag =access =otp =registry /dry-run /no-audit /no-fund =loglevel =prefix C=prefix",
  rm: "r/recursive R/recursive f/force i/ I/ d/dir v/verbose =interactive /one-file-system /no-preserve-root /preserve-root",
  rmdir: "p/parents v/verbose /ignore-fail-on-non-empty",
  tail: "n=lines c=bytes f/follow F/ q/quiet v/verbose",
  tar: "x/extract c/create t/list z/gzip j/bzip2 J/xz v/verbose f=file C=directory p/preserve-permissions k/keep-old-files O/to-stdout =to-command =exclude =strip-components I=use-compress-program",
  wc: "l/lines w/words c/bytes m/chars L/max-line-length",
};

/** Options before a subcommand that take the next word as their value. */
const GLOBAL_TAKING: Readonly<Record<string, RegExp>> = {
  git: /^(?:-C|-c|--(?:git-dir|work-tree|namespace|exec-path|config-env|super-prefix|attr-source))$/,
  docker: /^(?:-H|-c|-l|--(?:host|context|log-level|config|tls\w+))$/,
  kubectl: /^(?:-n|-s|--(?:namespace|context|kubeconfig|cluster|user|server|as|token))$/,
  gh: /^(?:-R|--repo)$/,
  npm: /^(?:-C|-w|--(?:prefix|workspace|registry|tag|access|otp|userconfig|loglevel|cache))$/,
  pnpm: /^(?:-C|-F|--(?:dir|filter|registry|tag|access|otp))$/,
  yarn: /^--(?:cwd|registry|tag|access|otp)$/,
  cargo: /^(?:-C|-Z|--(?:color|config|manifest-path))$/,
};

const WITH_SUBCOMMANDS = new Set([
  ...Object.keys(GLOBAL_TAKING),
  ..."terraform tofu helm aws gcloud az pulumi cdk fly flyctl vercel netlify wrangler firebase heroku stripe gem poetry uv twine".split(
    " ",
  ),
]);

const NPM_COMMANDS =
  "access adduser audit bugs cache ci completion config dedupe deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund get help help-search hook init install install-ci-test install-test link ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run sbom search set shrinkwrap star stars start stop team test token trust undeprecate uninstall unpublish unstar update version view whoami".split(
    " ",
  );
const NPM_ALIASES: Readonly<Record<string, string>> = {
  add: "install",
  c: "config",
  clean: "ci",
  create: "init",
  i: "install",
  innit: "init",
  isntall: "install",
  list: "ls",
  r: "uninstall",
  remove: "uninstall",
  rm: "uninstall",
  "run-script": "run",
  rum: "run",
  s: "search",
  t: "test",
  tst: "test",
  un: "uninstall",
  unlink: "uninstall",
  up: "update",
  urn: "run",
  v: "view",
  x: "exec",
};

/** Null if the program is unknown: then words are words. */
export function shapeOf(words: readonly string[]): Shape | null {
  const [first = "", ...rest] = words;
  const program = first.replace(/^.*\//s, "").toLowerCase();
  const hasSub = WITH_SUBCOMMANDS.has(program);
  if (!hasSub && !Object.hasOwn(TABLES, program)) return null;
  const before: string[] = [];
  let at = 0;
  if (hasSub)
    for (; at < rest.length && (rest[at] ?? "").startsWith("-"); at++) {
      const word = rest[at] ?? "";
      if (!(program === "git" && word === "-C")) before.push(word);
      if (GLOBAL_TAKING[program]?.test(word)) at++;
    }
  const sub = hasSub ? rest[at++] : undefined;
  const head = sub === undefined ? [program] : [program, subcommand(program, sub)];
  const table = tableOf(head.join(" ")) ?? tableOf(program);
  const read = readOptions([...before, ...rest.slice(at)], table);
  const isKnown = table !== null && (program !== "git" || before.length === 0);
  return { head, ...read, isSure: isKnown && read.isSure };
}

/** npm takes any unambiguous beginning of a command. */
function subcommand(program: string, word: string): string {
  if (program !== "npm" || word.includes("*")) return word;
  if (NPM_COMMANDS.includes(word)) return word;
  if (Object.hasOwn(NPM_ALIASES, word)) return NPM_ALIASES[word] ?? word;
  const [only, ...more] = NPM_COMMANDS.filter((it) => it.startsWith(word));
  return only !== undefined && more.length === 0 ? only : word;
}

interface Table {
  short: Map<string, { name: string; takes: boolean }>;
  long: Map<string, boolean>;
}

const read = new Map<string, Table>();

function tableOf(key: string): Table | null {
  if (!Object.hasOwn(TABLES, key)) return null;
  const known = read.get(key);
  if (known) return known;
  const table: Table = { short: new Map(), long: new Map() };
  for (const spec of TABLES[key]?.split(" ") ?? []) {
    const [, short = "", mark, long = ""] = /^(\w?)([/=])([\w-]*)$/.exec(spec) ?? [];
    const takes = mark === "=";
    if (long !== "") table.long.set(long, takes);
    if (short !== "") table.short.set(short, { name: long === "" ? `-${short}` : `--${long}`, takes });
  }
  read.set(key, table);
  return table;
}

function readOptions(words: readonly string[], table: Table | null): Omit<Shape, "head"> {
  const options: string[] = [];
  const operands: string[] = [];
  let isSure = table !== null;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (word.startsWith("--")) {
      const [name = "", value] = split(word.slice(2));
      const known = longName(table, name);
      if (known === null) isSure = false;
      const takes = known !== null && table?.long.get(known) === true && value === undefined;
      const given = takes ? words[++at] : value;
      options.push(`--${known ?? name}${given === undefined ? "" : `=${given}`}`);
    } else if (/^-[^-]/.test(word)) {
      for (let letter = 1; letter < word.length; letter++) {
        const known = table?.short.get(word[letter] ?? "");
        if (!known) isSure = false;
        const name = known?.name ?? `-${word[letter]}`;
        if (!known?.takes) {
          options.push(name);
          continue;
        }
        const attached = word.slice(letter + 1);
        const value = attached === "" ? words[++at] : attached;
        options.push(value === undefined ? name : `${name}=${value}`);
        break;
      }
    } else operands.push(word);
  }
  return { options, operands, isSure };
}

function split(text: string): [string, string | undefined] {
  const at = text.indexOf("=");
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** The option itself, or the only one that begins like this. */
function longName(table: Table | null, name: string): string | null {
  if (table === null) return null;
  if (table.long.has(name)) return name;
  const [only, ...more] = [...table.long.keys()].filter((it) => it.startsWith(name));
  return only !== undefined && more.length === 0 ? only : null;
}
