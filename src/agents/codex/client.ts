/** Codex: what its hooks mean, how it is answered, and what it can do. */
import type { AgentClient } from "../client.ts";
import { clearing } from "../composer-keys.ts";
import { ALL_EXACT } from "../promises.ts";
import { callName, readHook } from "./hooks.ts";
import { endsWithTurn, isCodex, launch } from "./launch.ts";
import { replyBody } from "./reply.ts";
import { hasWords, newsIn, readRollout } from "./rollout.ts";
import { codexSession } from "./session.ts";
import { nextKey } from "./terminal/keys.ts";
import { heardOn, timesSaid } from "./terminal/said.ts";
import { composerOn, DIALOG_MARKS, dialogOn, lookAt } from "./terminal/screen.ts";
import { isShown, textOf } from "./terminal/shown.ts";
import { guarded } from "./terminal/words.ts";
import { olderThanTested } from "./version.ts";

export const codex: AgentClient = {
  kind: "codex",
  hooks: ["command"],
  settings: null,
  session: codexSession,
  givesReceipts: true,
  hasKnownScreen: true,
  promises: { ...ALL_EXACT, edited: null, question: "best effort", plan: null }, // it has no dialog for a plan
  hidesDialogs: true,
  reportsRefusals: false,
  reportsStart: "when told",
  asksTrust: true,
  writesCalls: false,
  variables: ["CODEX_HOME"],
  olderThanTested,
  isStartedBy: isCodex,
  endsWithTurn,
  launch,
  read: readHook,
  reply: replyBody,
  callName,
  fileChange: () => null,
  look: lookAt,
  dialogMarks: DIALOG_MARKS,
  keys: nextKey,
  shown: shownDialog,
  shows(prompt, screen) {
    const dialog = dialogOn(screen);
    return dialog !== null && isShown(prompt, dialog);
  },
  declared: () => null,
  heard: heardOn,
  timesSaid,
  composed: (screen) => composerOn(screen)?.text ?? "",
  clearing,
  kept: readRollout,
  news: newsIn,
  // the name of the file has the time at which the conversation began, and every hook names the file
  keeps: () => null,
  amends: () => false,
  subagentsOf: () => null,
  registered: () => null,
  resumes: hasWords,
  guard: guarded,
};

function shownDialog(screen: string): ReturnType<AgentClient["shown"]> {
  const dialog = dialogOn(screen);
  if (!dialog || dialog.note !== null) return null;
  const choices = dialog.options.map(({ number, label }) => ({ label, keys: String(number) }));
  const text = textOf(dialog);
  const lines = text.split("\n");
  const asks = lines.findLast((line) => line.includes("?")) ?? lines[0] ?? "";
  const trust = dialog.kind === "trust" ? (choices.find((it) => /^Trust/.test(it.label)) ?? null) : null;
  return { text, asks, choices, trust };
}
