/** What people call the values that a tool is given. */

const NAMES: Readonly<Record<string, string>> = {
  command: "command",
  file_path: "file",
  notebook_path: "notebook",
  old_string: "text to replace",
  new_string: "new text",
  replace_all: "every occurrence",
  new_source: "new cell",
  run_in_background: "in the background",
  timeout: "timeout (ms)",
  planFilePath: "plan's file",
};

/** `subagent_type` and `subagentType` read as "subagent type"; a name that is no identifier stays as it is. */
export function nameOf(key: string): string {
  if (Object.hasOwn(NAMES, key)) return NAMES[key] ?? key;
  if (!/^\w+$/.test(key)) return key;
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .split("_")
    .filter((it) => it !== "")
    .map((it) => (/^[A-Z][a-z]*$/.test(it) ? it.toLowerCase() : it))
    .join(" ");
}
