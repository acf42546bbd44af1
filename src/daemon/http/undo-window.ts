/** How long an answer can be undone before it goes out, by the door that it came through. */

import type { Via } from "../../core/model/decision-types.ts";
import type { Settings } from "../../settings.ts";

export function undoMs({ undo }: Pick<Settings, "undo">, via: Via): number {
  const windows: Partial<Record<Via, number>> = {
    tui: undo.watch_s,
    web: undo.web_s,
    cli: undo.cli_s,
    ssh: undo.cli_s,
    slack: undo.slack_s,
    mail: undo.mail_s,
    push: undo.push_s,
    ntfy: undo.ntfy_s,
    telegram: undo.telegram_s,
  };
  return (windows[via] ?? undo.api_s) * 1000;
}
