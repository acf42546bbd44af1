/** Something that happened to an agent and may need a person. */

import { errorWords, kindWords, withoutKind } from "../failure/error-words.ts";
import type { SignalKind } from "../model/agent-facts.ts";
import type { Agent, Gate, Prompt, TriggerName } from "../model/agent-types.ts";
import type { Source } from "../model/decision-types.ts";
import type { Moment } from "../model/ids.ts";
import type { Expected } from "../template/options.ts";
import { questionIn } from "../text/asks.ts";
import type { QuoteName } from "../text/quote.ts";
import { quoted } from "../text/quote.ts";
import { gateTitle, promptTitle, stoppedTitle, titled } from "../text/title.ts";
import { clipped } from "../text/words.ts";

export interface Occasion {
  trigger: TriggerName;
  source: Extract<Source, "idle" | "dead" | "error" | "gate" | "approval" | "question" | "plan">;
  /** Its line in a list, if a person is asked. */
  title: string;
  /** What happened, in our words. */
  what: string;
  /** What was said or printed about it. */
  said: { quote: QuoteName; text: string } | null;
  /** More parts of the context: what happened before this, and since. */
  since?: readonly string[];
  /** The last lines of the agent's output. */
  tail: string;
  /** The kind of error, which `match` names. */
  kind?: string | undefined;
  prompt?: Prompt;
  /** What went wrong, as the agent is told when it gets another try. */
  failure?: string;
  /** What a person will most likely answer, if what happened tells. */
  expected?: Expected | null;
  /** The agent's last message, if a newer one is known than that of its last turn. */
  last?: string | undefined;
}

export function metError(
  { kind, message }: { kind: string; message: string },
  tail: string,
  last?: string,
): Occasion {
  const words = errorWords(message);
  const said = { quote: "error", text: words } as const;
  const label = kind === "other" ? "Error" : kindWords(kind);
  return {
    trigger: "on_error",
    source: "error",
    title: titled(label, withoutKind(words, label)),
    what: `The agent hit an error: ${kind}`,
    said,
    tail,
    kind,
    failure: `An error interrupted you: ${words || kind}`,
    last,
  };
}

export function prompts(
  { moment }: { moment: Moment },
  { name, kind: client, cwd }: Agent,
  prompt: Prompt,
  tail: string,
  last?: string,
): Occasion {
  const { kind, choices } = prompt;
  const title = promptTitle(prompt, cwd);
  const what = {
    approval: `${name} wants to use ${title}`,
    question: "The agent has a question",
    plan: "The agent has made a plan",
  }[kind];
  // the client has hooks, but none announced this dialog: it may be nothing but a drawing
  const isUntold = choices.length > 0 && moment.clients.hasHooks(client);
  return {
    trigger: "on_prompt",
    source: kind,
    title: isUntold ? titled("Not reported by a hook", title) : title,
    what: choices.length > 0 ? "The agent's terminal is showing a prompt" : what,
    said: null,
    tail,
    prompt,
    last,
  };
}

export function stops({ last_message }: Agent, tail: string): Occasion {
  const title = stoppedTitle(last_message);
  return {
    trigger: "on_idle",
    source: "idle",
    title,
    what: "The agent has stopped and is waiting",
    said: null,
    tail,
    expected: questionIn(last_message) === null ? null : "reply",
  };
}

export function dies(reported: string, tail: string, last?: string): Occasion {
  const how = errorWords(reported);
  const what = `The agent's process is gone (${how})`;
  const failure = `You were interrupted: your process died (${how}).`;
  return {
    trigger: "on_dead",
    source: "dead",
    title: titled("Died", how),
    what,
    said: null,
    tail,
    failure,
    last,
  };
}

export function signals(signal: Exclude<SignalKind, "fail">, message: string | null, tail: string): Occasion {
  const says = signal === "done" ? "says it is done" : "asks for a person";
  const asks = questionIn(message ?? "") !== null;
  return {
    trigger: "on_signal",
    source: "idle",
    title: titled(`${says.slice(0, 1).toUpperCase()}${says.slice(1)}`, message ?? ""),
    what: `The agent ${says}`,
    said: message === null ? null : { quote: "signal", text: message },
    tail,
    expected: signal === "done" ? "done" : asks ? "reply" : null,
  };
}

/** A longer line of a gate is cut in the title; it is quoted in full. */
const LONGEST_LINE = 150;

interface GateFailing {
  code: string;
  /** All that it printed, and what of it a person has to read. */
  output: string;
  shown: string;
  since: readonly string[];
  tail: string;
  last?: string | undefined;
}

export function failsGate(
  { trigger, run }: Gate,
  { code, output, shown, since, tail, last }: GateFailing,
): Occasion {
  const lines = run.trimEnd().split("\n");
  const [first = ""] = lines;
  const isLong = lines.length > 1 || first.length > LONGEST_LINE;
  const rest = lines.length > 1 ? ` … (${lines.length} lines)` : "";
  return {
    last,
    trigger,
    source: "gate",
    title: gateTitle(run, code),
    what: `The gate failed: ${clipped(first, LONGEST_LINE)}${rest}\n${code}`,
    said: { quote: "gate", text: shown },
    since: [isLong ? quoted("script", run) : "", ...since],
    tail,
    failure: ["A check failed:", `$ ${run.trimEnd()}\n${code}`, output.trim()]
      .filter((it) => it !== "")
      .join("\n\n"),
  };
}
