/**
 * Our hooks in a client's settings file: added to what is there, and removed again without touching anything else. Ours
 * are those whose command ends with the mark. Pure: text to text.
 */
import { plainJson } from "./json-comments.ts";
import type { Node } from "./json-text.ts";
import { memberOf, putIn, readJson, takeOut } from "./json-text.ts";
import { NotSettings } from "./setup.ts";

/** The groups that should be there, by the client's event. */
export type HookGroups = Readonly<Record<string, HookGroup>>;

export interface HookGroup {
  matcher?: string;
  hooks: { name?: string; type: "command"; command: string; timeout: number }[];
}

/** Adds our hooks to the text. Null: there is no file. A file that was entirely ours is written anew. */
export function withHooks(text: string | null, groups: HookGroups, mark: string): string {
  if (text !== null && sameHooks(text, groups, mark)) return text;
  let now = text === null ? null : withoutHooks(text, mark);
  if (now === null) return `${JSON.stringify({ hooks: asLists(groups) }, null, 2)}\n`;
  for (const [event, group] of Object.entries(groups)) {
    const root = read(now);
    const hooks = memberOf(root, "hooks")?.value;
    const list = hooks && memberOf(hooks, event)?.value;
    if (!hooks) now = putIn(now, root, { [event]: [group] }, 1, "hooks");
    else if (!list) now = putIn(now, hooks, [group], 2, event);
    else now = putIn(now, list, group, 3);
  }
  return now;
}

/** The text without our hooks; null if the file was entirely ours. */
export function withoutHooks(text: string, mark: string): string | null {
  if (text === `${JSON.stringify(parsed(text), null, 2)}\n` && isOursAlone(text, mark)) return null;
  let now = text;
  for (let next = withoutOne(now, mark); next !== null; next = withoutOne(now, mark)) now = next;
  return now;
}

/** Removes the first of our hooks, and whatever contained nothing else. */
function withoutOne(text: string, mark: string): string | null {
  const root = read(text);
  const hooks = memberOf(root, "hooks")?.value;
  for (const [index, { value: list }] of (hooks?.kind === "object" ? hooks.members : []).entries()) {
    for (const [at, group] of itemsOf(list).entries()) {
      const inner = memberOf(group, "hooks")?.value;
      const ours = itemsOf(inner).findIndex((it) => isOurs(text, it, mark));
      if (!inner || ours < 0) continue;
      if (itemsOf(inner).length > 1) return takeOut(text, inner, ours);
      if (itemsOf(list).length > 1 || wasEmpty(text, list)) return takeOut(text, list, at);
      if (hooks?.kind === "object" && (hooks.members.length > 1 || wasEmpty(text, hooks)))
        return takeOut(text, hooks, index);
      const place = root.kind === "object" ? root.members.findIndex((it) => it.value === hooks) : -1;
      return takeOut(text, root, place);
    }
  }
  return null;
}

/** Whether it was there, and empty, before we added ours: what we write ourselves has a line for each child. */
function wasEmpty(text: string, { start }: Node): boolean {
  return !/\s/.test(text[start + 1] ?? "");
}

/** Whether our hooks in the text are exactly these, by event. */
function sameHooks(text: string, groups: HookGroups, mark: string): boolean {
  const root = read(text);
  const hooks = memberOf(root, "hooks")?.value;
  const found = (hooks?.kind === "object" ? hooks.members : []).flatMap(({ key, value }) =>
    itemsOf(value)
      .filter((group) => itemsOf(memberOf(group, "hooks")?.value).some((it) => isOurs(text, it, mark)))
      .map((group) => `${key} ${JSON.stringify(valueAt(text, group))}`),
  );
  const wanted = Object.entries(groups).map(([event, group]) => `${event} ${JSON.stringify(group)}`);
  return found.toSorted().join("\n") === wanted.toSorted().join("\n");
}

function isOursAlone(text: string, mark: string): boolean {
  const root = read(text);
  const hooks = memberOf(root, "hooks")?.value;
  if (root.kind !== "object" || root.members.length !== 1 || hooks?.kind !== "object") return false;
  const all = hooks.members.flatMap(({ value }) =>
    itemsOf(value).flatMap((group) => itemsOf(memberOf(group, "hooks")?.value)),
  );
  return all.length > 0 && all.every((it) => isOurs(text, it, mark));
}

function isOurs(text: string, hook: Node, mark: string): boolean {
  const { command } = valueAt(text, hook) as { command?: unknown };
  return typeof command === "string" && command.endsWith(mark);
}

function asLists(groups: HookGroups): Record<string, HookGroup[]> {
  return Object.fromEntries(Object.entries(groups).map(([event, group]) => [event, [group]]));
}

/** Also checks that what we are going to work on has the shape that the client requires. */
function read(text: string): Node {
  const settings = parsed(text);
  if (!isObject(settings)) throw new NotSettings("it is not a JSON object");
  const { hooks } = settings;
  if (hooks !== undefined && !isObject(hooks)) throw new NotSettings(`its "hooks" is not an object`);
  for (const [event, list] of Object.entries(hooks ?? {}))
    if (!Array.isArray(list)) throw new NotSettings(`its "hooks.${event}" is not a list`);
  return readJson(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(plainJson(text).replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new NotSettings(`it is not valid JSON: ${(error as Error).message}`);
  }
}

function valueAt(text: string, { start, end }: Node): unknown {
  return JSON.parse(plainJson(text.slice(start, end)));
}

function itemsOf(node: Node | undefined): Node[] {
  return node?.kind === "array" ? node.items : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
