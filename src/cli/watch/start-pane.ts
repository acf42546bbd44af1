/** What can be started, and the arguments of the one that was chosen. */
import { truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Area, Look, Pane } from "./pane.ts";
import { still } from "./pane.ts";
import type { Start } from "./start.ts";
import { chosen, paramsOf } from "./start.ts";

export function startPane(start: Start, { width, height }: Area, { style }: Look): Pane {
  const { commands, cursor, given, text } = start;
  if (commands === null) return still([style.dim(" looking for commands…")]);
  if (commands.length === 0)
    return still([
      style.bold(" No runbook in this project has a command."),
      " oj init writes one. Esc goes back.",
    ]);
  const command = chosen(start);
  if (given !== null && command) {
    const params = paramsOf(command);
    const lines = given.map((it, at) =>
      style.dim(truncate(`   ${params[at]?.name}: ${safeLine(it)}`, width)),
    );
    const param = params[given.length];
    const note = param?.kind === "flag" ? " (y, or nothing)" : param?.isRequired ? "" : " (or nothing)";
    return still([
      style.bold(truncate(` oj run ${safeLine(`${command.name} ${command.usage}`)}`, width)),
      ...lines,
      `   ${style.cyan(`${param?.name ?? ""}${note}: `)}${truncate(safeLine(text), width - 40)}▏`,
    ]);
  }
  const from = Math.max(0, Math.min(cursor - Math.floor(height / 2), commands.length - height + 2));
  const rows = commands.slice(from, from + height - 2).map((it, at) => {
    const isHere = from + at === cursor;
    const words = `${isHere ? "▶" : " "} ${safeLine(`${it.name} ${it.usage}`)}`.trimEnd();
    const line = truncate(it.description ? `${words}  ${safeLine(it.description)}` : words, width);
    return isHere ? style.bold(style.cyan(line)) : line;
  });
  return still([style.bold(" Start what?"), "", ...rows]);
}
