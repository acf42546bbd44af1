/** Scenario text → Scenario + problems: every problem at once, each with its place. */
import { placeOfMistake } from "./json-place.ts";
import type { Json, Reader } from "./reader.ts";
import { isObject, oneOf, reader, suggestion } from "./reader.ts";
import type { Question, Scenario, Step, Told } from "./scenario.ts";
import { ERRORS, HOOK_KINDS, TOLD } from "./scenario.ts";

export interface ReadScenario {
  scenario: Scenario;
  problems: string[];
}

const SCENARIO = ["turns", "match", "otherwise", "sent_back", "ignore_keys_ms", "trust", "hooks"];

export function readScenario(source: string): ReadScenario {
  const problems: string[] = [];
  const empty: Scenario = {
    turns: [],
    match: [],
    otherwise: null,
    sent_back: null,
    ignore_keys_ms: 300,
    trust: false,
    hooks: "all",
  };
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch {
    const { line, column } = placeOfMistake(source);
    return { scenario: empty, problems: [`${line}:${column}: this is not JSON`] };
  }
  const read = reader(problems);
  if (!isObject(json)) {
    read.problem("the scenario", `must be an object with "turns"`);
    return { scenario: empty, problems };
  }
  read.fields(json, "the scenario", SCENARIO);
  if (json.turns === undefined && json.match === undefined)
    read.problem(
      "turns",
      `is missing: a list of turns, each a list of steps, as in {"turns": [[{"say": "Hello"}]]}`,
    );
  const scenario: Scenario = {
    turns: read.list(json.turns ?? [], "turns").map((turn, n) => stepsOf(turn, `turns[${n}]`, read)),
    match: read.list(json.match ?? [], "match").map((it, n) => matchOf(it, `match[${n}]`, read)),
    otherwise: json.otherwise === undefined ? null : stepsOf(json.otherwise, "otherwise", read),
    sent_back: json.sent_back === undefined ? null : stepsOf(json.sent_back, "sent_back", read),
    ignore_keys_ms: read.number(json.ignore_keys_ms, "ignore_keys_ms", empty.ignore_keys_ms),
    trust: read.flag(json.trust, "trust", false),
    hooks: hookKinds(json.hooks, read),
  };
  return { scenario, problems };
}

function hookKinds(value: unknown, read: Reader): Scenario["hooks"] {
  const given = read.text(value, "hooks", "all");
  const found = HOOK_KINDS.find((it) => it === given);
  if (found === undefined) read.problem("hooks", oneOf(given, HOOK_KINDS));
  return found ?? "all";
}

function matchOf(value: unknown, at: string, read: Reader): Scenario["match"][number] {
  if (!isObject(value)) {
    read.problem(at, `must be an object with "prompt" and "steps"`);
    return { prompt: /(?!)/, steps: [] };
  }
  read.fields(value, at, ["prompt", "steps"]);
  return {
    prompt: read.pattern(value.prompt, `${at}.prompt`),
    steps: stepsOf(value.steps, `${at}.steps`, read),
  };
}

/** One entry per kind: its other fields, and how it is read. The kind's own field comes first. */
type Kind = { fields: string[]; read(value: unknown, step: Json, at: string, read: Reader): Step };

