/** The options of a permission request, and which of them an answer means. Pure. */
import type { Params } from "./wire/rpc.ts";
import { isObject, textOf } from "./wire/rpc.ts";

export interface PermissionOption {
  id: string;
  name: string;
  kind: string;
}

const KINDS = ["allow_once", "allow_always", "reject_once", "reject_always"];

export function optionsIn({ options }: Params): PermissionOption[] {
  return (Array.isArray(options) ? options : []).flatMap((it) =>
    isObject(it) && textOf(it.optionId) !== "" && textOf(it.name) !== ""
      ? [{ id: textOf(it.optionId), name: textOf(it.name), kind: textOf(it.kind) }]
      : [],
  );
}

/** What a tool does, in the words of the protocol. To all of it, several ways of "always" are still one Yes for now. */
const DEEDS = ["read", "edit", "delete", "move", "search", "execute", "fetch"];

/**
 * Whether a Yes and a No say it all: there is one way to allow it once, one to refuse it, and at most one of each other
 * kind, or several of "always" for what a tool does. Other requests (a plan with several ways to go on, say) are asked as
 * a question, with every option by its name. `deed`: the kind of the call.
 */
export function isApproval(options: readonly PermissionOption[], deed: string): boolean {
  const kinds = options.map((it) => it.kind);
  const counted = DEEDS.includes(deed) ? kinds.filter((it) => it !== "allow_always") : kinds;
  return (
    kinds.every((it) => KINDS.includes(it)) &&
    new Set(counted).size === counted.length &&
    kinds.includes("allow_once") &&
    kinds.some((it) => it.startsWith("reject"))
  );
}

/** The option of the first of these kinds that there is. */
export function optionOf(
  options: readonly PermissionOption[],
  ...kinds: readonly string[]
): PermissionOption | null {
  for (const kind of kinds) {
    const found = options.find((it) => it.kind === kind);
    if (found) return found;
  }
  return null;
}

export const CANCELLED = { outcome: { outcome: "cancelled" } };

/** Without an option to select, all that can be said is that there is no answer. */
export function selected(option: PermissionOption | null): object {
  return option ? { outcome: { outcome: "selected", optionId: option.id } } : CANCELLED;
}
