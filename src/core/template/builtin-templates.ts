/**
 * The templates that every project has, unless it declares its own of that name or sets `builtin_templates = false`.
 */
import type { Template } from "../model/runbook.ts";

const BUILT_IN = { path: "", line: 0 } as const;

export const BUILTIN_TEMPLATES: readonly Template[] = [
  {
    ...BUILT_IN,
    name: "ambiguity",
    prompt_hint: "Say what is unclear and how it could be read",
    required_context: [{ key: "unclear" }, { key: "interpretations", min: 2 }],
    options: [],
    example: {
      prompt: "Do deleted users count?",
      options: ["They count", "They do not count"],
      context: { unclear: "what a user is", interpretations: ["every account", "accounts in use"] },
    },
  },
  {
    ...BUILT_IN,
    name: "checkpoint",
    prompt_hint: "Summarize progress and next steps",
    required_context: [{ key: "progress" }, { key: "next_steps" }],
    options: [
      { key: "continue", label: "Continue", description: "Keep going", recommended: true },
      { key: "adjust", label: "Adjust", description: "Change direction as the message says" },
      { key: "stop", label: "Stop", description: "Stop work", action: "cancel" },
    ],
    example: {
      prompt: "The CSV import is done. Continue with JSON?",
      options: [],
      context: { progress: "CSV import works, with tests", next_steps: ["import JSON", "documentation"] },
    },
  },
  {
    ...BUILT_IN,
    name: "confirmation",
    prompt_hint: "Say exactly what you are about to do and what it will change",
    required_context: [{ key: "action" }, { key: "impact" }],
    options: [
      { key: "proceed", label: "Proceed", description: "Do exactly this" },
      { key: "cancel", label: "Cancel", description: "Leave it as it is", action: "cancel" },
    ],
    example: {
      prompt: "Delete 14 merged branches?",
      options: [],
      context: { action: "git push origin --delete, 14 branches", impact: "they cannot be restored" },
    },
  },
  {
    ...BUILT_IN,
    name: "exception",
    prompt_hint: "Say what you expected, what you found instead, and what you would do about it",
    required_context: [{ key: "expected" }, { key: "found" }, { key: "recommendation" }],
    options: [],
    example: {
      prompt: "12 accounts have two owners. Which one stays?",
      options: ["The older one", "Ask the owners"],
      context: { expected: "one owner each", found: "12 have two", recommendation: "the older one" },
    },
  },
  {
    ...BUILT_IN,
    name: "prioritization",
    prompt_hint: "List what could come first, and how to judge it",
    required_context: [{ key: "candidates", min: 2 }, { key: "criteria" }],
    options: [],
    example: {
      prompt: "What comes first?",
      options: ["Search", "Export"],
      context: { candidates: ["search", "export"], criteria: "what most users ask for" },
    },
  },
  {
    ...BUILT_IN,
    name: "quality",
    prompt_hint: "Say what is to be judged, and how good you think it is",
    required_context: [{ key: "work" }, { key: "assessment" }],
    options: [
      { key: "accept", label: "Accept", description: "Good enough, carry on" },
      { key: "improve", label: "Improve", description: "Not yet, as the message says", action: "fail" },
      { key: "reject", label: "Reject", description: "Drop it", action: "cancel" },
    ],
    example: {
      prompt: "Is the new start page good enough?",
      options: [],
      context: { work: "the start page", assessment: "complete; its texts are a first draft" },
    },
  },
  {
    ...BUILT_IN,
    name: "stuck",
    prompt_hint: "Describe what is blocking you and what you have tried",
    required_context: [{ key: "blocker" }, { key: "tried" }],
    options: [
      { key: "unblock", label: "Unblock", description: "Continue as the message says" },
      { key: "reassign", label: "Reassign", description: "Give it to someone else", action: "fail" },
      { key: "cancel", label: "Cancel", description: "Drop this work", action: "cancel" },
    ],
    example: {
      prompt: "How do I get access to the staging database?",
      options: [],
      context: { blocker: "no access", tried: ["the read-only role", "a local copy"] },
    },
  },
  {
    ...BUILT_IN,
    name: "tradeoff",
    prompt_hint: "Present competing options with a recommendation",
    required_context: [{ key: "options" }, { key: "recommendation" }],
    options: [],
    example: {
      prompt: "Which cache?",
      options: ["Redis: the team knows it", "None: fewer parts"],
      context: { options: ["Redis", "none"], recommendation: "none, until we have measured" },
    },
  },
];