const KINDS: Record<Step["type"], Kind> = {
  say: { fields: [], read: (value, _, at, read) => ({ type: "say", text: read.text(value, at) }) },
  tool: {
    fields: ["input", "result", "real", "asks", "denied", "go_on"],
    read: (value, step, at, read) => ({
      type: "tool",
      name: read.text(value, at),
      input: inputOf(step.input, at, read),
      result: read.text(step.result, `${at}.result`, ""),
      real: read.flag(step.real, `${at}.real`, false),
      asks: read.flag(step.asks, `${at}.asks`, true),
      denied: branch(step.denied, `${at}.denied`, read),
      go_on: read.flag(step.go_on, `${at}.go_on`, false),
    }),
  },
  ask: {
    fields: ["declined", "go_on"],
    read: (value, step, at, read) => ({
      type: "ask",
      questions: questionsOf(value, at, read),
      declined: branch(step.declined, `${at}.declined`, read),
      go_on: read.flag(step.go_on, `${at}.go_on`, false),
    }),
  },
  plan: {
    fields: ["revised", "go_on"],
    read: (value, step, at, read) => ({
      type: "plan",
      versions: Array.isArray(value)
        ? value.map((it, n) => read.text(it, `${at}[${n}]`))
        : [read.text(value, at)],
      revised: branch(step.revised, `${at}.revised`, read),
      go_on: read.flag(step.go_on, `${at}.go_on`, false),
    }),
  },
  sleep: { fields: [], read: (value, _, at, read) => ({ type: "sleep", ms: read.number(value, at) }) },
  hang: { fields: [], read: (value, _, at, read) => ({ type: "hang", ms: read.number(value, at) }) },
  work: { fields: [], read: (value, _, at, read) => ({ type: "work", ms: read.number(value, at) }) },
  output: { fields: [], read: outputOf },
  error: {
    fields: ["message"],
    read: (value, step, at, read) => {
      const kind = read.text(value, at);
      if (ERRORS[kind] === undefined) read.problem(at, oneOf(kind, Object.keys(ERRORS)));
      return { type: "error", kind, message: read.text(step.message, `${at}.message`, ERRORS[kind] ?? "") };
    },
  },
  background: {
    fields: ["name", "steps"],
    read: (value, step, at, read) => ({
      type: "background",
      ms: read.number(value, at),
      name: read.text(step.name, `${at}.name`, "npm run build"),
      steps:
        step.steps === undefined
          ? [{ type: "say", text: "The background task is done." }]
          : stepsOf(step.steps, `${at}.steps`, read),
    }),
  },
  crash: {
    fields: [],
    read: (value, _, at, read) => {
      if (typeof value === "string" && !/^SIG[A-Z]+$/.test(value))
        read.problem(at, `must be an exit code or a signal such as "SIGKILL"`);
      if (typeof value === "string") return { type: "crash", code: 1, signal: value as NodeJS.Signals };
      return { type: "crash", code: read.number(value, at), signal: null };
    },
  },
  exit: { fields: [], read: (value, _, at, read) => ({ type: "exit", code: read.number(value, at) }) },
  ignore_keys: {
    fields: [],
    read: (value, _, at, read) => ({ type: "ignore_keys", ms: read.number(value, at) }),
  },
  signal: {
    fields: ["message"],
    read: (value, step, at, read) => {
      const kind = read.text(value, at);
      if (!["done", "escalate", "fail"].includes(kind))
        read.problem(at, oneOf(kind, ["done", "escalate", "fail"]));
      return {
        type: "signal",
        kind,
        message: step.message === undefined ? null : read.text(step.message, `${at}.message`),
      };
    },
  },
  run: { fields: [], read: (value, _, at, read) => ({ type: "run", command: read.text(value, at) }) },
  expect: {
    fields: ["of"],
    read: (value, step, at, read) => {
      const of = read.text(step.of, `${at}.of`, "prompt") as Told;
      if (!TOLD.includes(of)) read.problem(`${at}.of`, oneOf(of, TOLD));
      return { type: "expect", of, pattern: read.pattern(value, at) };
    },
  },
  fake_dialog: {
    fields: [],
    read: (value, _, at, read) => ({ type: "fake_dialog", text: read.text(value, at) }),
  },
  escape: { fields: [], read: (value, _, at, read) => ({ type: "escape", text: read.text(value, at) }) },
  hook: {
    fields: ["event", "headers"],
    read: (value, step, at, read) => ({
      type: "hook",
      body: value,
      event: read.text(step.event, `${at}.event`, "PostToolUse"),
      headers: textsOf(step.headers ?? {}, `${at}.headers`, read),
    }),
  },
  flood: {
    fields: ["seconds", "body"],
    read: (value, step, at, read) => ({
      type: "flood",
      per_second: read.number(value, at),
      seconds: read.number(step.seconds, `${at}.seconds`, 1),
      body: step.body ?? null,
    }),
  },
  loop: {
    fields: ["times"],
    read: (value, step, at, read) => ({
      type: "loop",
      steps: stepsOf(value, at, read),
      times: read.number(step.times, `${at}.times`, Number.POSITIVE_INFINITY),
    }),
  },
};

