/** The one table of options: what a step's option means, and how options are shown by number. */

import type { Prompt } from "../model/agent-types.ts";
import type { Action, Option, Owner, Question, Source } from "../model/decision-types.ts";
import { never } from "../model/errors.ts";
import type { OptionDef } from "../model/runbook.ts";
import { crewConsequence, crewOption } from "./crew-words.ts";

export const MAX_STEP_OPTIONS = 9;
export const MAX_REQUEST_OPTIONS = 4;

export function stepOption(def: OptionDef): Option {
  return {
    key: def.key,
    label: def.label ?? def.key,
    description: def.description ?? null,
    recommended: def.recommended ?? false,
    action: def.step ? { type: "goto", step: def.step } : { type: def.action ?? "continue" },
    ...(def.reversible === undefined ? {} : { reversible: def.reversible }),
  };
}

const CANCEL: Option = {
  key: "cancel",
  label: "Cancel",
  description: "Cancel the whole run",
  recommended: false,
  action: { type: "cancel" },
};
export const DISMISS: Option = {
  key: "dismiss",
  label: "Dismiss",
  description: "Do nothing for now",
  recommended: false,
  action: { type: "dismiss" },
};
const OTHER: Option = {
  key: "other",
  label: "Other",
  description: "Answer in your own words",
  recommended: false,
  action: { type: "other" },
};

function option(
  key: string,
  label: string,
  description: string,
  action: Action,
  recommended = false,
): Option {
  return { key, label, description, recommended, action };
}

/**
 * What a person will most likely say to an agent that stopped: an answer to its question, or that it is done. One that
 * hangs hears nothing until it is restarted.
 */
export type Expected = "reply" | "done" | "restart";

/** The default options of each source, in order, worded for the owner. */
export function optionsFor(
  source: Exclude<Source, "step" | "request">,
  prompt: Prompt | null,
  owner: Owner["kind"],
  expected: Expected | null = null,
): Option[] {
  const options = source === "idle" ? idleOptions(expected) : defaultsOf(source, prompt);
  return owner === "crew" ? options.map(crewOption) : options;
}

/** Words take the place of the nudge if the agent asked: the numbers of the other options stay. */
function idleOptions(expected: Expected | null): Option[] {
  if (expected === "restart")
    return [
      option("restart", "Restart", "Stop it and start it again where it left off", { type: "retry" }, true),
      option("done", "Done", "The step is complete", { type: "done" }),
      CANCEL,
      { ...DISMISS, description: "Leave it alone; it may still go on by itself" },
    ];
  const first =
    expected === "reply"
      ? option("reply", "Reply", "Answer the agent in your own words", { type: "reply" }, true)
      : option("nudge", "Nudge", "Tell the agent to continue", { type: "nudge" }, expected === null);
  const done = option("done", "Done", "The step is complete", { type: "done" }, expected === "done");
  return [first, done, CANCEL, DISMISS];
}

function defaultsOf(source: Exclude<Source, "step" | "request" | "idle">, prompt: Prompt | null): Option[] {
  switch (source) {
    case "dead":
    case "error":
      return [
        option("retry", "Retry", "Let the agent continue where it left off", { type: "retry" }, true),
        option("skip", "Skip", "Continue without this step", { type: "skip" }),
        CANCEL,
        DISMISS,
      ];
    case "gate":
      return [
        option(
          "retry",
          "Retry",
          "The agent gets another go, then the gate runs again",
          { type: "retry" },
          true,
        ),
        option("skip", "Skip", "Accept it as it is", { type: "skip" }),
        CANCEL,
      ];
    case "approval":
      if (prompt && prompt.choices.length > 0) return [...prompt.choices.map(keyed), CANCEL, DISMISS];
      return [
        option("approve", "Approve", "Allow exactly this, once", { type: "approve" }),
        option("deny", "Deny", "The agent is told no, with your message", { type: "deny" }),
        CANCEL,
        DISMISS,
      ];
    case "question":
      return [...questionOptions(prompt?.questions ?? []), CANCEL, DISMISS];
    case "plan":
      return [
        option(
          "accept-clear",
          "Accept (clear context)",
          "Build it with a fresh context",
          { type: "accept", mode: "clear" },
          true,
        ),
        option("accept-auto", "Accept (auto edits)", "Build it, accepting edits automatically", {
          type: "accept",
          mode: "auto",
        }),
        option("accept-manual", "Accept (manual edits)", "Build it, asking about each edit", {
          type: "accept",
          mode: "manual",
        }),
        option("revise", "Revise", "Back to planning, with your message", { type: "revise" }),
        CANCEL,
      ];
    default:
      return never(source);
  }
}

/**
 * A single question's options can be chosen by number; several
 * questions take a choice each, so those stay in `questions`.
 */
function questionOptions(questions: readonly Question[]): Option[] {
  const [only] = questions;
  if (!only || questions.length > 1) return [];
  const own = only.options.map(
    (it, index) =>
      ({
        key: `${index + 1}`,
        label: it.label,
        description: it.description,
        recommended: false,
        action: { type: "choose", label: it.label },
      }) satisfies Option,
  );
  return only.closed ? own : [...own, OTHER];
}

function keyed(choice: Prompt["choices"][number], index: number): Option {
  return option(`${index + 1}`, choice.label, `Presses ${choice.keys}`, { type: "keys", keys: choice.keys });
}

/** What choosing this will do, in words for the card. */
export function consequence(action: Action, owner: Owner["kind"]): string {
  const ofCrew = owner === "crew" ? crewConsequence(action) : null;
  if (ofCrew !== null) return ofCrew;
  switch (action.type) {
    case "continue":
      return action.ends === undefined ? "the job continues" : `the job ends as ${action.ends}`;
    case "goto":
      return `the job goes to step "${action.step}"`;
    case "cancel":
      return "cancels the job";
    case "fail":
      return "fails the job";
    case "dismiss":
      return "nothing happens; it keeps waiting";
    case "answer":
      return action.successor === undefined
        ? "the answer goes to the requester"
        : `the answer goes to the requester, who must follow it with a "${action.successor}" request`;
    case "nudge":
      return "the agent is told to continue";
    case "reply":
      return "the agent is told what you say";
    case "done":
      return "the step completes and the job continues";
    case "retry":
      return "the agent continues, restarted if necessary";
    case "skip":
      return "the step counts as done and the job continues";
    case "approve":
      return "the agent may do exactly this";
    case "deny":
      return "the agent is told no and carries on";
    case "choose":
    case "other":
    case "keys":
      return "the agent gets this answer";
    case "accept":
      return "the agent builds the plan";
    case "revise":
      return "the agent plans again with your message";
    default:
      return never(action);
  }
}
