// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts hold ${…} for our own reader.
/**
 * Scripts from a grammar of bash, with hostile values placed anywhere in them: among the words of every kind of command, in
 * quotes, substitutions, arithmetic, subscripts, here-documents, redirections, declarations, functions, and copied from
 * variable to variable. Most of it is nothing that a person would write; the guard has to be right about it all the same.
 */

/** The same numbers for the same seed, on every machine. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Context {
  script: string;
  values: Record<string, string>;
}

/** Each of them runs `pwn` if it is ever read as more than text, or helps another to. */
const HOSTILE = [
  "$(pwn)",
  "`pwn`",
  "a[$(pwn)]",
  "x[$(pwn)]",
  "PATH[$(pwn)]",
  "m[$(pwn)]",
  "BASH_VERSINFO[$(pwn)]",
  "($(pwn))",
  "([0]=$(pwn))",
  "; pwn;",
  "\npwn\n",
  "| pwn",
  "& pwn &",
  "'; pwn; '",
  '"; pwn; "',
  "'$(pwn)'",
  '"$(pwn)"',
  "pwn",
  "-v",
  "-va[$(pwn)]",
  " -va[$(pwn)]",
  "-v a[$(pwn)]",
  "!",
  "-c",
  "-c pwn",
  "-exec",
  "eval",
  "eval pwn",
  "x=$(pwn)",
  "PS4=$(pwn)",
  "BASH_ENV",
  "${x@P}",
  "$((a[$(pwn)]))",
  "1+a[$(pwn)]",
  "OJ_V0",
  "OJ_V1",
  "x",
  "y",
  "f",
  "EOF\npwn\nEOF",
  "E\npwn",
  "*) pwn;;",
  ")\npwn\n(",
  "}; pwn; {",
  "/e;1e pwn;s/",
  "1e pwn",
  'BEGIN{system("pwn")}',
  '"; system("pwn"); "',
  '__import__("os").system("pwn")',
  "$(shell pwn)",
  "\\$(pwn)",
  "\\`pwn\\`",
  "a b[$(pwn)]",
  "7",
  "1.5",
  "-3",
  "plain",
  "two words",
  "",
  "*",
  "é 🎉",
];

const HOLES = ["${var.v}", "${var.w}", "${var.v:-none}", "${var.w:0:99}"];
const NAMES = ["x", "y", "n", "arr", "m"];
const SPECIAL = [
  "PS4",
  "BASH_ENV",
  "IFS",
  "RANDOM",
  "OPTIND",
  "SECONDS",
  "PROMPT_COMMAND",
  "REPLY",
  "PATH_",
  "ENV",
  "TITLE",
];

