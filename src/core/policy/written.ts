/** A policy that approves, from what it should match to its text. */
import type { CallMatch, CallPolicy } from "../model/policy-types.ts";

/** As it would be read from its text, so that it can be tried before there is one. */
export function policyOf({ name, match }: { name: string; match: CallMatch }): CallPolicy {
  return {
    name,
    kind: "approve",
    match,
    text: "",
    hash: "",
    path: "",
    line: 0,
    message: null,
    urgency: null,
    escalation: null,
    at_most: null,
    expires: null,
    expires_at_ms: null,
    irreversible: false,
  };
}

/** A name that no other policy has; it is taken from now on. */
export function freshName(name: string, taken: Set<string>): string {
  let fresh = name;
  for (let n = 2; taken.has(fresh); n++) fresh = `${name} ${n}`;
  taken.add(fresh);
  return fresh;
}

/** HCL. */
export function textOf({ match }: { match: CallMatch }, name: string): string {
  const { tool, command, path, within } = match;
  const lines = [
    `tool    = ${listed(tool)}`,
    ...(command.length > 0 ? [`command = ${listed(command)}`] : []),
    ...(path.length > 0 ? [`path    = ${listed(path)}`] : []),
    ...(within ? ['within  = "workspace"'] : []),
  ];
  return `policy ${hclText(name)} {\n  approve = {\n${lines.map((it) => `    ${it}`).join("\n")}\n  }\n}\n`;
}

function listed(texts: readonly string[]): string {
  const [only = ""] = texts;
  return texts.length === 1 ? hclText(only) : `[${texts.map(hclText).join(", ")}]`;
}

function hclText(text: string): string {
  return JSON.stringify(text).replace(/[$%]\{/g, (it) => `${it[0]}${it}`);
}
