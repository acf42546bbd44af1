/** Every key of the inbox, in one table for the terminal, the web page and the help of both. */

export type Command =
  | "down"
  | "up"
  | "first"
  | "last"
  | "left"
  | "right"
  | "send"
  | "toggle"
  | "next"
  | "previous"
  | "scroll-down"
  | "scroll-up"
  | "message"
  | "text"
  | "peek"
  | "dismiss"
  | "edit"
  | "remember"
  | "suggestion"
  | "high"
  | "all"
  | "filter"
  | "mark"
  | "mark-similar"
  | "undo"
  | "claim"
  | "open"
  | "help"
  | "back"
  | "quit"
  | "leave";

export type Pressed = { command: Command } | { choose: number };

interface Entry {
  /** Named as the terminal and the browser name them, in lower case except for single letters. */
  keys: readonly string[];
  command: Command;
  help: string;
}

export const KEYS: readonly Entry[] = [
  { keys: ["j", "down"], command: "down", help: "next decision" },
  { keys: ["k", "up"], command: "up", help: "previous decision" },
  { keys: ["g", "home"], command: "first", help: "first" },
  { keys: ["G", "end"], command: "last", help: "last" },
  { keys: ["J", "page-down"], command: "scroll-down", help: "scroll the text down" },
  { keys: ["K", "page-up"], command: "scroll-up", help: "scroll the text up" },
  { keys: ["enter"], command: "send", help: "send the answer" },
  { keys: ["space"], command: "toggle", help: "choose the focused option; several where that is allowed" },
  { keys: ["left", "h"], command: "left", help: "previous option" },
  { keys: ["right", "l"], command: "right", help: "next option" },
  { keys: ["tab"], command: "next", help: "next question" },
  { keys: ["shift+tab"], command: "previous", help: "previous question" },
  { keys: ["r"], command: "message", help: "say why: a message to go with the answer" },
  { keys: ["t"], command: "text", help: "answer in your own words" },
  { keys: ["p"], command: "peek", help: "look at the agent's terminal" },
  { keys: ["E"], command: "edit", help: "change the command, edit or plan before you approve it" },
  {
    keys: ["R"],
    command: "remember",
    help: "remember this approval: for this job, or always in this project",
  },
  {
    keys: ["P"],
    command: "suggestion",
    help: "look at the rule that your answers suggest, accept or decline it",
  },
  { keys: ["d"], command: "dismiss", help: "dismiss, after confirming" },
  { keys: ["i"], command: "claim", help: "I'm on it: nobody else is told meanwhile; again: no longer" },
  { keys: ["u"], command: "undo", help: "take the last answer back" },
  { keys: ["m"], command: "mark", help: "mark, to answer several together" },
  {
    keys: ["M"],
    command: "mark-similar",
    help: "open the group of those with the same action, all marked; again: fold it",
  },
  { keys: ["!"], command: "high", help: "only high urgency" },
  { keys: ["a"], command: "all", help: "all of them" },
  { keys: ["/"], command: "filter", help: "filter by text" },
  { keys: ["o"], command: "open", help: "open in the browser" },
  { keys: ["?"], command: "help", help: "this help" },
  { keys: ["escape"], command: "back", help: "back" },
  { keys: ["q"], command: "quit", help: "quit; where something is open, close it" },
  { keys: ["ctrl+c"], command: "leave", help: "quit at once" },
];

const BY_KEY = new Map(KEYS.flatMap((it) => it.keys.map((key) => [key, it.command] as const)));

/** What a key means; null for an unknown key, which does nothing. */
export function pressed(key: string): Pressed | null {
  if (/^[1-9]$/.test(key)) return { choose: Number(key) };
  const command = BY_KEY.get(key);
  return command ? { command } : null;
}
