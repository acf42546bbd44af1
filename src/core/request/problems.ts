/** Everything that is wrong with a request, in one refusal that says what would be right. */

import { Refusal } from "../model/errors.ts";
import type { Template } from "../model/runbook.ts";
import type { State } from "../model/state/state.ts";
import { failureIn, isFileOption } from "../template/file-check.ts";
import { MAX_REQUEST_OPTIONS } from "../template/options.ts";
import { exampleRequest, lackingIn } from "../template/template.ts";
import { suggest } from "../text/suggest.ts";
import { parentProblem, predecessorProblem } from "./links.ts";
import { overdueProblems } from "./overdue.ts";
import type { RequestInput, RequestOption, RequestProblem } from "./types.ts";

const MAX_PROMPT = 10_000;
const MAX_LABEL = 500;
const MAX_MEANWHILE = 500;

/** How many options are checked one by one. With ten thousand, the number itself is problem enough. */
const LOOKED_AT = 20;

const FORM = `oj decision request --prompt "…" --option "label: description" --option "…"`;

export function refuseProblems(
  state: Readonly<State>,
  input: RequestInput,
  found: {
    template: Template | null;
    options: readonly RequestOption[];
    work: { problems: readonly string[] };
  },
): void {
  const { template, options, work } = found;
  const problems = [
    ...[...ruleProblems(input, options), ...work.problems].map((message) => ({
      code: "decision.invalid" as const,
      message,
    })),
    ...parentProblem(state, input),
    ...templateProblem(input, template),
    ...fileProblem(input, options),
    ...overdueProblems(input, template, options),
    ...meanwhileProblems(input),
    ...predecessorProblem(state, input),
  ];
  if (problems.length > 0) throw refusalOf(problems, template);
}

/** The problems' own code if they all have the same one; the details name them all. */
function refusalOf(problems: RequestProblem[], template: Template | null): Refusal {
  const codes = new Set(problems.map((it) => it.code));
  const [first = "decision.invalid"] = codes;
  const hints = problems.flatMap((it) => it.hints ?? []);
  const needsForm = problems.some((it) => it.hints === undefined);
  if (needsForm) hints.push(template ? exampleRequest(template) : FORM);
  return new Refusal(
    codes.size === 1 ? first : "decision.invalid",
    `the request was refused: ${problems.map((it) => it.message).join("; ")}`,
    [...new Set(hints)].join("\n"),
    Object.assign({ problems: problems.map((it) => it.message) }, ...problems.map((it) => it.details)),
  );
}

function ruleProblems({ prompt, recommend }: RequestInput, options: readonly RequestOption[]): string[] {
  const problems: string[] = [];
  if (prompt.trim() === "") problems.push("the prompt is empty");
  if (prompt.length > MAX_PROMPT)
    problems.push(`the prompt has ${prompt.length} characters; at most ${MAX_PROMPT} are allowed`);
  if (options.length === 0) problems.push("it has no options");
  if (options.length > MAX_REQUEST_OPTIONS)
    problems.push(`it has ${options.length} options; at most ${MAX_REQUEST_OPTIONS} are allowed`);
  const labels = options.slice(0, LOOKED_AT).map((it) => it.label.trim());
  labels.forEach((label, index) => {
    if (label === "") problems.push(`option ${index + 1} has no label`);
    if (label.length > MAX_LABEL)
      problems.push(`the label of option ${index + 1} has more than ${MAX_LABEL} characters`);
    if (label !== "" && labels.indexOf(label) < index)
      problems.push(`option ${index + 1} repeats "${label}"`);
  });
  const isOne = recommend !== null && Number.isInteger(recommend) && options[recommend - 1] !== undefined;
  if (recommend !== null && !isOne)
    problems.push(`--recommend ${recommend} is not one of its options (it has ${options.length})`);
  return problems;
}

/** What goes on meanwhile, in the words of whoever asks. */
function meanwhileProblems({ wait, meanwhile }: RequestInput): RequestProblem[] {
  if (meanwhile == null) return [];
  const refused = (message: string): RequestProblem => ({
    code: "decision.invalid",
    message,
    hints: ['oj decision request … --no-wait --meanwhile "what goes on meanwhile"'],
  });
  if (wait !== false) return [refused("--meanwhile needs --no-wait: nothing goes on while you wait")];
  if (meanwhile.trim() === "") return [refused("--meanwhile is empty")];
  const { length } = meanwhile;
  return length > MAX_MEANWHILE
    ? [refused(`--meanwhile has ${length} characters; at most ${MAX_MEANWHILE} are allowed`)]
    : [];
}

function templateProblem(
  { template: name, fields, runbook, runbook_problems: broken, remote }: RequestInput,
  template: Template | null,
): RequestProblem[] {
  if (name === null) return [];
  if (template === null) {
    if (remote) {
      const message = `template "${name}" is not built in, and those of the project's runbooks can't be used from another machine`;
      return [{ code: "template.not-found", message, hints: ["oj decision templates"] }];
    }
    const near = suggest(
      name,
      runbook.templates.map((it) => it.name),
    );
    const hints = [
      ...(broken > 0 ? [`the runbooks here have problems (${broken}): oj runbook check`] : []),
      near ? `did you mean --template ${near}?` : "oj decision templates",
    ];
    return [{ code: "template.not-found", message: `template "${name}" does not exist`, hints }];
  }
  const lacking = lackingIn(template, fields);
  if (lacking === null) return [];
  const hints = template.prompt_hint ? [template.prompt_hint] : [];
  return [{ code: "template.context-missing", ...lacking, hints: [...hints, exampleRequest(template)] }];
}

function fileProblem(
  { prompt, file_check, runbook }: RequestInput,
  options: readonly RequestOption[],
): RequestProblem[] {
  const words = runbook.requests.file_check;
  if (!file_check || words === null) return [];
  const failure = failureIn(prompt, words);
  if (failure === null || options.some((it) => isFileOption(it, words))) return [];
  const file = words.file?.[0];
  return [
    {
      code: "decision.file-option-missing",
      message: `it is about a failure ("${failure}"), but no option files it`,
      hints: [`add --option "${file ?? "File a bug"}: …"; if it is not about a failure, use --no-file-check`],
      details: { failure },
    },
  ];
}
