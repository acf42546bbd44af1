/** The dialogs as Claude Code shows them for each tool. Pure. */

import type { Question } from "../scenario/scenario.ts";
import type { ApprovalDialog, PlanDialog, QuestionDialog, TrustDialog } from "./dialog.ts";

export function approvalDialog(
  name: string,
  input: Record<string, unknown>,
  where: { cwd: string; forced: boolean },
): ApprovalDialog {
  const fresh = { type: "approval", cursor: 0, amending: false, text: "" } as const;
  const yes = { label: "Yes", grants: "once" } as const;
  const no = { label: "No", grants: "no" } as const;
  const file = baseName(textOf(input.file_path));
  if (name === "Write" || name === "Edit") {
    const edits = {
      label:
        "Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)",
      grants: "edits",
    } as const;
    const ask =
      name === "Write" ? `Do you want to create ${file}?` : `Do you want to make this edit to ${file}?`;
    return {
      ...fresh,
      title: name === "Write" ? "Create file" : "Edit file",
      subtitle: file,
      body: changeOf(name, input),
      ask,
      options: [yes, edits, no],
    };
  }
  const isShell = name === "Bash";
  const always = {
    label: isShell
      ? `Yes, and always allow access to ${where.cwd} from this project`
      : `Yes, and don't ask again for ${name} in ${where.cwd}`,
    grants: "always",
  } as const;
  const auto = {
    label: "Yes, and switch to auto mode · auto mode handles these prompts for you",
    grants: "auto",
  } as const;
  return {
    ...fresh,
    title: isShell ? "Bash command" : "Tool use",
    subtitle: isShell ? textOf(input.description) : "",
    body: isShell ? textOf(input.command).split("\n") : [`${name}(${JSON.stringify(input)})`],
    ask: "Do you want to proceed?",
    options: where.forced ? [yes, no] : [yes, always, auto, no],
  };
}

export function questionDialog(questions: Question[]): QuestionDialog {
  return {
    type: "question",
    questions,
    pages: questions.map(() => ({ cursor: 0, picked: [], text: "", own: false })),
    tab: 0,
    cursor: 0,
  };
}

export function planDialog(plan: string, file: string, offersClear: boolean): PlanDialog {
  const clear = { label: "Yes, clear context (0% used) and use auto mode", accepts: "clear" } as const;
  return {
    type: "plan",
    plan,
    file,
    options: [
      ...(offersClear ? [clear] : []),
      { label: "Yes, and use auto mode", accepts: "auto" },
      { label: "Yes, manually approve edits", accepts: "manual" },
      { label: "Tell Claude what to change", accepts: null },
    ],
    cursor: 0,
    text: "",
  };
}

export function trustDialog(folder: string): TrustDialog {
  return { type: "trust", folder, cursor: 0 };
}

function changeOf(name: "Write" | "Edit", input: Record<string, unknown>): string[] {
  const numbered = (text: unknown, mark: string) =>
    textOf(text)
      .replace(/\n$/, "")
      .split("\n")
      .map((line, n) => ` ${n + 1} ${mark}${line}`);
  return name === "Write"
    ? numbered(input.content, "")
    : [...numbered(input.old_string, "-"), ...numbered(input.new_string, "+")];
}

function baseName(file: string): string {
  return file.split("/").at(-1) ?? file;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
