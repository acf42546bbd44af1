/**
 * What can't be undone. A policy approves it only if it says `irreversible = true`. A project can add to the list and
 * take nothing away.
 */
import type { CallMatch, Irreversible } from "../model/policy-types.ts";
import type { Call } from "./call.ts";
import { fitsLoosely } from "./command-match.ts";
import { shapeOf } from "./options.ts";
import type { Place } from "./paths.ts";
import { insideOf, isProtected } from "./paths.ts";
import { alternativesOf, wordFits, wordsOf } from "./pattern.ts";

/** Why it can't be undone, in words that end "this …"; null if nothing says so. */
export function whyIrreversible(call: Call, place: Place, added: readonly Irreversible[]): string | null {
  for (const { name, match } of added)
    if (fitsAdded(match, call)) return `is listed as irreversible: ${name}`;
  if (call.text === null) return TOOLS.test(call.tool) ? "is a tool whose effect can't be undone" : null;
  for (const [what, patterns] of LISTED)
    for (const pattern of patterns)
      if (call.commands.some((words) => fitsLoosely(pattern, words))) return what;
  if (call.pipes.some(isDownloadRun)) return "runs what it downloads";
  if (call.commands.some(discards)) return "loses work that git does not have";
  if (call.commands.some(deletesGitRefs)) return "deletes or overwrites what others may rely on";
  if (call.commands.some(sends)) return "sends data away from this machine";
  return deletesOutside(call, place)
    ? "deletes something outside the workspace, or the workspace itself"
    : null;
}

function fitsAdded({ tool, command, pipe }: CallMatch, call: Call): boolean {
  if (tool.length > 0 && !tool.some((it) => wordFits(it, call.tool))) return false;
  if (command.length > 0)
    return alternativesOf(command).some((pattern) =>
      call.commands.some((words) => fitsLoosely(pattern, words)),
    );
  if (pipe.length > 0) return call.pipes.some((it) => fitsPipe(pipe, it));
  return tool.length > 0;
}

/** Each pattern fits a command of the pipe, in this order. */
export function fitsPipe(patterns: readonly string[], pipe: readonly (readonly string[])[]): boolean {
  let at = 0;
  for (const pattern of patterns) {
    const alternatives = alternativesOf([pattern]);
    while (at < pipe.length && !alternatives.some((it) => fitsLoosely(it, pipe[at] ?? []))) at++;
    if (at++ >= pipe.length) return false;
  }
  return patterns.length > 0;
}

const TOOLS =
  /(?:^|_)(?:delete|destroy|drop|purge|remove|publish|deploy|release|pay|payment|charge|refund|transfer|purchase|merge|send|terminate|revoke|wipe)(?:_|$)/i;

const LISTED: readonly [string, string[][]][] = Object.entries({
  "forces a push": [
    "git push ** --force **",
    "git push ** --force-with-lease **",
    "git push ** --force-if-includes **",
    "git push ** --mirror **",
    "git push ** --delete **",
    "git push ** --prune **",
  ],
  "loses work that git does not have": [
    "git clean ** --force **",
    "git reset ** --hard **",
    "git checkout ** --force **",
    "git branch ** --delete-force **",
    "git stash drop **",
    "git stash clear **",
    "git reflog expire **",
    "git reflog delete **",
    "git gc ** --prune* **",
    "git filter-branch **",
    "git filter-repo **",
    "git update-ref **",
    "git worktree remove **",
    "git rm ** --force **",
    "git switch ** --discard-changes **",
    "git switch ** --force **",
    "git switch ** -f **",
    "git checkout-index **",
    "git read-tree **",
  ],
  "publishes something": [
    ..."npm pnpm yarn"
      .split(" ")
      .flatMap((it) => [
        `${it} publish **`,
        `${it} unpublish **`,
        `${it} deprecate **`,
        `${it} npm publish **`,
        `${it} dist-tag **`,
        `${it} release **`,
      ]),
    ..."npm pnpm yarn"
      .split(" ")
      .flatMap((it) => [
        `${it} run *publish* **`,
        `${it} run *deploy* **`,
        `${it} run *release* **`,
        `${it} deploy* **`,
      ]),
    "bun publish **",
    "cargo publish **",
    "cargo yank **",
    "gem push **",
    "gem yank **",
    "twine upload **",
    "poetry publish **",
    "uv publish **",
    "flit publish **",
    "hatch publish **",
    "docker push **",
    "docker ** push **",
    "podman push **",
    "helm push **",
    "mvn ** deploy **",
    "gradle ** publish* **",
    "./gradlew ** publish* **",
    "vsce publish **",
    "lerna publish **",
    "changeset publish **",
    "semantic-release **",
    "goreleaser release **",
    "gh release **",
    "gh repo delete **",
    "gh pr merge **",
    "gh api **",
    "gh secret **",
    "gh workflow run **",
    "hub release **",
  ],
  "deploys or changes what runs elsewhere": [
    ..."apply destroy import state taint".split(" ").flatMap((it) => [`terraform ${it} **`, `tofu ${it} **`]),
    ..."apply delete create replace patch scale drain cordon rollout exec edit set"
      .split(" ")
      .map((it) => `kubectl ${it} **`),
    ..."install upgrade uninstall rollback delete".split(" ").map((it) => `helm ${it} **`),
    "pulumi up **",
    "pulumi destroy **",
    "cdk deploy **",
    "cdk destroy **",
    "fly **",
    "flyctl **",
    "vercel **",
    "netlify ** deploy **",
    "heroku **",
    "firebase ** deploy **",
    "serverless **",
    "sls **",
    "sam deploy **",
    "wrangler deploy **",
    "wrangler publish **",
    "wrangler delete **",
    "aws **",
    "gcloud **",
    "az **",
    "ansible **",
    "ansible-playbook **",
    "cap ** deploy **",
    "eb deploy **",
    ..."npm pnpm yarn".split(" ").map((it) => `${it} run *db:* **`),
    "* ** --force-reset **",
    "* ** --accept-data-loss **",
    "rails ** db:* **",
    "rake ** db:* **",
    "make ** *deploy* **",
    "make ** *publish* **",
    "make ** *release* **",
    "make ** *destroy* **",
    "prisma migrate **",
    "dropdb **",
    "psql **",
    "mysql **",
    "redis-cli **",
    "mongosh **",
    "docker volume rm **",
    "docker system prune **",
    "docker volume prune **",
  ],
  "costs money": ["stripe **", "paypal **"],
  "changes the machine": [
    ..."shutdown reboot halt poweroff mkfs wipefs fdisk parted dd shred visudo useradd userdel usermod passwd crontab"
      .split(" ")
      .map((it) => `${it} **`),
    "mkfs.* **",
    "systemctl ** stop **",
    "systemctl ** disable **",
    "chmod ** /",
    "kill ** -1",
    "pkill **",
    "killall **",
  ],
}).map(([what, patterns]) => [what, patterns.map(wordsOf)]);

