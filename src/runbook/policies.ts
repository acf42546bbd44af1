/** The policies in one file, read by itself: what other files declare does not matter to them. */
import type { Irreversible, Policy } from "../core/model/policy-types.ts";
import type { EscalationDef } from "../core/model/reach-types.ts";
import type { Problem } from "../core/model/runbook.ts";
import { build } from "./build/build.ts";
import { parseFile } from "./compile.ts";
import { expand } from "./hcl/expand.ts";
import { problemsOf } from "./hcl/source.ts";

export interface ReadPolicies {
  /** None if anything in the file can't be read. */
  policies: Policy[];
  irreversible: Irreversible[];
  escalations: EscalationDef[];
  problems: Problem[];
}

export function readPolicies(path: string, text: string): ReadPolicies {
  const { source, items, findings } = parseFile(path, text);
  const own = items.filter(
    (it) => it.type === "block" && /^(?:policy|irreversible|escalation)$/.test(it.kind),
  );
  const nowhere = { problem: "can't be named in a policy" };
  const report: Parameters<typeof build>[2] = (at, message, hint) => findings.push({ at, message, hint });
  const found = build(
    source,
    expand(own, () => nowhere, report),
    report,
  );
  const names = found.policies.map((it) => it.def.name);
  for (const { def, block } of found.policies)
    if (names.indexOf(def.name) !== names.lastIndexOf(def.name))
      report(block.at, `policy "${def.name}" is declared twice`);
  return {
    policies: findings.length > 0 ? [] : found.policies.map((it) => it.def),
    irreversible: found.irreversible.map((it) => it.def),
    escalations: found.escalations.map(({ def: { path: _, line: __, ...def } }) => def),
    problems: problemsOf(source, findings),
  };
}
