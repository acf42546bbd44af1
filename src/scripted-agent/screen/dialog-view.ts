/** A dialog as lines of the screen, in the words and the order of Claude Code 2.1.325. Pure. */

import type { Question } from "../scenario/scenario.ts";
import type { ApprovalDialog, Dialog, PlanDialog, QuestionDialog, TrustDialog } from "./dialog.ts";
import { answerTexts, isReviewed, rowsOf } from "./dialog.ts";
import { style, wrap } from "./text.ts";

export interface Size {
  columns: number;
  rows: number;
}

export function viewDialog(dialog: Dialog, size: Size): string[] {
  switch (dialog.type) {
    case "approval":
      return approval(dialog, size.columns);
    case "question":
      return question(dialog, size.columns);
    case "plan":
      return plan(dialog, size);
    case "trust":
      return trust(dialog, size.columns);
  }
}

function approval(dialog: ApprovalDialog, columns: number): string[] {
  const options = dialog.options.flatMap(({ label, grants }, n) => {
    const here = n === dialog.cursor;
    const prompt =
      grants === "no" ? "No, and tell Claude what to do differently" : "Yes, and tell Claude what to do next";
    const written = dialog.text === "" ? prompt : `${grants === "no" ? "No" : "Yes"}, ${dialog.text}`;
    return option(n + 1, here && dialog.amending ? written : label, here, columns, " ");
  });
  const foot = ["", style.dim(dialog.amending ? " Esc to cancel" : " Esc to cancel · Tab to amend")];
  const ask = wrap(dialog.ask, columns - 1, " ");
  return [
    rule(columns),
    style.bold(` ${dialog.title}`),
    ...(dialog.subtitle === "" ? [] : wrap(dialog.subtitle, columns, " ")),
    dashes(columns),
    ...subject(dialog.body, columns),
    dashes(columns),
    ...ask,
    ...options,
    ...foot,
  ];
}

/** Wrapped lines have a bar beside them. */
function subject(body: string[], columns: number): string[] {
  const lines = body.flatMap((line) => wrap(line, columns - 2, " "));
  return lines.length === body.length ? lines : body.flatMap((line) => wrap(line, columns - 2, " │ ", " │ "));
}

function question(dialog: QuestionDialog, columns: number): string[] {
  const asked = dialog.questions[dialog.tab];
  const page = dialog.pages[dialog.tab];
  const top = [rule(columns), tabs(dialog), ""];
  if (!asked || !page) return [...top, ...review(dialog, columns)];
  const rows = rowsOf(asked);
  const box = (ticked: boolean) => (asked.multiSelect ? `[${ticked ? "✔" : " "}] ` : "");
  const choice = (label: string, picked: boolean) =>
    box(picked) + label + (picked && !asked.multiSelect ? " ✔" : "");
  const choices = asked.options.flatMap(({ label, description }, n) => {
    const lines = option(n + 1, choice(label, page.picked.includes(n)), page.cursor === n, columns, "");
    const indent = asked.multiSelect ? "         " : "     ";
    return description === "" ? lines : [...lines, ...wrap(description, columns, indent).map(style.dim)];
  });
  const own = page.text === "" ? `Type something${asked.multiSelect ? "" : "."}` : page.text;
  const next = dialog.tab + 1 < dialog.questions.length ? "Next" : "Submit";
  return [
    ...top,
    ...asking(asked, columns),
    "",
    ...choices,
    ...(rows.text === null
      ? []
      : option(rows.text + 1, box(page.own) + own, page.cursor === rows.text, columns, "")),
    ...(rows.next === null ? [] : [`${page.cursor === rows.next ? "❯" : " "}    ${next}`]),
    rule(columns),
    ...option((rows.next ?? rows.chat) + 1, "Chat about this", page.cursor === rows.chat, columns, ""),
    "",
    style.dim(
      `Enter to select · ${dialog.questions.length > 1 ? "Tab/Arrow keys" : "↑/↓"} to navigate · Esc to cancel`,
    ),
  ];
}

