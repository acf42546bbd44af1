/** What an agent of a test does in a turn: a word, and for most a colon and more, as in `asks: Which one? | a | b`. */
import type { SignalKind } from "../../core/model/agent-facts.ts";
import { parseDuration } from "../../core/text/duration.ts";
import type { Report, Span } from "../hcl/source.ts";
import { insteadOf } from "./shape.ts";

export type Deed =
  | { type: "done"; text: string }
  | { type: "asks"; question: string; options: string[] }
  | { type: "runs"; command: string }
  | { type: "writes"; path: string }
  | { type: "plans"; plan: string }
  | { type: "fails"; message: string }
  | { type: "dies"; code: number }
  | { type: "signals"; signal: SignalKind; message: string | null }
  | { type: "works"; ms: number }
  | { type: "hangs" };

type Verb = Deed["type"];

/** What may follow the word, for messages and docs. */
export const DEEDS: Record<Verb, string> = {
  done: "done, done: WORDS",
  asks: "asks: QUESTION | OPTION | OPTION…",
  runs: "runs: COMMAND",
  writes: "writes: PATH",
  plans: "plans: TEXT",
  fails: "fails: MESSAGE",
  dies: "dies, dies: CODE",
  signals: "signals: done, signals: escalate: WORDS, signals: fail: WORDS",
  works: "works: DURATION",
  hangs: "hangs",
};

const SIGNALS: readonly SignalKind[] = ["done", "escalate", "fail"];

export function readDeed(text: string, at: Span, report: Report): Deed | undefined {
  const [verb, rest] = halves(text);
  if (!Object.hasOwn(DEEDS, verb)) {
    report(at, `an agent can't "${verb}"`, insteadOf(verb, Object.keys(DEEDS)));
    return undefined;
  }
  const deed = deedOf(verb as Verb, rest);
  if (deed === null) report(at, `"${text}" is not complete`, `write ${DEEDS[verb as Verb]}`);
  return deed ?? undefined;
}

function deedOf(verb: Verb, rest: string): Deed | null {
  switch (verb) {
    case "done":
      return { type: verb, text: rest || "Done." };
    case "hangs":
      return rest === "" ? { type: verb } : null;
    case "dies":
      return /^\d{0,3}$/.test(rest) ? { type: verb, code: Number(rest || 1) } : null;
    case "works": {
      const ms = parseDuration(rest);
      return ms === null ? null : { type: verb, ms };
    }
    case "signals": {
      const [name, message] = halves(rest);
      const signal = SIGNALS.find((it) => it === name);
      return signal ? { type: verb, signal, message: message || null } : null;
    }
    case "asks": {
      const [question = "", ...options] = rest.split("|").map((it) => it.trim());
      return question !== "" && options.length > 1 && !options.includes("")
        ? { type: verb, question, options }
        : null;
    }
    case "runs":
      return rest === "" ? null : { type: verb, command: rest };
    case "writes":
      return rest === "" ? null : { type: verb, path: rest };
    case "plans":
      return rest === "" ? null : { type: verb, plan: rest };
    case "fails":
      return rest === "" ? null : { type: verb, message: rest };
  }
}

function halves(text: string): [string, string] {
  const colon = text.indexOf(":");
  if (colon === -1) return [text.trim(), ""];
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}
