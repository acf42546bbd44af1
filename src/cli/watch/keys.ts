/** Turns what a terminal sends into the inbox's names of keys. A paste is never taken for keys. */
import type { Key } from "../base/keys.ts";

/** The keys that only the terminal has: they change what is shown, and nothing else. */
export const OWN_KEYS = [
  { keys: ["e"], command: "whole", help: "the whole text, nothing cut or folded" },
  { keys: ["s"], command: "unfold", help: "unfold the agent's screen, and what changed" },
  { keys: ["c"], command: "start", help: "start a command or a crew of this project" },
  { keys: ["f"], command: "fleet", help: "the fleet: every agent and job; peek, attach, send, cancel" },
] as const;

/** The inbox's name for a key, or null if it has none. */
export function nameOf(key: Key): string | null {
  switch (key.type) {
    case "text":
      return key.text === " " ? "space" : key.text;
    case "move":
      return key.name;
    case "enter":
    case "escape":
      return key.type;
    case "interrupt":
    case "end":
      return "ctrl+c";
    default:
      return null;
  }
}
