/** Help, made from what the commands declare. */

import { hang, pad, widthOf, wrap } from "../text/layout.ts";
import type { Style } from "../text/style.ts";
import { version } from "../version.ts";
import type { Command, Flag, Flags } from "./base/command.ts";
import { GLOBAL } from "./base/parse.ts";
import { forPrograms, groups, sections, seldom } from "./registry.ts";

interface Look {
  style: Style;
  width: number;
}

/** `oj --help`: fits a screen of 80 by 24. */
export function overview(all: readonly Command[], { style, width }: Look): string {
  const commands = all.filter((it) => !forPrograms.has(it.name));
  const first = [...new Set(commands.map((it) => it.name.split(" ")[0] ?? ""))];
  const placed = new Set(Object.values(sections).flat());
  const rest = first.filter((word) => !placed.has(word));
  const lines = Object.entries({ ...sections, More: rest }).flatMap(([title, words]) => {
    const present = words.filter((word) => first.includes(word));
    if (present.length === 0) return [];
    const own = present.filter((word) => !seldom.has(word));
    const others = present.filter((word) => seldom.has(word));
    return [
      style.bold(title),
      ...own.flatMap((word) => topLine(word, commands, { style, width })),
      ...(others.length > 0
        ? entry("also", others.map((it) => inShort(it, commands)).join(", "), { style, width })
        : []),
    ];
  });
  return [
    `${style.bold("oj")} ${version}: where autonomous coding agents ask and people decide`,
    ...lines,
    `${style.bold("Everywhere")} -o json|text  --project NAME  --version  -h, --help: flags, examples`,
    "New here? oj demo shows it all in a minute; oj init writes a first runbook.",
  ].join("\n");
}

/** One line for a command, one for a group with its verbs. */
function topLine(word: string, commands: readonly Command[], look: Look): string[] {
  const single = commands.find((it) => it.name === word);
  if (single) return entry(word, single.summary, look);
  return entry(`${word} …`, verbsOf(word, commands).join(" "), look);
}

/** A command, or a group with its verbs, among others on a line; of several verbs, `oj GROUP` tells. */
function inShort(word: string, commands: readonly Command[]): string {
  const verbs = verbsOf(word, commands);
  return [word, ...(verbs.length > MOST_VERBS ? ["…"] : verbs)].join(" ");
}

const MOST_VERBS = 1;

function verbsOf(group: string, commands: readonly Command[]): string[] {
  return commands
    .filter((it) => it.name.startsWith(`${group} `))
    .map((it) => it.name.slice(group.length + 1));
}

/** `oj decision`: the commands of a group. */
export function groupHelp(group: string, commands: readonly Command[], { style, width }: Look): string {
  const own = commands.filter((it) => it.name.startsWith(`${group} `));
  const rows = own.map(
    (it) => [`${it.name.slice(group.length + 1)} ${it.args}`.trimEnd(), it.summary] as const,
  );
  const left = Math.max(...rows.map(([name]) => widthOf(name)));
  return [
    `${style.bold(`oj ${group}`)}: ${groups[group] ?? ""}`,
    "",
    ...rows.flatMap(([name, summary]) => hang(`  ${pad(name, left)}  `, summary, width)),
    "",
    `Flags and examples for each: oj ${group} ${own[0]?.name.slice(group.length + 1)} --help`,
  ].join("\n");
}

/** `oj decision list --help`. */
export function commandHelp(command: Command, { style, width }: Look): string {
  const flags = Object.entries(command.flags);
  const { help: _, version: __, json: ___, ...everywhere } = GLOBAL;
  const others = Object.entries(everywhere).filter(([name]) => !Object.hasOwn(command.flags, name));
  const shown = [...flags, ...others].map(([name, flag]) => [flagText(name, flag), flag.help] as const);
  const left = Math.min(30, Math.max(...shown.map(([text]) => widthOf(text))));
  const flagLines = shown.flatMap(([text, help]) =>
    hang(`  ${pad(text, left)}  `, help, width, " ".repeat(left + 4)),
  );
  return [
    `${style.bold(`oj ${command.name}`)}: ${command.summary}`,
    "",
    ...hang("usage: ", usageLine(command), width, "         "),
    "",
    style.bold("Flags"),
    ...flagLines,
    "",
    style.bold("Examples"),
    ...command.examples.flatMap((it) => [
      `  ${style.cyan(it.run)}`,
      ...wrap(it.does, width - 6).map((line) => `      ${line}`),
    ]),
  ].join("\n");
}

export function usageLine(command: Pick<Command, "name" | "args" | "flags">): string {
  return `oj ${command.name} ${command.args}${Object.keys(command.flags as Flags).length > 0 ? " [flags]" : ""}`
    .replace(/ +/g, " ")
    .trimEnd();
}

function flagText(name: string, flag: Flag): string {
  const value = flag.type === "string" ? ` ${flag.value ?? "VALUE"}` : "";
  const long = `--${name}${value}`;
  const text = flag.short ? `-${flag.short}, ${long}` : long;
  return flag.multiple ? `${text}…` : text;
}

function entry(name: string, text: string, { width }: Look): string[] {
  return hang(`  ${pad(name, 10)}  `, text, width);
}
