/** Judges command lines by policies written as people write them, with a disk that is a plain map of links. */
import assert from "node:assert/strict";
import { readCall, wantedPaths } from "../../../src/core/policy/call.ts";
import type { Finding } from "../../../src/core/policy/judge.ts";
import { judgeCall } from "../../../src/core/policy/judge.ts";
import { compile, parseFile } from "../../../src/runbook/compile.ts";
import { followed } from "../../fakes/fake-real-paths.ts";

export interface World {
  cwd?: string;
  workspace?: string;
  /** Links by their absolute path. */
  links?: Readonly<Record<string, string>>;
}

export function policiesIn(hcl: string) {
  const { policies, irreversible, problems } = compile([parseFile("policy.hcl", hcl)]);
  assert.deepEqual(problems, []);
  return { policies, irreversible };
}

/** What the policies say about a call: the kind of the first that fits, or null if a person decides. */
export function verdictOf(
  { policies, irreversible }: Pick<ReturnType<typeof policiesIn>, "policies" | "irreversible">,
  call: string | { tool: string; input: unknown },
  { cwd = "/home/ana/shop", workspace = "/home/ana/shop", links = {} }: World = {},
): { kind: string | null; finding: Finding | undefined; findings: Finding[] } {
  const place = { cwd, workspace, home: "/home/ana", real: new Map<string, string | null>() };
  const given = typeof call === "string" ? { tool: "Bash", input: { command: call } } : call;
  const known = new Map(Object.entries(links));
  const read = readCall(given, place);
  for (const path of wantedPaths(read)) place.real.set(path, followed(path, known));
  const findings = judgeCall(policies, read, place, irreversible);
  const [finding] = findings.filter((it) => it.fits);
  return { kind: finding?.policy.kind ?? null, finding, findings };
}
