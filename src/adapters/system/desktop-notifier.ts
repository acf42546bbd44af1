/** Desktop notifications, through the system's own program. Whether one was shown is never certain, and never matters to a job. */
import { execFile } from "node:child_process";
import type { Journal, Notifier } from "../../ports.ts";

const WITHIN_MS = 5000;

export function desktopNotifier(input: {
  platform: string;
  env: Readonly<Record<string, string>>;
  journal: Journal;
}): Notifier {
  return {
    notify(title, text) {
      const [program, args] = commandFor(input.platform, title, text);
      return new Promise((resolve) => {
        execFile(program, args, { env: { ...input.env }, timeout: WITHIN_MS }, (error) => {
          if (error) input.journal.debug("could not show a notification", { program, error: error.message });
          resolve();
        });
      });
    },
  };
}

/** Text is passed as arguments; AppleScript reads its own, so nothing in it becomes script. */
function commandFor(platform: string, title: string, text: string): [string, string[]] {
  if (platform !== "darwin") return ["notify-send", ["--app-name=oj", "--", title, text]];
  const script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
  return ["osascript", ["-e", script, title, text]];
}
