/** Runbook texts → Runbook and problems: parse, expand, build, check. Reading files is up to load.ts. */

import type { Irreversible, Policy } from "../core/model/policy-types.ts";
import type { Command, Problem, Runbook, Template } from "../core/model/runbook.ts";
import type { ScriptProblem } from "../core/script/script-check.ts";
import { withTemplateOptions } from "../core/template/template.ts";
import { build } from "./build/build.ts";
import { linker } from "./build/link.ts";
import type { Project } from "./build/project.ts";
import { projectOf } from "./build/project.ts";
import type { ScriptAt } from "./build/scripts.ts";
import { reportScript, scriptsOf } from "./build/scripts.ts";
import { checkDecisions } from "./checks/decisions.ts";
import { checkFlow } from "./checks/flow.ts";
import { checkNames } from "./checks/names.ts";
import type { Known } from "./checks/overdue.ts";
import { checkOverdue } from "./checks/overdue.ts";
import { checkRecursion } from "./checks/recursion.ts";
import { checkReferences } from "./checks/references.ts";
import { checkRules } from "./checks/rules.ts";
import { checkScripts } from "./checks/scripts.ts";
import { checkVars } from "./checks/vars.ts";
import type { FileText } from "./hcl/expand.ts";
import { expand } from "./hcl/expand.ts";
import { parseHcl } from "./hcl/hcl.ts";
import type { Finding, Report, Source } from "./hcl/source.ts";
import { problemsOf, sourceOf } from "./hcl/source.ts";
import type { Item } from "./hcl/syntax.ts";

export interface ParsedFile {
  source: Source;
  items: Item[];
  findings: Finding[];
}

export interface Compiled {
  /** What the files without problems declare. */
  runbook: Runbook;
  policies: Policy[];
  irreversible: Irreversible[];
  problems: Problem[];
  /** Allowed, but probably not intended: a warning keeps nothing from running. */
  warnings: Problem[];
  /** Commands of files with problems: they can't be run, but we know where they are. */
  broken: Pick<Command, "name" | "path">[];
}

/** The result of every check except for bash's, which has not read the scripts yet. */
export interface Prepared {
  project: Project;
  findings: Map<Source, { problems: Finding[]; warnings: Finding[] }>;
  scripts: ScriptAt[];
}

export function parseFile(path: string, text: string): ParsedFile {
  const source = sourceOf(path, text);
  const findings: Finding[] = [];
  const binary = source.text.indexOf("\0");
  if (binary !== -1) {
    findings.push({
      at: { start: binary, end: binary + 1 },
      message: "this is not text: it contains a NUL character",
    });
    return { source, items: [], findings };
  }
  return { source, items: parseHcl(source, into(findings)), findings };
}

/** Does everything at once, for callers that can't ask bash. */
export function compile(
  parsed: ParsedFile[],
  fileAt?: (path: string) => FileText,
  builtIn?: readonly Template[],
  known?: Known | null,
): Compiled {
  return finish(prepare(parsed, fileAt, builtIn, known), []);
}

export function prepare(
  parsed: ParsedFile[],
  fileAt: (path: string) => FileText = () => ({ problem: "does not exist" }),
  builtIn: readonly Template[] = [],
  known: Known | null = null,
): Prepared {
  const findings: Prepared["findings"] = new Map();
  const files = parsed.map(({ source, items, findings: found }) => {
    const own = { problems: [...found], warnings: [] };
    findings.set(source, own);
    const [report, warn] = [into(own.problems), into(own.warnings)];
    return { source, report, warn, ...build(source, expand(items, fileAt, report), report) };
  });
  const project = projectOf(files, builtIn);
  checkNames(project);
  checkVars(project);
  checkReferences(project);
  checkDecisions(project);
  checkOverdue(project, known);
  checkRules(project, known);
  checkScripts(project);
  checkFlow(project);
  checkRecursion(project);
  return { project, findings, scripts: scriptsOf(project) };
}

/**
 * A file with problems declares nothing, but its names are known while the others are checked: a mistake in one file should not be
 * reported again in each file that relies on it. `said` is what bash said about each script.
 */
export function finish(
  { project, findings, scripts }: Prepared,
  said: readonly (ScriptProblem | null | undefined)[],
): Compiled {
  scripts.forEach((script, index) => {
    const problem = said[index];
    if (problem) reportScript(script, problem);
  });
  const { files } = project;
  const of = (source: Source) => findings.get(source) ?? { problems: [], warnings: [] };
  const sound = files.filter((it) => of(it.source).problems.length === 0);
  const unsound = files.filter((it) => of(it.source).problems.length > 0);
  const link = linker(sound.flatMap((it) => it.escalations));
  return {
    runbook: {
      commands: sound.flatMap((it) => it.commands.map(({ def }) => def)),
      jobs: sound.flatMap((it) =>
        it.jobs.map(({ def }) => link.job(withTemplateOptions(def, project.templates))),
      ),
      agents: sound.flatMap((it) => it.agents.map(({ def }) => link.agent(def))),
      templates: [
        ...sound.flatMap((it) => it.templates.map(({ def }) => link.said(def))),
        ...project.builtIn,
      ],
      escalations: link.escalations,
      requests: { file_check: project.requests.file_check === undefined ? {} : project.requests.file_check },
    },
    policies: sound.flatMap((it) => it.policies.map(({ def }) => def)),
    irreversible: sound.flatMap((it) => it.irreversible.map(({ def }) => def)),
    problems: files.flatMap((it) => problemsOf(it.source, of(it.source).problems)),
    warnings: files.flatMap((it) => problemsOf(it.source, of(it.source).warnings)),
    broken: unsound.flatMap((it) => it.commands.map(({ def: { name, path } }) => ({ name, path }))),
  };
}

function into(findings: Finding[]): Report {
  return (at, message, hint) => findings.push({ at, message, hint });
}
