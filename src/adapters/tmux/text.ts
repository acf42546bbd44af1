/** What we say to tmux: command lines in which no value can become syntax, the names of keys, and how a program is started. */

export type Command = readonly string[];

/** Several commands in one line run with nothing in between; after one that fails, the rest is skipped. */
export function commandLine(commands: readonly Command[]): string {
  return commands.map((it) => it.map(quote).join(" ")).join(" ; ");
}

/** In double quotes and as octal, a character means itself to tmux's parser, even `$`, `~`, `;`, a quote or a line end. */
export function quote(text: string): string {
  if (text.includes("\0")) throw new Error("text for a terminal can't contain a NUL");
  const escaped = text.replace(
    /[^A-Za-z0-9 _.,:=/@%+\u0080-\uffff-]/g,
    (it) => `\\${it.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}

/** Some arguments are formats to tmux, and `#(…)` in one would be run. */
export function literal(text: string): string {
  return text.replaceAll("#", "##");
}

const NAMED = [
  ..."Up Down Left Right Home End PageUp PgUp PPage PageDown PgDn NPage Insert IC Delete DC".split(" "),
  ..."Enter Escape Space Tab BTab BSpace".split(" "),
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
];
const KEY = new RegExp(`^(?:[CMS]-)*(?:[^\\p{C}]|${NAMED.join("|")})$`, "u");

/** tmux types out a name that it does not know, as if it were text. */
export function isKey(name: string): boolean {
  return KEY.test(name) && name !== "S-Tab";
}

const ESCAPES = "\u001b\u009b";
const END_OF_PASTE = new RegExp(`[${ESCAPES}]+(?=\\[?201~)`, "g");

/** A text that would end its own bracketed paste loses the escapes that do so, including those that this brings together. */
export function pasteable(text: string): string {
  const rest = text.replace(END_OF_PASTE, "");
  return rest === text ? text : pasteable(rest);
}

/** The limits of one argument, and of all of them with the environment, on Linux and macOS. */
const MAX_ARGUMENT = 128 * 1024;
const MAX_ARGUMENTS = 900 * 1024;

/** These describe the terminal a program is in, so the values from the terminal that called `oj` are wrong in it. */
const OF_THE_TERMINAL = ["TMUX", "TMUX_PANE", "TERM_PROGRAM", "TERM_PROGRAM_VERSION"];
const SET_BY_TMUX = ["TERM", "PWD", "SHELL"];

/**
 * The arguments that make tmux run a program with this environment and no other. tmux adds a few variables of its
 * own and overwrites SHELL; `env` puts that right and then becomes the program, so there is no shell in between.
 */
export function programArguments(argv: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const [program] = argv;
  if (!program) throw new Error("there is no program to start");
  if (program.includes("="))
    throw new Error(`${program} can't be started in a terminal: its path contains "="`);
  const given = Object.entries(env).filter(([name]) => !OF_THE_TERMINAL.includes(name));
  checkSizes([...argv, ...given.map(([name, value]) => `${name}=${value}`)]);
  const passed = given.filter(([name]) => !SET_BY_TMUX.includes(name));
  const removed = [...OF_THE_TERMINAL, ...["SHELL", "PATH"].filter((it) => env[it] === undefined)];
  const shell = env.SHELL === undefined ? [] : [`SHELL=${env.SHELL}`];
  return [
    ...passed.flatMap(([name, value]) => ["-e", `${name}=${value}`]),
    "--",
    "/usr/bin/env",
    ...removed.flatMap((name) => ["-u", name]),
    ...shell,
    ...argv,
  ];
}

function checkSizes(texts: readonly string[]): void {
  const sizes = texts.map((it) => Buffer.byteLength(it) + 1);
  if (sizes.some((it) => it > MAX_ARGUMENT))
    throw new Error(
      `an argument or variable is longer than ${MAX_ARGUMENT / 1024} KB, which is too long for any program`,
    );
  const total = sizes.reduce((sum, it) => sum + it + 8, 0);
  if (total > MAX_ARGUMENTS)
    throw new Error(`arguments and environment together are longer than ${MAX_ARGUMENTS / 1024} KB`);
}
