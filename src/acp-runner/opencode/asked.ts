/** What opencode asks, in the terms of the runner: permissions as ACP has them, questions, and errors. Pure. */
import type { Question } from "../../scripted-agent/scenario/scenario.ts";
import type { Params } from "../wire/rpc.ts";
import { isObject, textOf } from "../wire/rpc.ts";

/** Every permission can be given once, given for good, or refused. */
const OPTIONS = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "always", name: "Allow always", kind: "allow_always" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/** A tool call as the conversation has it. */
export interface ToolCall {
  tool: string;
  input: Params;
}

/** `call`: the call that the permission is for. A permission that is not the tool's own is shown as what it is. */
export function permissionParams(asked: Params, call: ToolCall | undefined): Params {
  const permission = textOf(asked.permission);
  const metadata = isObject(asked.metadata) ? asked.metadata : {};
  const patterns = list(asked.patterns).filter((it) => typeof it === "string");
  const toolCallId = isObject(asked.tool) ? textOf(asked.tool.callID) : "";
  const always = list(asked.always).filter((it) => typeof it === "string");
  const options = OPTIONS.map((it) =>
    it.optionId === "always" && always.length > 0 ? { ...it, name: `${it.name}: ${always.join(", ")}` } : it,
  );
  const input = call?.input ?? {};
  return { toolCall: { toolCallId, ...shownAs() }, options };

  function shownAs(): Params {
    if (permission === "bash" && textOf(metadata.command) !== "")
      return { kind: "execute", title: metadata.command, rawInput: { ...input, command: metadata.command } };
    const title = `${permission} ${patterns.join(", ")}`.trim();
    const change = permission === "edit" ? changeBy(call) : null;
    if (change) return { kind: "edit", title, content: [{ type: "diff", ...change }] };
    const about = { permission, patterns, ...metadata, ...(call ? { tool: call.tool, input } : {}) };
    return { kind: permission, title, rawInput: about };
  }
}

/** Null if the call does more than put one text in the place of another. */
function changeBy(call: ToolCall | undefined): { path: string; oldText: string; newText: string } | null {
  const { filePath: path, content, oldString, newString, replaceAll } = call?.input ?? {};
  if (typeof path !== "string") return null;
  if (call?.tool === "write" && typeof content === "string") return { path, oldText: "", newText: content };
  const isOne = call?.tool === "edit" && replaceAll !== true && textOf(oldString) !== "";
  return isOne ? { path, oldText: textOf(oldString), newText: textOf(newString) } : null;
}

export function questionsIn({ questions }: Params): Question[] {
  return list(questions).flatMap((it) =>
    isObject(it) && textOf(it.question) !== ""
      ? [
          {
            question: textOf(it.question),
            header: textOf(it.header) || "Question",
            multiSelect: it.multiple === true,
            ...(it.custom === false ? { closed: true } : {}),
            options: list(it.options).flatMap((one) =>
              isObject(one) && textOf(one.label) !== ""
                ? [{ label: textOf(one.label), description: textOf(one.description) }]
                : [],
            ),
          },
        ]
      : [],
  );
}

/** The answer to each question: the labels that were chosen, and own words as one more. */
export function answersTo(
  questions: readonly Question[],
  said: Readonly<Record<string, string>>,
): string[][] {
  return questions.map((it) => {
    const text = said[it.question] ?? "";
    if (text === "") return [];
    return it.multiSelect ? chosenIn(it, text) : [text];
  });
}

/** Labels are joined with commas, and may contain some: such a label is in quotes, and the longest that fits is first. */
function chosenIn({ options }: Question, text: string): string[] {
  const forms = options
    .flatMap(({ label }) => [
      { label, as: label },
      { label, as: `"${label}"` },
    ])
    .toSorted((a, b) => b.as.length - a.as.length);
  const chosen: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const found = forms.find(({ as }) => rest === as || rest.startsWith(`${as}, `));
    if (!found) return [...chosen, rest];
    chosen.push(found.label);
    rest = rest.slice(found.as.length).replace(/^, /, "");
  }
  return chosen;
}

/** The words of an error, with its status: that is what its kind is known by. */
export function errorWords(error: unknown): string {
  const { name, data } = isObject(error) ? error : {};
  const { message, statusCode } = isObject(data) ? data : {};
  const words = textOf(message) || textOf(name) || "unknown error";
  return typeof statusCode === "number" && !words.includes(String(statusCode))
    ? `${statusCode} ${words}`
    : words;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