/** Long questions have a bar beside them. */
function asking({ question: text }: Question, columns: number): string[] {
  const lines = wrap(text, columns);
  return lines.length === 1
    ? lines.map(style.bold)
    : wrap(text, columns - 2).map((line) => `│ ${style.bold(line)}`);
}

function tabs(dialog: QuestionDialog): string {
  const answers = answerTexts(dialog);
  const one = dialog.questions.map(({ header }, n) => `${answers[n] === null ? "☐" : "☒"} ${header}`);
  return isReviewed(dialog) ? `←  ${one.join("  ")}  ✔ Submit  →` : ` ${one.join("")}`;
}

function review(dialog: QuestionDialog, columns: number): string[] {
  const answers = answerTexts(dialog);
  const given = dialog.questions.flatMap((it, n) => {
    const answer = answers[n] ?? null;
    return answer === null
      ? []
      : [...reviewed(it.question, columns), ...wrap(answer, columns, "   → ", "   ")];
  });
  return [
    style.bold("Review your answers"),
    "",
    ...(answers.includes(null) ? ["⚠ You have not answered all questions", ""] : []),
    ...given,
    "",
    "Ready to submit your answers?",
    "",
    ...option(1, "Submit answers", dialog.cursor === 0, columns, ""),
    ...option(2, "Cancel", dialog.cursor === 1, columns, ""),
  ];
}

function reviewed(text: string, columns: number): string[] {
  const lines = wrap(text, columns, " ● ");
  return lines.length === 1 ? lines : wrap(text, columns, " │ ● ", " │   ");
}

function plan(dialog: PlanDialog, { columns, rows }: Size): string[] {
  const last = dialog.options.length - 1;
  const options = dialog.options.flatMap(({ label }, n) =>
    option(
      n + 1,
      n === last && dialog.text !== "" ? dialog.text : label,
      dialog.cursor === n,
      columns,
      "   ",
    ),
  );
  const foot = [
    style.dim("        shift+tab to approve with this feedback"),
    "",
    ...wrap(`ctrl+g to edit in Vim · ${dialog.file}`, columns, "   ").map(style.dim),
  ];
  const ask = wrap(
    "Claude has written up a plan and is ready to execute. Would you like to proceed?",
    columns - 3,
    "   ",
  );
  const body = dialog.plan
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrap(line.replace(/^#+ /, ""), columns - 4, "   "));
  const room = Math.max(rows - options.length - foot.length - ask.length - 8, 3);
  const dashed = `  ${dashes(columns - 4)}`;
  const shown =
    body.length > room ? [...body.slice(0, room - 1), `${" ".repeat(columns - 2)}↓`] : [...body, dashed, ""];
  return [
    `  ${rule(columns - 4)}`,
    style.bold("   Ready to code?"),
    "",
    "   Here is Claude's plan:",
    dashed,
    ...shown,
    `  ${rule(columns - 4)}`,
    ...ask,
    "",
    ...options,
    ...foot,
  ];
}

function trust(dialog: TrustDialog, columns: number): string[] {
  const row = (label: string, n: number) => ` ${dialog.cursor === n ? "❯" : " "} ${label}`;
  return [
    rule(columns),
    " Accessing workspace:",
    "",
    ` ${dialog.folder}`,
    "",
    ...wrap("Quick safety check: Is this a project you created or one you trust?", columns, " "),
    "",
    row("No, exit", 0),
    row("Yes, I trust this folder", 1),
    "",
    " Enter to confirm · Esc to cancel",
  ];
}

function option(number: number, label: string, here: boolean, columns: number, margin: string): string[] {
  const first = `${margin}${here ? "❯" : " "} ${number}. `;
  const box = /^\[[ ✔]\] /.exec(label)?.[0] ?? "";
  const lines = wrap(label.slice(box.length), columns, first + box);
  return here ? lines.map(style.blue) : lines;
}

function rule(columns: number): string {
  return style.dim("─".repeat(Math.max(columns, 1)));
}

function dashes(columns: number): string {
  return style.dim("╌".repeat(Math.max(columns, 1)));
}