function stepsOf(value: unknown, at: string, read: Reader): Step[] {
  return read
    .list(value, at)
    .map((it, n) => stepOf(it, `${at}[${n}]`, read))
    .filter((it) => it !== null);
}

function stepOf(value: unknown, at: string, read: Reader): Step | null {
  if (!isObject(value)) {
    read.problem(at, `must be a step, as in {"say": "Hello"}`);
    return null;
  }
  // "message" and "steps" are fields of several kinds and not a kind themselves: a step's kind is the first key that names one
  const kind = Object.keys(value).find((it): it is Step["type"] => Object.hasOwn(KINDS, it));
  if (kind === undefined) {
    const [first] = Object.keys(value);
    read.problem(
      at,
      first === undefined ? "is empty" : `"${first}" is not a step${suggestion(first, Object.keys(KINDS))}`,
    );
    return null;
  }
  const { fields, read: readKind } = KINDS[kind];
  read.fields(value, at, [kind, ...fields]);
  return readKind(value[kind], value, `${at}.${kind}`, read);
}

function outputOf(value: unknown, _: Json, at: string, read: Reader): Step {
  if (!isObject(value)) return { type: "output", lines: read.number(value, at), bytes: 0 };
  read.fields(value, at, ["lines", "bytes"]);
  const bytes = read.number(value.bytes, `${at}.bytes`, 0);
  return { type: "output", lines: read.number(value.lines, `${at}.lines`, 0), bytes };
}

function inputOf(value: unknown, at: string, read: Reader): Record<string, unknown> {
  if (typeof value === "string") return { command: value };
  if (value === undefined) return {};
  if (isObject(value)) return value;
  read.problem(`${at}.input`, "must be an object, or a text, which is the command");
  return {};
}

function questionsOf(value: unknown, at: string, read: Reader): Question[] {
  const given = isObject(value) ? [value] : read.list(value, at);
  if (given.length < 1 || given.length > 4) read.problem(at, `must be 1 to 4 questions, not ${given.length}`);
  return given.map((it, n) => questionOf(it, isObject(value) ? at : `${at}[${n}]`, read));
}

function questionOf(value: unknown, at: string, read: Reader): Question {
  if (!isObject(value)) {
    read.problem(at, `must be an object with "question" and "options"`);
    return { question: "", header: "", multiSelect: false, options: [] };
  }
  read.fields(value, at, ["question", "header", "multiSelect", "options"]);
  const question = read.text(value.question, `${at}.question`);
  const options = read.list(value.options, `${at}.options`).map((option, n) => {
    const where = `${at}.options[${n}]`;
    if (typeof option === "string") return { label: option, description: "" };
    if (!isObject(option))
      read.problem(where, `must be a label, or an object with "label" and "description"`);
    const fields = isObject(option) ? option : {};
    read.fields(fields, where, ["label", "description"]);
    return {
      label: read.text(fields.label, `${where}.label`),
      description: read.text(fields.description, `${where}.description`, ""),
    };
  });
  if (Array.isArray(value.options) && (options.length < 2 || options.length > 4))
    read.problem(`${at}.options`, `must be 2 to 4, not ${options.length}`);
  const header = read.text(
    value.header,
    `${at}.header`,
    question.split(/\s+/).slice(0, 2).join(" ").slice(0, 12),
  );
  return { question, header, multiSelect: read.flag(value.multiSelect, `${at}.multiSelect`, false), options };
}

/** Steps, or a text to say. */
function branch(value: unknown, at: string, read: Reader): Step[] | null {
  if (value === undefined) return null;
  return typeof value === "string" ? [{ type: "say", text: value }] : stepsOf(value, at, read);
}

function textsOf(value: unknown, at: string, read: Reader): Record<string, string> {
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, read.text(it, `${at}.${key}`)]));
  read.problem(at, "must be an object of texts");
  return {};
}
