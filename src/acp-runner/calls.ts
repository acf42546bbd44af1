/** A tool call of the program as a person reads it: by the names that cards know. Pure. */
import path from "node:path";
import type { Json } from "../scripted-agent/hooks/json.ts";
import type { Ways } from "./programs.ts";
import type { Params } from "./wire/rpc.ts";
import { isObject, textOf } from "./wire/rpc.ts";

export interface Called {
  name: string;
  input: Json;
  title: string;
}

/**
 * A command and a change of one file are shown as such; everything else with all that the program says about it. `cwd`:
 * the folder of the conversation.
 */
export function calledBy(
  call: Params,
  { titlesAreCommands }: Pick<Ways, "titlesAreCommands">,
  cwd: string,
): Called {
  const kind = textOf(call.kind) || "other";
  const raw = isObject(call.rawInput) ? call.rawInput : {};
  const title = textOf(call.title) || kind;
  const command = commandIn(raw) ?? (titlesAreCommands ? textOf(call.title) || null : null);
  if (kind === "execute" && command !== null)
    return { name: "Bash", input: { command, ...folderIn(raw, cwd), ...descriptionIn(raw, call) }, title };
  const diffs = diffsIn(call.content);
  const [diff] = diffs;
  if (diff && diffs.length === 1) return { ...changeOf(diff), title };
  const locations = list(call.locations).flatMap((it) => (isObject(it) ? [textOf(it.path)] : []));
  return {
    name: `${kind[0]?.toUpperCase() ?? ""}${kind.slice(1).replace(/[^\w]/g, "")}`,
    input: {
      title,
      ...raw,
      ...(diffs.length > 0 ? { changes: diffs } : {}),
      ...(locations.length > 0 ? { locations } : {}),
    },
    title,
  };
}

/** Some programs give the words of a command instead of a line. */
function commandIn({ command }: Json): string | null {
  if (typeof command === "string" && command !== "") return command;
  if (!Array.isArray(command) || !command.every((it) => typeof it === "string")) return null;
  return command
    .map((it) => (/^[\w./=:@%+-]+$/.test(it) ? it : `'${it.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/** Where the command runs, if that is another folder: a relative path in it means something else there. */
function folderIn(raw: Json, cwd: string): Json {
  const named = ["cwd", "workdir", "working_directory", "directory"].map((it) => textOf(raw[it]));
  const folder = named.find((it) => it !== "");
  return folder === undefined || path.resolve(cwd, folder) === path.resolve(cwd) ? {} : { cwd: folder };
}

function descriptionIn(raw: Json, { content }: Params): Json {
  const description = textOf(raw.description) || wordsIn(content);
  return description === "" ? {} : { description };
}

/** The texts of a call's content: a plan, for example. */
export function wordsIn(content: unknown): string {
  return list(content)
    .flatMap((it) => (isObject(it) && isObject(it.content) ? [textOf(it.content.text)] : []))
    .filter((it) => it !== "")
    .join("\n\n");
}

interface Diff {
  path: string;
  before: string;
  after: string;
}

function diffsIn(content: unknown): Diff[] {
  return list(content).flatMap((it) =>
    isObject(it) && it.type === "diff" && typeof it.path === "string"
      ? [{ path: it.path, before: textOf(it.oldText), after: textOf(it.newText) }]
      : [],
  );
}

function changeOf({ path, before, after }: Diff): Omit<Called, "title"> {
  return before === ""
    ? { name: "Write", input: { file_path: path, content: after } }
    : { name: "Edit", input: { file_path: path, old_string: before, new_string: after } };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
