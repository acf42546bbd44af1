/**
 * Which policies can fit a call at all, told by the tool and by how its commands begin: of hundreds few are left to be
 * judged. It leaves out none that fits, and is no judgement itself.
 */
import type { Policy } from "../model/policy-types.ts";
import type { Call } from "./call.ts";
import { beginningsOf, wantedBeginnings } from "./command-match.ts";
import { alternativesOf, wordFits } from "./pattern.ts";

export function mayFit({ tool, commands }: Call): (policy: Policy) => boolean {
  const [first = []] = commands;
  const atFirst = new Set(beginningsOf(first));
  const anywhere = new Set(commands.flatMap(beginningsOf));
  return (policy) => {
    if (policy.kind === "answer") return false;
    const { match, kind } = policy;
    if (match.tool.length > 0 && !match.tool.some((it) => it === tool || wordFits(it, tool))) return false;
    const isPipe = kind === "approve" && match.pipe.length > 0; // which is approved by its own patterns alone
    const wanted = isPipe || match.command.length === 0 ? null : wantedBy(match.command);
    const found = kind === "approve" ? atFirst : anywhere; // an approval needs all commands to fit
    return wanted === null || wanted.some((it) => found.has(it));
  };
}

const known = new WeakMap<readonly string[], readonly string[] | null>();

/** How a command must begin to fit one of the patterns; null if that can't be told. */
function wantedBy(patterns: readonly string[]): readonly string[] | null {
  let wanted = known.get(patterns);
  if (wanted === undefined) {
    const each = alternativesOf(patterns).map(wantedBeginnings);
    wanted = each.some((it) => it === null) ? null : [...new Set(each.flatMap((it) => it ?? []))];
    known.set(patterns, wanted);
  }
  return wanted;
}
