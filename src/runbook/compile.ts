/** Runbook texts → Runbook and problems: parse, expand, build, check. Reading files is load.ts's. */

import type { Problem, Runbook, Template } from "../core/runbook.ts";
import { build } from "./build.ts";
import { checkFlow } from "./check-flow.ts";
import { checkNames } from "./check-names.ts";
import { checkRecursion } from "./check-recursion.ts";
import { checkReferences } from "./check-references.ts";
import type { FileText } from "./expand.ts";
import { expand } from "./expand.ts";
import { parseHcl } from "./hcl.ts";
import { projectOf } from "./project.ts";
import type { Finding, Report, Source } from "./source.ts";
import { problemsOf, sourceOf } from "./source.ts";
import type { Item } from "./syntax.ts";

export interface ParsedFile {
  source: Source;
  items: Item[];
  findings: Finding[];
}

export interface Compiled {
  /** What the files without problems declare. */
  runbook: Runbook;
  problems: Problem[];
}

export function parseFile(path: string, text: string): ParsedFile {
  const source = sourceOf(path, text);
  const findings: Finding[] = [];
  const binary = source.text.indexOf("\0");
  if (binary !== -1) {
    findings.push({
      at: { start: binary, end: binary + 1 },
      message: "this is no text: it has a NUL character",
    });
    return { source, items: [], findings };
  }
  return { source, items: parseHcl(source, into(findings)), findings };
}

/**
 * A file with problems declares nothing, but its names are known while the others are checked: a mistake in one file
 * should not be told again in each file that relies on it.
 */
export function compile(
  parsed: ParsedFile[],
  fileAt: (path: string) => FileText = () => ({ problem: "does not exist" }),
  builtIn: readonly Template[] = [],
): Compiled {
  const files = parsed.map(({ source, items, findings: found }) => {
    const findings = [...found];
    const report = into(findings);
    return { source, findings, report, ...build(source, expand(items, fileAt, report), report) };
  });
  const project = projectOf(files, builtIn);
  checkNames(project);
  checkReferences(project);
  checkFlow(project);
  checkRecursion(project);
  const sound = files.filter((it) => it.findings.length === 0);
  return {
    runbook: {
      commands: sound.flatMap((it) => it.commands.map(({ def }) => def)),
      jobs: sound.flatMap((it) => it.jobs.map(({ def }) => def)),
      agents: sound.flatMap((it) => it.agents.map(({ def }) => def)),
      templates: [...sound.flatMap((it) => it.templates.map(({ def }) => def)), ...project.builtIn],
      requests: { file_check: project.requests.file_check === undefined ? {} : project.requests.file_check },
    },
    problems: files.flatMap((it) => problemsOf(it.source, it.findings)),
  };
}

function into(findings: Finding[]): Report {
  return (at, message, hint) => findings.push({ at, message, hint });
}