function isDownloadRun(pipe: readonly (readonly string[])[]): boolean {
  const name = (words: readonly string[]) => (words[0] ?? "").replace(/^.*\//s, "");
  const from = pipe.findIndex((it) =>
    /^(?:curl|wget|fetch|aria2c|http|https|nc|ncat|lwp-request)$/.test(name(it)),
  );
  if (from === -1) return false;
  return pipe
    .slice(from + 1)
    .some((it) =>
      /^(?:r?bash|[dkz]?sh|ash|fish|csh|tcsh|python[\d.]*|perl|ruby|node|php|sudo|env|xargs|source|\.|eval|tee)$/.test(
        name(it),
      ),
    );
}

/** `git restore file`, `git checkout -- file`, `git checkout HEAD file`: changes that were never committed are gone. */
function discards(words: readonly string[]): boolean {
  const { head, options, operands } = shapeOf(words) ?? { head: [], options: [], operands: [] };
  const has = (name: string, letter: string) =>
    options.some((it) => it === letter || (it.length > 2 && name.startsWith(it)));
  switch (head.join(" ")) {
    case "git restore":
      return !has("--staged", "-S") || has("--worktree", "-W");
    case "git checkout": {
      const isBranch = options.some((it) => /^(?:-[bB]|--orphan|--track)(?:=|$)/.test(it));
      const isFile = (it: string) => /^(?:\.|:)|\/$|\.[a-z]\w*$/i.test(it);
      return !isBranch && (words.includes("--") || operands.length > 1 || operands.some(isFile));
    }
    default:
      return false;
  }
}

/** `git push origin :branch`. */
function deletesGitRefs(words: readonly string[]): boolean {
  return (
    words[0]?.replace(/^.*\//s, "") === "git" &&
    words.includes("push") &&
    words.some((it) => /^[:+]./.test(it))
  );
}

function sends(words: readonly string[]): boolean {
  const [first = "", ...args] = words;
  const name = first.replace(/^.*\//s, "");
  if (
    /^(?:scp|sftp|rsync|ftp|nc|ncat|netcat|socat|telnet|mail|sendmail|mutt|rclone|s3cmd|curlftpfs)$/.test(
      name,
    )
  )
    return true;
  if (name === "wget") return args.some((it) => /^--(?:post|body|method)/.test(it));
  if (!/^(?:curl|https?|xhs?)$/.test(name)) return false;
  const says = name === "curl" ? CURL_SENDS : ITEM_SENDS;
  return args.some(
    (it) =>
      /^-[A-Za-z]*[dFT]|^--(?:d|f|j|up|req)|^-[A-Za-z]*X/.test(it) ||
      /^(?:POST|PUT|PATCH|DELETE)$/.test(it) ||
      says.test(it),
  );
}

/** A value that is read from a file (`-H @secret`), and options that send what they are given. */
const CURL_SENDS = /^@|^-[A-Za-z]*H@|^-[A-Za-z]*Q|^--(?:url-q|quote|postq|preq|mail-|telnet)/;
/** The items of httpie and xh: `name=value`, `name:=json`, `name@file`, `header:@file`. */
const ITEM_SENDS = /^[^/?:@=-][^/?:@=]*(?:=(?!=)|:=|@|:@)/;

const DELETES = /^(?:rm|rmdir|unlink|shred|truncate|srm|trash|mv|del)$/;

function deletesOutside(call: Call, place: Place): boolean {
  const all = call.line?.commands ?? [];
  const top = all.some((command, at) => {
    const words = command.words.map((it) => it.literal ?? "");
    const name = words.find((it) => !/^\w+=/.test(it))?.replace(/^.*\//s, "") ?? "";
    if (!DELETES.test(name)) return false;
    return (call.paths[at] ?? [])
      .filter((it) => !it.word.startsWith("-"))
      .some((it) => it.paths.some((path) => isBeyond(place, path)));
  });
  // what is inside other commands has no paths of its own: a deletion there is never certain
  const inner =
    call.commands.length > all.length &&
    call.commands.some((it) => DELETES.test((it[0] ?? "").replace(/^.*\//s, "")));
  return top || inner || (call.isVague && call.commands.some((it) => DELETES.test(it[0] ?? "")));
}

function isBeyond(place: Place, path: string | null): boolean {
  const relative = path === null ? null : insideOf(place, path);
  return relative === null || relative === "." || isProtected(relative);
}
