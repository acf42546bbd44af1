/** What a model is told: when to ask, what the state of a question is, and why something was refused. */
import type { DecisionView, TemplateView } from "../api/api.ts";
import { never, Refusal } from "../core/model/errors.ts";
import { GOOD_REQUEST, whenToAsk } from "../core/text/asking-words.ts";

export const INSTRUCTIONS = `Oddjobs puts questions in front of the person you work for and brings back what they decide.

${whenToAsk("request_decision")}

Then call await_decision. It returns when a person has answered, or says that the question is still pending; then call it again, or carry on with work that does not depend on the answer and use check_decision later. Pending is not a "no" and not a "yes": don't act on an answer that nobody gave. You have one pending question at a time; a new one replaces it.`;

export const REQUEST = `Ask a person to decide. Returns the decision's id at once; get the answer with await_decision.

${GOOD_REQUEST} Use recommend to say which option you would take. If you can go on without the answer, set wait to false and say in meanwhile what you go on with. If something failed, offer an option to file or track it. A new request replaces your pending one; a request that is refused changes nothing.`;

export const AWAIT = `Wait for the answer to a decision. Returns as soon as a person has answered or the question ended otherwise; after wait_seconds (default 50) it returns "still pending", and you call it again. No answer is ever lost in between.`;

export const CHECK = `See how a decision stands, without waiting: pending, answered (and how), or ended without an answer.`;

export const LIST = `List the decisions that you asked for: the pending one, and, with all, the latest settled ones. Use it when you have lost an id.`;

export const SIGNAL = `Report where you are with your task as a whole. Only for agents that oj runs: done (the work is finished), escalate (you can't continue without a person), fail (it can't be done). What happens next is up to the runbook. To ask something specific, use request_decision instead.`;

/** The project's templates, as part of the tool's description. */
export function templatesText(templates: readonly TemplateView[]): string {
  if (templates.length === 0) return "";
  const lines = templates.slice(0, MOST_TEMPLATES).map((it) => {
    const needs = it.required_context.map(({ key, min }) =>
      min === undefined ? key : `${key} (a list of ${min} or more)`,
    );
    const parts = [
      ...(it.prompt_hint ? [it.prompt_hint] : []),
      ...(needs.length > 0 ? [`context needs ${needs.join(", ")}`] : []),
      ...(it.options.length > 0 ? ["brings its own options"] : []),
    ];
    return `- ${it.name}${parts.length > 0 ? `: ${parts.join("; ")}` : ""}`;
  });
  return `\n\nTemplates of this project, which check that the context says enough (give the name as template, and context as an object with these keys):\n${lines.join("\n")}`;
}

const MOST_TEMPLATES = 30;

/** The state of a decision, and what to do about it. */
export function standing(decision: DecisionView): string {
  const { id, state, answer, ended, superseded_by } = decision;
  const because = ended?.reason ? ` (${ended.reason})` : "";
  switch (state) {
    case "pending":
      return `${id} is still pending: nobody has answered yet. That is neither a yes nor a no. Call await_decision with this id to keep waiting.`;
    case "resolved":
      return [
        `${id} was answered by ${answer?.by}.`,
        ...(answer?.labels ?? []).map((label, index) => `Chosen: ${numberOf(decision, index)}"${label}"`),
        ...(answer?.text ? [`In their own words: ${answer.text}`] : []),
        ...(answer?.message ? [`They add: ${answer.message}`] : []),
        ...(decision.successor === null
          ? []
          : [
              `Before you ask anything else, follow it with a request that has template "${decision.successor}" and predecessor "${id}".`,
            ]),
      ].join("\n");
    case "dismissed":
      return `${id} was put aside without an answer${answer?.message ? `: ${answer.message}` : ""}. That is not a yes to anything: carry on without it, or ask differently.`;
    case "superseded":
      return `${id} was replaced by a newer question of yours, ${superseded_by}. Await that one.`;
    case "withdrawn":
      return `${id} was withdrawn${because}. There will be no answer: don't act as if there were one.`;
    case "expired":
      if (answer)
        return `${id} has expired${because}. By default: ${numberOf(decision, 0)}"${answer.labels[0] ?? ""}". No person has decided this.`;
      return `${id} has expired${because}. There will be no answer: don't act as if there were one.`;
    default:
      return never(state);
  }
}

/** The number of the option, if the decision is a single choice. */
function numberOf({ answer }: DecisionView, index: number): string {
  return index === 0 && answer?.chosen ? `option ${answer.chosen}, ` : "";
}

export function listText(decisions: readonly DecisionView[]): string {
  if (decisions.length === 0) return "You have no decisions here.";
  return decisions.map((it) => `${it.id}  ${it.state}  ${oneLine(it.title)}`).join("\n");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** The refusal in terms of the tools, with what the model should do instead. */
export function refusalText(error: unknown, then: string): string {
  if (!(error instanceof Refusal)) throw error;
  const hints = (error.hint ?? "").split("\n").flatMap(forTools);
  return [withoutFlags(error.message), ...hints, then].filter((it) => it !== "").join("\n");
}

/** A hint for a shell is of no use here, except for the example it may contain. */
function forTools(hint: string): string[] {
  const [, context] = /^oj decision request .*--context '(.+)'$/.exec(hint) ?? [];
  if (context !== undefined) return [`For example, context: ${context}`];
  return hint.startsWith("oj ") ? [] : [withoutFlags(hint)];
}

function withoutFlags(text: string): string {
  return text
    .replaceAll("--no-file-check", "file_check: false")
    .replaceAll("--no-wait", "wait: false")
    .replace(/--(meanwhile|prompt|option|recommend|context|template|parent|predecessor)\b/g, "$1");
}
