import assert from "node:assert/strict";
import { it } from "vitest";
import type { Via } from "../../core/model/decision-types.ts";
import { VIAS } from "../../core/model/decision-types.ts";
import { undoMs } from "./undo-window.ts";

const undo = {
  watch_s: 1,
  web_s: 2,
  cli_s: 3,
  api_s: 4,
  slack_s: 5,
  mail_s: 6,
  push_s: 7,
  ntfy_s: 8,
  telegram_s: 9,
};
/** The others are programs, or what decides by itself. */
const SETTINGS: Partial<Record<Via, keyof typeof undo>> = {
  tui: "watch_s",
  web: "web_s",
  cli: "cli_s",
  ssh: "cli_s",
  slack: "slack_s",
  mail: "mail_s",
  push: "push_s",
  ntfy: "ntfy_s",
  telegram: "telegram_s",
};

it.each(VIAS)("an answer by %s can be undone for as long as its setting says", (via) => {
  assert.equal(undoMs({ undo }, via), undo[SETTINGS[via] ?? "api_s"] * 1000);
});
