/** Finds the command that somebody wants to run, and reads its arguments. */
import { Refusal } from "../../core/model/errors.ts";
import type { Command, Problem, Value } from "../../core/model/runbook.ts";
import type { Lookup } from "../../core/script/interpolate.ts";
import { interpolate } from "../../core/script/interpolate.ts";
import { suggest } from "../../core/text/suggest.ts";
import { parseArgs } from "../../runbook/build/args.ts";
import type { Loaded } from "../../runbook/load.ts";

/** How many problems a refusal to run shows. */
const MOST_SHOWN = 5;

export function commandNamed({ runbook: { commands }, problems, broken }: Loaded, name: string): Command {
  const found = commands.find((it) => it.name === name);
  if (found) return found;
  const home = broken.find((it) => it.name === name);
  if (home) throw unreadable(name, home.path, problems);
  const near = suggest(
    name,
    commands.map((it) => it.name),
  );
  const elsewhere =
    problems.length > 0
      ? `${problems.length} problem${problems.length === 1 ? "" : "s"} in runbooks: oj runbook check`
      : null;
  const hint = near
    ? `did you mean "oj run ${near}"?`
    : (elsewhere ?? (commands.length > 0 ? "oj run" : "oj init"));
  throw new Refusal("command.not-found", `no runbook here has a command "${name}"`, hint, {
    problems: problems.length,
  });
}

/** The command exists, but its file can't be used: says where and why. */
function unreadable(name: string, path: string, problems: Problem[]): Refusal {
  const own = problems.filter((it) => it.path === path);
  const shown = own.slice(0, MOST_SHOWN).map((it) => `${it.path}:${it.line}:${it.column}  ${it.message}`);
  const more = own.length > MOST_SHOWN ? [`and ${own.length - MOST_SHOWN} more`] : [];
  return new Refusal(
    "runbook.invalid",
    [
      `"${name}" can't be run: its runbook has ${own.length === 1 ? "a problem" : "problems"}`,
      ...shown,
      ...more,
    ].join("\n"),
    "oj runbook check",
    { problems: own.length },
  );
}

/** Where `oj run` was called, and with which environment. */
interface Call {
  env: Readonly<Record<string, string>>;
  dir: string;
}

/** The arguments by name. An optional one that was not given is present and empty. */
export function argsOf(
  command: Command,
  argv: string[],
  named: Record<string, string>,
  call: Call,
): Record<string, Value> {
  const defaults = Object.entries(command.defaults).map(([it, text]) => [it, interpolate(text, of(call))]);
  const { values } = parseArgs({ ...command, defaults: Object.fromEntries(defaults) }, argv, named);
  const empty = command.args.map((it) => [it.name, it.kind === "positional" && it.variadic ? [] : ""]);
  return { ...Object.fromEntries(empty), ...values };
}

/** All that a default may refer to: nothing has begun yet. An unset variable is empty, as everywhere. */
function of({ env, dir }: Call): Lookup {
  return ({ namespace, path: [name = ""] }) => {
    if (namespace === "invoke") return name === "dir" ? dir : undefined;
    if (namespace !== "env") return undefined;
    return Object.hasOwn(env, name) ? env[name] : "";
  };
}
