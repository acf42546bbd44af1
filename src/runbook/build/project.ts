/** All files of a project together: which file declares what. The checks share it; it finds no problems itself. */

import type { Template } from "../../core/model/runbook.ts";
import type { Report, Source } from "../hcl/source.ts";
import type { Declarations, RequestsDef } from "./build.ts";

export interface ProjectFile extends Declarations {
  source: Source;
  report: Report;
  /** Reports what is allowed but probably not intended. */
  warn: Report;
}

export interface Project {
  files: ProjectFile[];
  jobs: Map<string, Declarations["jobs"][number]>;
  agents: Map<string, Declarations["agents"][number]>;
  templates: Map<string, Template>;
  escalations: Map<string, Declarations["escalations"][number]>;
  /** The built-in templates in use: a project can replace them or turn them off. */
  builtIn: Template[];
  /** Includes those of a file with problems: a mistake elsewhere in the file must not change what is required. */
  requests: Partial<RequestsDef>;
}

/** The first declaration of a name counts; a declaration in a file wins over a built-in one. */
export function projectOf(files: ProjectFile[], all: readonly Template[]): Project {
  const templates = files.flatMap((it) => it.templates.map(({ def }) => def));
  const requests = files.flatMap((it) => it.requests)[0]?.def ?? ({} as Partial<RequestsDef>);
  const own = new Set(templates.map((it) => it.name));
  const builtIn = requests.builtin_templates === false ? [] : all.filter((it) => !own.has(it.name));
  return {
    files,
    jobs: firstByName(
      files.flatMap((it) => it.jobs),
      (it) => it.def.kind,
    ),
    agents: firstByName(
      files.flatMap((it) => it.agents),
      (it) => it.def.name,
    ),
    escalations: firstByName(
      files.flatMap((it) => it.escalations),
      (it) => it.def.name,
    ),
    templates: firstByName([...templates, ...builtIn], (it) => it.name),
    builtIn,
    requests,
  };
}

/** `a → b → c`, on one line however many names there are. */
export function chain(names: string[]): string {
  const shown = names.length > 12 ? [...names.slice(0, 10), "…", ...names.slice(-1)] : names;
  return shown.join(" → ");
}

function firstByName<T>(items: T[], name: (item: T) => string): Map<string, T> {
  const first = new Map<string, T>();
  for (const item of items) if (!first.has(name(item))) first.set(name(item), item);
  return first;
}
