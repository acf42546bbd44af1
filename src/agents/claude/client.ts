/** Claude Code: what its hooks mean, how it is answered, and what it can do. */
import type { AgentClient, Keeping, KeepingPlace } from "../client.ts";
import { clearing } from "../composer-keys.ts";
import { guarded } from "../guarded-words.ts";
import { ALL_EXACT } from "../promises.ts";
import { fileChangeOf } from "./file-change.ts";
import { callName, readHook } from "./hooks.ts";
import { endsWithTurn, isClaude, launch } from "./launch.ts";
import { newsIn } from "./news.ts";
import { replyBody } from "./reply.ts";
import { claudeSession } from "./session.ts";
import { claudeSettings, configFolder } from "./settings.ts";
import { nextKey } from "./terminal/keys.ts";
import { DIALOG_MARKS } from "./terminal/lines.ts";
import { heardOn, timesSaid } from "./terminal/said.ts";
import { composerOn, dialogOn, lookAt } from "./terminal/screen.ts";
import { isOffered, isShown, textOf } from "./terminal/shown.ts";
import { readTranscripts, registered } from "./transcript.ts";
import { olderThanTested } from "./version.ts";

export const claudeCode: AgentClient = {
  kind: "claude-code",
  hooks: ["http", "command"],
  settings: claudeSettings,
  session: claudeSession,
  givesReceipts: true,
  hasKnownScreen: true,
  promises: ALL_EXACT,
  hidesDialogs: false,
  reportsRefusals: true,
  reportsStart: "at once",
  asksTrust: true,
  writesCalls: true,
  variables: ["CLAUDE_CONFIG_DIR"],
  olderThanTested,
  isStartedBy: isClaude,
  endsWithTurn,
  launch: (input) => launch(input, isClaude, ["--permission-mode", "default"]),
  read: readHook,
  reply: replyBody,
  callName,
  fileChange: fileChangeOf,
  look: lookAt,
  dialogMarks: DIALOG_MARKS,
  keys: nextKey,
  shown: shownDialog,
  shows(prompt, screen) {
    const dialog = dialogOn(screen);
    if (!dialog) return false;
    return prompt.choices.length > 0 ? isOffered(prompt, dialog) : isShown(prompt, dialog, "");
  },
  declared: () => null,
  heard: heardOn,
  timesSaid,
  composed: (screen) => composerOn(screen)?.text ?? "",
  clearing,
  kept: readTranscripts,
  news: newsIn,
  keeps: keeping,
  amends: (screen) => /\bTab to amend\b/i.test(screen),
  subagentsOf: (transcript) => ({
    folder: `${transcript.replace(/\.jsonl$/, "")}/subagents`,
    ending: ".jsonl",
  }),
  registered,
  // a client killed in its first moments leaves a file with nothing said in it, and refuses to resume it
  resumes: (file) => file.includes('"type":"user"'),
  guard: guarded,
};

/** The client names a project's folder after its path. If the path is very long, a hash replaces the rest. */
function keeping({ env, home, cwd }: KeepingPlace, id: string): Keeping {
  const config = configFolder(env, home);
  const projects = `${config}/projects`;
  const name = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  return { file: `${projects}/${name}/${id}.jsonl`, among: projects, registry: `${config}/sessions` };
}

/** Leaves out options that only open a line to write in: a key alone does not answer with them. */
function shownDialog(screen: string): ReturnType<AgentClient["shown"]> {
  const dialog = dialogOn(screen);
  if (!dialog || dialog.amending || dialog.clipped) return null;
  const from = dialog.options.findIndex((it) => it.selected);
  const choices = dialog.options.flatMap(({ number, label }, n) =>
    /^(Type something|Chat about|Tell Claude)/i.test(label)
      ? []
      : [{ label, keys: number === null ? keysTo(n - from) : String(number) }],
  );
  const text = textOf(dialog);
  const lines = text.split("\n");
  const asks = lines.findLast((line) => line.endsWith("?")) ?? lines[0] ?? "";
  const trust = dialog.kind === "trust" ? (choices.find((it) => /^Yes/.test(it.label)) ?? null) : null;
  return choices.length === 0 ? null : { text, asks, choices, trust };
}

function keysTo(rows: number): string {
  const moves = Array.from({ length: Math.abs(rows) }, () => (rows < 0 ? "Up" : "Down"));
  return [...moves, "Enter"].join(" ");
}
