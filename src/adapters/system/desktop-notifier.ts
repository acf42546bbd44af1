/** Desktop notifications, through the system's own program. All we know of whether one was shown is what it says. */
import type { ExecFileException } from "node:child_process";
import { execFile } from "node:child_process";
import type { Journal, Notice, Notifier } from "../../ports.ts";

const WITHIN_MS = 5000;

export function desktopNotifier(input: {
  platform: string;
  env: Readonly<Record<string, string>>;
  journal: Journal;
}): Notifier {
  const run = (program: string, args: string[]) =>
    new Promise<string | null>((resolve) => {
      const how = { env: { ...input.env }, timeout: WITHIN_MS, killSignal: "SIGKILL" } as const;
      execFile(program, args, how, (error, _, said) => {
        resolve(error ? wordsFor(program, error, said) : null);
      });
    });
  return {
    async notify(notice) {
      const trouble = await run(...commandFor(input.platform, notice));
      if (trouble !== null) input.journal.debug("could not show a notification", { error: trouble });
      return trouble;
    },
    // osascript is part of macOS
    check: async () => (input.platform === "darwin" ? null : run("notify-send", ["--version"])),
  };
}

function wordsFor(program: string, { code, killed }: ExecFileException, said: string): string {
  if (code === "ENOENT") return `${program} is not installed`;
  if (killed) return `${program} took longer than ${WITHIN_MS / 1000} s`;
  return `${program} failed: ${said.trim().slice(0, 200) || code}`;
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
