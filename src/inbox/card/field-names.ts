/** What people call the values that a tool is given. */

const NAMES: Readonly<Record<string, string>> = {
  command: "command",
  file_path: "file",
  notebook_path: "notebook",
  old_string: "text to replace",
  new_string: "new text",
  replace_all: "every occurrence",
  cell_id: "cell",
  new_source: "new cell",
  run_in_background: "in the background",
  timeout: "timeout (ms)",
};

/** `subagent_type` and `subagentType` read as "subagent type". Null if the key is no plain name. */
export function nameOf(key: string): string | null {
  if (Object.hasOwn(NAMES, key)) return NAMES[key] ?? null;
  if (!/^[a-z_][\w-]{0,30}$/i.test(key)) return null;
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .split(/[_-]/)
    .filter((it) => it !== "");
  return words.map((it) => (/^[A-Z][a-z]*$/.test(it) ? it.toLowerCase() : it)).join(" ") || null;
}
