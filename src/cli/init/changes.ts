/** What the hooks of `oj init CLIENT` change for the person, in their words. */
import type { HookInstaller, WantedHooks } from "../../agents/setup.ts";
import { formatDuration } from "../../core/text/duration.ts";

export function changesFor(installer: HookInstaller, wanted: WantedHooks): string[] {
  const { hold, soft } = wanted;
  return [
    installer.dialogs(wanted),
    installer.stops?.(wanted) ?? stopsOf(wanted),
    hold
      ? "it ends a turn only after it has offered you a decision; after three reminders it may"
      : soft
        ? "it ends its turns as before, and you are told when it offered you no decision"
        : "it ends its turns as before",
    "answers to what it asks (oj decision request) and messages (oj inject add) reach it with its next prompt or command",
  ];
}

function stopsOf({ wait_s }: WantedHooks): string {
  return wait_s === null
    ? "when it stops, its last words are in your inbox; a reply from there reaches it with your next prompt"
    : `when it stops, its last words are in your inbox; if they ask you something, it waits ${formatDuration(wait_s * 1000)} for your reply from there, and Esc ends the wait`;
}
