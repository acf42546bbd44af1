/** What a scenario may say: the steps of each turn, in the words of the file. Reading one is in `scripted-agent/scenario/read.ts`. */

export interface Scenario {
  /** The first prompt plays the first turn, and so on. */
  turns: Step[][];
  /** Checked before `turns`: the first whose pattern is found in the prompt is played, and does not count as a turn. */
  match: { prompt: RegExp; steps: Step[] }[];
  /** Played when the turns are used up; without it the last turn repeats. */
  otherwise: Step[] | null;
  /** Played each time a Stop hook sends the agent back; without it the agent says so and stops again. */
  sent_back: Step[] | null;
  /** Keys are lost for this long after a dialog appears. */
  ignore_keys_ms: number;
  /** Asks first whether the folder is to be trusted, like a client that has never been there. */
  trust: boolean;
  /** The hooks that it supports: all, only commands, or none; as in a client that is too old, or whose company forbids them. */
  hooks: HookKinds;
}

export const HOOK_KINDS = ["all", "command", "none"] as const;
export type HookKinds = (typeof HOOK_KINDS)[number];

export type Step =
  | { type: "say"; text: string }
  | ToolStep
  | { type: "ask"; questions: Question[]; declined: Step[] | null; go_on: boolean }
  | { type: "plan"; versions: string[]; revised: Step[] | null; go_on: boolean }
  | { type: "sleep"; ms: number }
  | { type: "hang"; ms: number }
  | { type: "work"; ms: number }
  | { type: "output"; lines: number; bytes: number }
  | { type: "error"; kind: string; message: string }
  | { type: "background"; ms: number; name: string; steps: Step[] }
  | { type: "crash"; code: number; signal: NodeJS.Signals | null }
  | { type: "exit"; code: number }
  | { type: "ignore_keys"; ms: number }
  | { type: "signal"; kind: string; message: string | null }
  | { type: "run"; command: string }
  | { type: "expect"; of: Told; pattern: RegExp }
  | { type: "fake_dialog"; text: string }
  | { type: "escape"; text: string }
  | { type: "hook"; body: unknown; event: string; headers: Record<string, string> }
  | { type: "flood"; per_second: number; seconds: number; body: unknown }
  | { type: "loop"; times: number; steps: Step[] };

export interface ToolStep {
  type: "tool";
  name: string;
  input: Record<string, unknown>;
  /** What the tool returns when it is allowed. */
  result: string;
  /** Does what the tool says (Bash and Write) instead of only pretending. */
  real: boolean;
  /** Without a dialog, as for a tool that the settings allow. */
  asks: boolean;
  /** Played when it is denied, instead of the rest of the turn. */
  denied: Step[] | null;
  /** After `denied`, the rest of the turn is still played. */
  go_on: boolean;
}

export interface Question {
  question: string;
  header: string;
  multiSelect: boolean;
  options: { label: string; description: string }[];
  /** It takes no words but its options. Only the runner asks so. */
  closed?: boolean;
}

/** What the agent was last told, of each kind. In texts `{{prompt}}` stands for it. */
export type Told = "prompt" | "answer" | "message" | "context";

export const TOLD: readonly Told[] = ["prompt", "answer", "message", "context"];

/** The kinds of API errors that Claude Code reports, with what it says then. */
export const ERRORS: Readonly<Record<string, string>> = {
  rate_limit: "API Error: Request rejected (429) · Rate limited",
  authentication_failed: "API Error: 401 Invalid authentication credentials · Please run /login",
  billing_error: "Credit balance is too low",
  server_error: "API Error: 529 Overloaded. Try again in a moment.",
  overloaded: "API Error: 529 Overloaded. Try again in a moment.",
  invalid_request: "Prompt is too long",
  unknown: "API Error: Connection error. (ECONNREFUSED)",
};

/** Steps that are played within this one. */
export function innerSteps(step: Step): Step[] | null {
  switch (step.type) {
    case "loop":
    case "background":
      return step.steps;
    case "tool":
      return step.denied;
    case "ask":
      return step.declined;
    case "plan":
      return step.revised;
    default:
      return null;
  }
}