export function makeContext(random: () => number): Context {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const chance = (share: number) => random() < share;
  const hole = () => pick(HOLES);
  const name = () => pick(NAMES);
  const many = (least: number, most: number, make: () => string, between = " ") =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, make).join(between);

  function variable(): string {
    return pick([
      () => `$${name()}`,
      () => `"$${name()}"`,
      () => `"\${${name()}}"`,
      () => `\${${name()}:-${quotable(0)}}`,
      () => `"\${${name()}:-${hole()}}"`,
      () => `"\${${name()}:=${hole()}}"`,
      () => `\${#${name()}}`,
      () =>
        `"\${${name()}${pick(["#", "%", "##", "%%", "/a/", "//x/", "^", ",,", "@Q", "@P", "@E", "@A", "@U"])}}"`,
      () => `"\${${name()}/${pick(["x", hole()])}/${hole()}}"`,
      () => `\${${name()}:${pick(["0", "1:2", " -1", "n", "$n", hole()])}}`,
      () => `"\${${name()}[${pick(["0", "@", "*", "n", "$n", "$x", hole(), "k"])}]}"`,
      () => `\${!${name()}}`,
      () => `"\${!${name()}[@]}"`,
      () => pick(["$1", '"$1"', '"$@"', "$*", '"${@:2}"', "$#", "$?", "$_", "$0"]),
    ])();
  }

  function arithmetic(): string {
    return many(
      1,
      3,
      () =>
        pick([
          "1",
          "n",
          "x",
          "$n",
          "${x}",
          "y",
          "arr[0]",
          "m[$x]",
          "$(echo 3)",
          "${#x}",
          chance(0.4) ? hole() : "2",
        ]),
      pick([" + ", " * ", " < ", ","]),
    );
  }

  /** What may stand in double quotes. */
  function quotable(depth: number): string {
    return many(
      1,
      3,
      () =>
        pick([
          () => hole(),
          () => pick(["a", "b c", ".", "-", "/", ":", "=", "x"]),
          () => variable().replaceAll('"', ""),
          () => (depth > 2 ? "" : `$(${statement(depth + 2)})`),
          () => (depth > 2 ? "" : `\`echo ${pick([hole(), "$x", "a"])}\``),
          () => `$((${arithmetic()}))`,
        ])(),
      "",
    );
  }

  function word(depth: number): string {
    return pick([
      () => hole(),
      () => hole(),
      () => `"${hole()}"`,
      () => `'${hole()}'`,
      () => `$'${hole()}'`,
      () => `"${quotable(depth)}"`,
      () => `${pick(["a", "./", "x=", "-", "--o=", "-n", "~/", "/tmp/"])}${hole()}`,
      () => `${hole()}${pick([".log", "x", "=1", "[0]"])}`,
      () =>
        pick([
          "a",
          "b",
          "-n",
          "-v",
          "-c",
          "-e",
          "--",
          "-",
          "0",
          "1",
          "x",
          "y",
          "x=1",
          "=",
          "-eq",
          "-a",
          "f",
          "'a b'",
        ]),
      () => variable(),
      () => variable(),
      () => (depth > 2 ? "z" : `$(${statement(depth + 2)})`),
      () => (depth > 2 ? "z" : `"$(${statement(depth + 2)})"`),
      () => (depth > 2 ? "z" : `<(${statement(depth + 2)})`),
      () => `{${hole()},b}`,
      () => `\${nope:-${hole()}}`,
    ])();
  }

  /** A name in one of the ways to write it. */
  function disguised(command: string): string {
    return pick([
      command,
      command,
      `\\${command}`,
      `'${command}'`,
      `"${command}"`,
      `${command.slice(0, 1)}"${command.slice(1)}"`,
      `command ${command}`,
      `command -p ${command}`,
      `builtin ${command}`,
      `env ${command}`,
      `exec ${command}`,
    ]);
  }

  function simple(depth: number): string {
    const text = pick(["echo", "printf '%s\\n'", "cat <<<", ":", "true", "printf '<%s>'"]);
    return pick([
      () => `${text} ${word(depth)}`,
      () => `echo ${many(1, 3, () => word(depth))}`,
      // Not in a substitution, whose output may be split again.
      () =>
        depth > 0
          ? "true"
          : `printf 'I<%s>I\\n' ${pick(["${var.v}", '"${var.v}"', "'${var.v}'", "${nope:-${var.v}}", '"${nope:-${var.v}}"'])}`,
      () => `printf ${many(1, 3, () => word(depth))}`,
      () => `printf -v ${pick([name(), name(), hole(), '"$x"', "arr[$n]", "PS4"])} %s ${word(depth)}`,
      () =>
        `${disguised(pick(["eval", "source", ".", "bash -c", "sh -c", "bash", "trap", "let", "test", "["]))} ${many(1, 2, () => word(depth))}`,
      () =>
        `${pick(["eval", "trap", "bash -c", "sh -c"])} ${pick(["'echo $x'", "'echo \"$1\"'", "'eval \"$1\"'", "'eval $x'", `"echo ${hole()}"`, "'echo $((x))'", `'${hole()}'`])} ${pick(["", "EXIT", `_ ${hole()}`, "_ $x", "EXIT"])}`,
      () => `[ ${many(1, 4, () => pick([word(depth), "-n", "-z", "=", "!=", "-eq", "-v", "!", "-a"]))} ]`,
      () => `test ${many(1, 3, () => pick([word(depth), "-n", "=", "-f", "-v", "-gt"]))}`,
      () => `[ ${pick(["-n", "-z", "-f", "-v", "!"])} ${word(depth)} ]`,
      () => `[ ${word(depth)} ${pick(["=", "!=", "-eq", "-lt", "-ef", "-a"])} ${word(depth)} ]`,
      () =>
        `read ${pick(["", "-r", "-a", "-p x", "-d ''", `-p ${hole()}`])} ${pick([name(), name(), hole(), "$x", "arr[$n]", ""])} ${pick(["", `<<< ${word(depth)}`, `<<< "${hole()}"`])}`,
      () => `mapfile -t ${pick([name(), hole(), "$x"])} <<< ${word(depth)}`,
      () =>
        `${pick(["declare", "local", "typeset", "export", "readonly", "declare -i", "declare -a", "declare -A", "declare -n", "declare -x", "declare -g", "export -n"])} ${pick([`${name()}=${word(depth)}`, `${name()}=(${many(0, 2, () => word(depth))})`, name(), word(depth), `${pick(SPECIAL)}=${word(depth)}`, `"${name()}=${hole()}"`])}`,
      () => `unset ${pick([name(), word(depth)])}`,
      () => `set ${pick(["--", "--", "-x;:", "", "-x --"])} ${many(0, 2, () => word(depth))}`,
      () => `shift ${pick(["", hole()])}`,
      () =>
        `${pick(["cd", "exit", "kill", "type", "umask", "wait", "hash", "alias", "bind", "complete", "getopts", "enable", "shopt -s", "history", "compgen -W", "ulimit -n", "exec"])} ${word(depth)}`,
      () => `f ${many(0, 3, () => word(depth))}`,
      () => `g ${many(0, 3, () => word(depth))}`,
      () => `${pick([word(depth), "$x", '"$x"', '"${arr[@]}"', '"$@"', "$1"])} ${word(depth)}`,
      () =>
        `${pick(["env", "env A=1", "command", "exec", "nice -n 1", "timeout 5", "nohup", "sudo_", "xargs", "setsid"])} ${pick(["echo", "bash -c", word(depth), "printf %s"])} ${word(depth)}`,
    ])();
  }

  function program(depth: number): string {
    return pick([
      () =>
        `sed ${pick(["-n ", "", "-e "])}${pick([`"s/a/${hole()}/"`, `'s|x|${hole()}|g'`, `${hole()}p`, `"/${hole()}/d"`, `"s/a/b/${hole()}"`, word(depth)])} <<< a`,
      () =>
        `awk ${pick([`'{print "${hole()}"}'`, `"{print ${hole()}}"`, `-v x=${hole()} '{print x}'`, word(depth)])} <<< a`,
      () => `find . -maxdepth 0 -exec ${pick(["echo", "bash -c", "sh -c"])} ${word(depth)} \\;`,
      () => `echo ${word(depth)} | xargs ${pick(["echo", "-I{} sh -c 'echo {}'", "bash -c", "-n1 echo"])}`,
      () => `make -s -f - A=${hole()} <<'EOF'\nall:\n\t@echo "$(A)"\nEOF\n`,
      () =>
        `echo ${word(depth)} | ${pick(["bash", "sh", "cat", "cat | bash", "read x", "while read -r x; do echo $((x)); done", "bash -s"])}`,
    ])();
  }

  function assignment(depth: number): string {
    const target = chance(0.85) ? name() : pick(SPECIAL);
    return pick([
      () => `${target}=${word(depth)}`,
      () => `${target}=${hole()}`,
      () => `${target}="${quotable(depth)}"`,
      () => `${target}+=${word(depth)}`,
      () => `${name()}=$${name()}`,
      () => `${name()}=(${many(0, 3, () => word(depth))})`,
      () => `arr=([${pick(["0", "n", "$n", "$x", hole()])}]=${word(depth)})`,
      () => `${pick(["arr", "m"])}[${pick(["0", "n", "$n", "$x", hole(), "x+1"])}]=${word(depth)}`,
      () => `${target}=${word(depth)} ${pick(["echo a", "bash -c 'echo $x'", "env true", "f a"])}`,
    ])();
  }

  function redirection(depth: number): string {
    const target = pick([`"d/${hole()}"`, hole(), "d/f", "/dev/null", "$x", `"$x.log"`]);
    return pick([
      () => `echo a ${pick([">", ">>", ">|", "&>", "&>>", ">&", "2>", "<>", "2>&", "<&", ">& "])} ${target}`,
      () => `cat < ${target}`,
      () => `cat <<< ${word(depth)}`,
      () =>
        `${pick(["cat", "cat", "bash", "sh", "read x", "bash -s", "cat | bash", "source /dev/stdin", "mapfile arr"])} <<${pick(["EOF", "'EOF'", "-EOF"])}\n${quotable(2)} ${pick([hole(), "$x", "$(echo $y)", "'"])}\nEOF\n`,
    ])();
  }

  function compound(depth: number): string {
    const inner = () => statement(depth + 1);
    return pick([
      () => `if ${inner()}; then ${inner()}; else ${inner()}; fi`,
      () => `for ${name()} in ${many(1, 3, () => word(depth))}; do ${inner()}; done`,
      () => `while read -r ${name()}; do ${inner()}; done <<< ${word(depth)}`,
      () => `case ${word(depth)} in ${pick(["a", hole(), '"$x"', "*"])}) ${inner()};; *) ${inner()};; esac`,
      () => `[[ ${pick(["-n", "-z", "-v", "-f"])} ${word(3)} ]] && ${inner()}`,
      () => `[[ ${word(3)} ${pick(["==", "!=", "=~", "-eq", "-lt", "<"])} ${word(3)} ]] || ${inner()}`,
      () => `(( ${arithmetic()} )) || ${inner()}`,
      () => `for ((n = 0; n < ${pick(["2", hole()])}; n++)); do ${inner()}; done`,
      () => `( ${inner()}; ${inner()} )`,
      () => `{ ${inner()}; } | ${pick(["cat", 'while read -r x; do echo "$((x))"; done', "bash", inner()])}`,
      () =>
        `f() { ${inner()}; ${pick(["", 'echo "$1"', 'eval "$1"', '"$@"', "echo $(($1))", 'local n=$1; shift; "$@"', "x=$1"])}; }; f ${many(0, 2, () => word(depth))}`,
      () =>
        `g() { ${pick(['f "$@"', 'bash -c "$1"', "eval echo $2", "local -n r=$1; r=2", 'printf "$1"', 'x="$2"'])}; }; g ${many(0, 2, () => word(depth))}`,
      () => `time ${inner()}`,
      () => `! ${inner()}`,
      () => `${inner()} && ${inner()}`,
      () => `${inner()} || true`,
      () => `${inner()} | ${inner()}`,
      () => `x=$(${inner()})`,
      () => `trap '${pick(["echo $x", 'eval "$x"', "echo done"])}' EXIT; ${inner()}`,
      () => `declare -A m; ${inner()}`,
      () => `arr=(echo ${word(depth)}); "\${arr[@]}" ${word(depth)}`,
      () => `set -x; ${inner()}`,
    ])();
  }

  function statement(depth: number): string {
    if (depth > 3) return pick(["echo a", `echo ${hole()}`, 'echo "$x"', "true"]);
    const roll = random();
    if (roll < 0.36) return simple(depth);
    if (roll < 0.56) return assignment(depth);
    if (roll < 0.66) return depth > 0 ? simple(depth) : redirection(depth);
    if (roll < 0.68) return depth > 0 ? assignment(depth) : program(depth);
    return compound(depth);
  }

  const script = many(1, 4, () => statement(0), "\n");
  const manner = chance(0.6) ? "set +eu\n" : ""; // goes on where bash objects
  return { script: `${manner}${script}\n`, values: { v: pick(HOSTILE), w: pick(HOSTILE) } };
}
