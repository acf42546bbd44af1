/** Whether the dialog on a screen of Codex is the one that an answer is for: no answer may go to the next one. */
import type { Prompt } from "../../../core/model/agent-types.ts";
import { bare, ENOUGH, fieldOf, isDrawn, letters, textIn } from "../../drawn-text.ts";
import type { ShownDialog } from "./screen.ts";

export function isShown(prompt: Prompt, dialog: ShownDialog): boolean {
  if (prompt.choices.length > 0) return isOffered(prompt, dialog);
  if (prompt.kind === "question") return shownQuestion(prompt, dialog) >= 0;
  if (dialog.kind !== "approval") return false;
  return prompt.tool === "apply_patch" ? showsPatch(prompt, dialog) : showsCommand(prompt, dialog);
}

/** For a dialog that we know only from its screen: it says the same, and all options are there. */
function isOffered({ choices, input }: Prompt, dialog: ShownDialog): boolean {
  if (bare(textOf(dialog)) !== bare(fieldOf(input, "screen"))) return false;
  return choices.every((choice) => dialog.options.some((it) => it.label === choice.label));
}

/** What a dialog says above its options. */
export function textOf({ body }: ShownDialog): string {
  return body.map((line) => line.trim()).join("\n");
}

/** The client draws no tabs. Of a command with more lines than the screen, it draws the beginning. */
function showsCommand({ tool, input }: Prompt, { body }: ShownDialog): boolean {
  const from = body.findIndex((line) => /^\s*\$ /.test(line));
  if (tool !== "Bash" || from < 0) return false;
  const cut = body.findIndex((line, n) => n > from && /^\s*\[… \d+ lines\]/.test(line));
  const [first = "", ...rest] = body.slice(from, cut < 0 ? undefined : cut);
  const lines = [first.replace(/^\s*\$ /, ""), ...rest];
  return isDrawn(cut < 0 ? "all" : "start", lines, textIn(input, "command").replaceAll("\t", ""));
}

/** The dialog names every file that the patch touches; the change itself is in the conversation above. */
function showsPatch({ input }: Prompt, { body }: ShownDialog): boolean {
  const files = [...textIn(input, "command").matchAll(PATCHED)].map(([, file = ""]) => bare(file));
  const shown = destinations(body).map(bare);
  const isNamed = (file: string) =>
    shown.some((it) => it === file || it.endsWith(`/${file.replace(/^\.\//, "")}`));
  return files.length > 0 && files.every(isNamed) && shown.length === new Set(files).size;
}

const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

/** A long path goes on in the next line. */
function destinations(body: string[]): string[] {
  const found: string[] = [];
  for (const line of body) {
    const [, path] = /^\s*Destination: (.*)$/.exec(line) ?? [];
    if (path !== undefined) found.push(path);
    else if (found.length > 0) found.push(`${found.pop()}${line.trim()}`);
  }
  return found;
}

/** The option that the client adds to each question. Own words go with it as a note. */
const NONE = "None of the above";

/** Which of the prompt's questions is on the screen; -1 if it is none of them. */
export function shownQuestion(prompt: Prompt, dialog: ShownDialog): number {
  const [title = "", ...lines] = dialog.body;
  const [, at, of] = /Question (\d+)\/(\d+)/.exec(title) ?? [];
  const n = Number(at) - 1;
  const question = prompt.questions[n];
  if (dialog.kind !== "question" || !question || Number(of) !== prompt.questions.length) return -1;
  const [shown, asked] = [letters(lines.join("\n")), letters(question.question)];
  if (shown !== asked && !(shown.length >= ENOUGH && asked.startsWith(shown))) return -1;
  const labels = [...question.options.map((it) => it.label), NONE];
  const fits = labels.every((label, i) => letters(dialog.options[i]?.label ?? "") === letters(label));
  return fits && dialog.options.length === labels.length ? n : -1;
}
