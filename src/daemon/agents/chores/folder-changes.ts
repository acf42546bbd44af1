/**
 * Asks git what an agent has changed in its folder since its last attempt. Git runs filters that the folder's own
 * settings name, so it runs as the agent's gate does: with the agent's rights, not a person's.
 */
import type { FolderChanges } from "../../../core/agent/gate-history.ts";
import type { RunId } from "../../../core/model/ids.ts";
import type { Ports, Script, ShellManner } from "../../../ports.ts";

const WITHIN_MS = 10_000;
const MOST_BYTES = 16_384;

/**
 * Writes the folder as a tree, untracked files included, with an index of its own: neither the agent's index nor its
 * files change. Prints the tree's name, then how it differs from the tree before, if that is still there.
 */
const SCRIPT = `
exec 2>/dev/null
export GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0
git rev-parse --is-inside-work-tree >/dev/null || exit 0
index=$(mktemp)
trap 'rm -f "$index" "$index.lock"' EXIT
cp -p "$(git rev-parse --git-path index)" "$index" || rm -f "$index"
export GIT_INDEX_FILE="$index"
git -c core.fsmonitor=false add --update -- .
seen=0
git ls-files -z --others --exclude-standard -- . | while IFS= read -r -d '' file; do
  seen=$((seen + 1))
  if [[ $seen -gt 300 ]]; then continue; fi
  if [[ ! -f "$file" || -L "$file" || $(wc -c <"$file") -gt 1000000 ]]; then continue; fi
  printf '%s\\0' "$file"
done | git update-index -z --add --stdin
tree=$(git write-tree)
echo "$tree"
if [[ "$OJ_BEFORE" != "" ]] && git cat-file -e "$OJ_BEFORE^{tree}"; then
  git --no-pager diff --no-color --no-ext-diff --no-textconv --patch-with-stat --stat=80 --relative "$OJ_BEFORE" "$tree" -- .
fi
`;

/** Null if git doesn't look after the folder, or doesn't answer in time. */
export async function folderChanges(
  { shell }: Pick<Ports, "shell">,
  gate: Script,
  how: Pick<ShellManner, "env" | "mark">,
  before: string | null,
): Promise<FolderChanges | null> {
  const run_id: RunId = `${gate.run_id}-changes`;
  const run = { ...gate, run_id, script: SCRIPT, values: { OJ_BEFORE: before ?? "" } };
  const limits = {
    timeoutMs: WITHIN_MS,
    keepBytes: MOST_BYTES,
    keep: "head",
    onOutput: async () => {},
  } as const;
  try {
    const { exit_code, output } = await shell.run(run, { ...how, ...limits });
    return exit_code === 0 ? changesIn(output) : null;
  } catch {
    return null; // the gate's own outcome is what counts
  } finally {
    await shell.forget(run_id).catch(() => {});
  }
}

function changesIn(output: string): FolderChanges | null {
  const [tree = "", ...rest] = output.split("\n");
  if (!/^[0-9a-f]{40,64}$/.test(tree)) return null;
  const [stat = "", ...files] = rest.join("\n").split(/^(?=diff --git )/m);
  return { tree, stat: stat.trimEnd(), diff: files.join("").trimEnd() };
}
