/** Desktop notifications, through the system's own program. Whether one was shown is never certain, and never matters to a job. */
import { execFile } from "node:child_process";
import type { Journal, Notice, Notifier } from "../../ports.ts";

const WITHIN_MS = 5000;

export function desktopNotifier(input: {
  platform: string;
  env: Readonly<Record<string, string>>;
  journal: Journal;
}): Notifier {
  return {
    notify(notice) {
      const [program, args] = commandFor(input.platform, notice);
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
function commandFor(platform: string, notice: Notice): [string, string[]] {
  const [title, text] = [plain(notice.title), plain(notice.text)];
  if (platform !== "darwin") {
    const urgency = notice.isUrgent ? "critical" : "normal";
    return ["notify-send", ["--app-name=oj", `--urgency=${urgency}`, "--", title, escaped(text)]];
  }
  const script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
  return ["osascript", ["-e", script, title, text]];
}

/** Without control characters: no desktop shows them, and no program can be given a null character. */
function plain(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, " ");
}

/** The desktop reads the text, though not the title, as markup: an agent must not write links into it. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
