/** Why a value is not allowed in some places of a script, and what to write instead. */
import type { Fault } from "./hole.ts";

const AS_ARGUMENT = `pass it as an argument: bash -c 'echo "$1"' _ \${var.name}`;

export const SCRIPT: Fault = { sentence: "would be run as shell text", hint: AS_ARGUMENT };

export const EVALUATED: Fault = {
  sentence: "would be evaluated as shell text",
  hint: `use it as it is: "$name"`,
};

export const NAME: Fault = {
  sentence: "would choose a shell variable by its name",
  hint: `write out the name, or choose among names: case \${var.name} in a) a=1;; esac`,
};

export const COMMAND: Fault = {
  sentence: "would choose the command that is run",
  hint: "write out the command, or choose among commands: case ${var.name} in test) npm test;; esac",
};

export const DESCRIPTOR: Fault = {
  sentence: "follows >& or <&, where bash expands it twice",
  hint: "for both outputs write: > file 2>&1",
};

export const OPERATOR: Fault = {
  sentence: "could be taken for an operator of [",
  hint: `use [[ … ]], or one comparison in each [ ], as in [ \${var.name} = x ] && [ … ]`,
};

export const DECLARED: Fault = {
  sentence: "is in a declaration that bash would evaluate",
  hint: "assign it on a line of its own: name=${var.name}",
};

export const ALIAS: Fault = {
  sentence: "is in a script that changes what words mean (expand_aliases, set -k)",
  hint: "use a function instead of an alias",
};

export const REMOTE: Fault = {
  sentence: "would become part of a command line that a shell reads again",
  hint: `let the command read it: ssh host 'read -r name; echo "$name"' <<< \${var.name}`,
};

export const UNKNOWN: Fault = {
  sentence: "goes to a command that the script alone does not determine",
  hint: "write out the name of the command",
};

export function specialVariable(name: string): Fault {
  return {
    sentence: `goes into ${name}, which bash or another program evaluates`,
    hint: "give the variable a name of your own",
  };
}

/** The text of a program in another language, where the value would be code. */
export function programText(command: string): Fault {
  return {
    sentence: `would become part of a program for ${command}`,
    hint: `pass it as an argument after the program, and read it there (${argumentIn(command)})`,
  };
}

function argumentIn(command: string): string {
  if (/^python/.test(command)) return "sys.argv[1]";
  if (/^perl/.test(command)) return "$ARGV[0]";
  if (/^ruby/.test(command)) return "ARGV[0]";
  if (/^(?:node|deno|bun)/.test(command)) return "process.argv";
  return "its arguments";
}

/** A builtin whose use of its arguments is not analysed. */
export function notFor(command: string): Fault {
  return {
    sentence: `is an argument of ${command}, which may evaluate it`,
    hint: `use ${command} without values from the runbook`,
  };
}

export const SPLIT: Fault = {
  sentence: "is unquoted where bash could split it into several words",
  hint: `write "$name"`,
};
