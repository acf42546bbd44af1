/**
 * The paths that a call names. Which files they are is looked up on disk by the daemon before anything is judged
 * (`PathsOnDisk`), because links and `..` decide it, not the words.
 */

/** What the disk says: the real path of each path that was asked about, or null if that can't be told. */
export interface Place {
  /** The folder that relative words are read from. */
  cwd: string;
  /** The real path of the workspace; null if there is none: then nothing is inside. */
  workspace: string | null;
  home: string | null;
  real: ReadonlyMap<string, string | null>;
}

/** Folders in which a file is run, or changes what is run or approved, without anybody naming it. */
const PROTECTED = new Set(
  (
    ".git .oj .claude .codex .gemini .opencode .agents .cursor .windsurf .zed .vscode .idea .devcontainer .direnv " +
    ".husky .githooks .lefthook .ssh .aws .gnupg .kube .docker"
  ).split(" "),
);
const PROTECTED_FILES =
  /^(?:\.envrc|\.env(?:\..*)?|\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.netrc|\.git-credentials|\.mcp\.json|opencode\.jsonc?|claude\.local\.md|\.gitmodules|\.?lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)|\.pre-commit-config\.ya?ml)$/;

export function isProtected(relative: string): boolean {
  const names = relative.split("/").map((it) => it.toLowerCase());
  return names.some((it) => PROTECTED.has(it)) || PROTECTED_FILES.test(names.at(-1) ?? "");
}

/**
 * Everything in a word that may be a path: the word, what follows `=`, `:`, `,` or `@` in it, and what is attached to an
 * option's letter. A word that is none costs nothing: it lies in the folder that the command runs in.
 */
export function pathsIn(word: string): string[] {
  const found = new Set<string>();
  const parts = word.split(/[=:,@]/);
  for (let at = 0; at < parts.length; at++) found.add(at === 0 ? (parts[0] ?? "") : (parts[at] ?? ""));
  found.add(word);
  for (let at = word.search(/[=:,@]/); at !== -1; ) {
    found.add(word.slice(at + 1));
    const next = word.slice(at + 1).search(/[=:,@]/);
    at = next === -1 ? -1 : at + 1 + next;
    if (found.size > 40) break;
  }
  if (/^-[A-Za-z0-9]./.test(word)) found.add(word.slice(2));
  if (word.startsWith("-")) {
    const slash = word.search(/[/~]|\.\./);
    if (slash !== -1) found.add(word.slice(slash));
  }
  return [...found].filter((it) => it !== "" && !/^-/.test(it));
}

/** An absolute path with `..` and links still in it; null if it is somebody's home that we can't name. */
export function absolute(text: string, cwd: string, home: string | null): string | null {
  if (text.startsWith("/")) return text;
  if (text === "~" || text.startsWith("~/")) return home === null ? null : `${home}${text.slice(1)}`;
  return `${cwd}/${text}`;
}

/** Where `..` leads if it is taken from the words alone, as `cd` and some programs do. */
export function lexical(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") names.pop();
    else names.push(name);
  }
  return `/${names.join("/")}`;
}

/** The path from the workspace, or null if it may be outside: both on disk and by its words it must be inside. */
export function insideOf({ workspace, real }: Place, path: string): string | null {
  const target = real.get(path) ?? null;
  if (workspace === null || target === null) return null;
  const relative = below(workspace, target);
  if (relative === null) return null;
  const hasDots = /(?:^|\/)\.\.(?:\/|$)/.test(path);
  if (hasDots) {
    const byWords = real.get(lexical(path)) ?? null;
    if (byWords === null || below(workspace, byWords) === null) return null;
  }
  return relative;
}

/** The same by its words alone: what names a file so is looked at, even if the disk can't tell where it leads. */
export function insideByWords(place: Place, path: string): string | null {
  const plain = lexical(path);
  return insideOf(place, plain) ?? (place.workspace === null ? null : below(place.workspace, plain));
}

function below(folder: string, path: string): string | null {
  if (path === folder) return ".";
  const base = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(base) ? path.slice(base.length) : null;
}
