/** The commands that the reader knows, by what they do with their arguments. */

/** All builtins of bash 5.2 (`compgen -b`); `for` and the like are left to the grammar. */
export const BUILTINS = new Set(
  (
    ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval " +
    "exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read " +
    "readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait"
  ).split(" "),
);

/** Builtins that take their arguments as text, or as numbers that they don't evaluate. */
export const TEXT_BUILTINS = new Set(
  ": true false echo cd pushd pwd exit return shift break continue kill umask ulimit type".split(" "),
);

export const isShell = (name: string): boolean =>
  /^(?:r?bash|sh|dash|ash|k?sh|[mpl]?ksh(?:93)?|zsh|fish|csh|tcsh|yash)$/.test(name);

/** Languages whose program may be an argument or the input. */
export const isInterpreter = (name: string): boolean =>
  /^(?:python[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|luajit|osascript|Rscript|R|tclsh|expect|guile|groovy|pwsh)$/.test(
    name,
  );

export const isAwk = (name: string): boolean => /^(?:[gmn]?awk|busybox-awk)$/.test(name);

/** Programs that join their arguments into a line that a shell reads, here or elsewhere. */
export const JOINERS = new Set(
  "watch parallel su runuser script tmux screen at batch mosh rsh pdsh dsh sshpass wsl expect".split(" "),
);

/**
 * Programs that run their arguments: which of their options take a value, and how many words come before the command.
 */
export const PREFIXES: Readonly<Record<string, { taking?: string; operands?: number }>> = {
  builtin: {},
  busybox: {},
  caffeinate: { taking: "tw" },
  chronic: {},
  chroot: { operands: 1 },
  chrt: { operands: 1 },
  command: {},
  doas: { taking: "uC" },
  env: { taking: "uC" },
  exec: { taking: "a" },
  flock: { taking: "wE", operands: 1 },
  gosu: { operands: 1 },
  gtimeout: { taking: "ks", operands: 1 },
  ionice: { taking: "cnp" },
  ltrace: { taking: "eopsu" },
  nice: { taking: "n" },
  nohup: {},
  setsid: {},
  stdbuf: { taking: "ioe" },
  strace: { taking: "eopsPuE" },
  sudo: { taking: "ugpChrtTUDR" },
  systemd_run: { taking: "puM" },
  taskset: { operands: 1 },
  time: { taking: "fo" },
  timeout: { taking: "ks", operands: 1 },
  unbuffer: {},
  unshare: {},
  xargs: { taking: "adEILnPs" },
};

/**
 * Whether this is more than a program or a builtin that takes
 * text: it is harmless only if its arguments are read one by one.
 */
export function isSpecialCommand(word: string): boolean {
  const name = word.replace(/^.*\//s, "");
  if (BUILTINS.has(word)) return !TEXT_BUILTINS.has(word);
  return (
    isShell(name) ||
    isInterpreter(name) ||
    isAwk(name) ||
    JOINERS.has(name) ||
    Object.hasOwn(PREFIXES, name) ||
    /^(?:g?sed|ssh|find|g?make|jq)$/.test(name)
  );
}
