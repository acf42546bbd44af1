// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test hold ${…} for our own reader.
/** Shell text against the real bash: whatever surrounds a reference, its value comes out as it went in, and nothing in it runs. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, it } from "vitest";
import type { Value } from "../../src/core/model/runbook.ts";
import { shellText } from "../../src/core/script/shell-text.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-shell-text-"));
const cwd = fs.mkdtempSync(path.join(folder, "cwd-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const nasty = [
  "",
  "plain",
  "two words",
  "  blanks\taround  ",
  "a\nb",
  "trailing\n\n",
  "\n",
  "it's",
  '"quoted"',
  `both ' and "`,
  "$(touch PWNED)",
  "`touch PWNED`",
  "$HOME ${IFS} ${HOME:-x} $((1+1)) $$ $?",
  "; touch PWNED;",
  "&& touch PWNED",
  "|| touch PWNED",
  "| tee PWNED",
  "> PWNED",
  "\ntouch PWNED\n",
  "'; touch PWNED; '",
  '"; touch PWNED; "',
  "'\"'\"'; touch PWNED #",
  "\nEOF\ntouch PWNED\n",
  "EOF",
  "*",
  "~",
  "-n",
  "--help",
  "-e",
  "\\",
  "a\\",
  "\\n\\t\\x41",
  "!",
  "!!",
  "#no comment",
  ")",
  "))",
  "}",
  "]]",
  ";;",
  "esac",
  "a[$(touch PWNED)]",
  "BASH_VERSINFO[$(touch PWNED)]",
  "($(touch PWNED))",
  "() { :; }; touch PWNED",
  "x=1",
  "{a,b}",
  "[a-z]",
  "&",
  "%s %d %%",
  "grüße, 世界",
  "👩‍👩‍👧 🎉",
  "\u202Ebidi\u0007bell\u001B[31m",
  "\r\n",
  "x".repeat(5000),
];

/** The surroundings: `@` is where the reference goes. The second part says what comes out, if not just the value. */
const places: [script: string, output?: (value: string) => string][] = [
  ["printf '%s\\0' @"],
  ["printf '%s\\0' pre@post", (it) => `pre${it}post`],
  ["printf '%s\\0' \"@\""],
  ["printf '%s\\0' \"pre @ 'mid' @ post\"", (it) => `pre ${it} 'mid' ${it} post`],
  ["printf '%s\\0' '@'"],
  ["printf '%s\\0' '$HOME \"@\" \\'", (it) => `$HOME "${it}" \\`],
  ["printf '%s\\0' $'@'"],
  ["printf '%s\\0' $'it\\'s\\t@\\n'", (it) => `it's\t${it}\n`],
  ["printf '%s\\0' $\"@\""],
  ["printf '%s\\0' a\\ @\\'b", (it) => `a ${it}'b`],
  ['printf \'%s\\0\' "\\\\@\\""', (it) => `\\${it}"`],
  ["printf '%s\\0' \"$(printf '%s.' @)\"", (it) => `${it}.`],
  ["printf '%s\\0' \"$(printf '%s.' \"$(printf '%s.' \"@\")\")\"", (it) => `${it}..`],
  ["printf '%s\\0' \"`printf '%s.' @`\"", (it) => `${it}.`],
  ["printf '%s\\0' \"`printf '%s.' \"@\" '@'`\"", (it) => `${it}.${it}.`],
  ["x=`printf '%s.' \"\\`printf '%s.' '@'\\`\"`; printf '%s\\0' \"$x\"", (it) => `${it}..`],
  ["x=`printf '%s.' \\\\\\$ @`; printf '%s\\0' \"$x\"", (it) => `$.${it}.`],
  ["x=@; printf '%s\\0' \"$x\""],
  ["x=@@; printf '%s\\0' \"$x\"", (it) => it + it],
  ['x+=(@ "@"); printf \'%s\\0\' "${x[-2]}${x[-1]}"', (it) => it + it],
  ["export x=@; printf '%s\\0' \"$x\""],
  ['x=@ bash -c \'printf "%s\\0" "$x"\''],
  ["printf '%s\\0' \"${nope:-@}\""],
  ["printf '%s\\0' ${nope:-@}"],
  ["printf '%s\\0' ${nope:-'@'}"],
  ['printf \'%s\\0\' "${nope:-"@"}"'],
  ["printf '%s\\0' \"${nope:-{@}}\"", (it) => `{${it}}`],
  ["printf '%s\\0' \"${HOME:+$(printf %s. @)}\"", (it) => `${it}.`],
  ["x=@tail; printf '%s\\0' \"${x#@}\" ", () => "tail"],
  ["x=@tail; printf '%s\\0' ${x#@} ", () => "tail"],
  ["x=head@; printf '%s\\0' \"${x%%@}.\"", () => "head."],
  ["x=aXb; printf '%s\\0' \"${x/X/@}\"", (it) => `a${it}b`],
  ["x=a@b; printf '%s\\0' \"${x/a@b/ok}\"", () => "ok"],
  [
    "cat <<EOF; printf '\\0'\n@ $((1+1)) '@' \"@\" \\$ \\\\@\nEOF",
    (it) => `${it} 2 '${it}' "${it}" $ \\${it}\n`,
  ],
  [
    "cat <<'EOF'; printf '\\0'\n@ $HOME `x` \\ \\\\ \\$ '@' $(touch PWNED)\nEOF",
    (it) => `${it} $HOME \`x\` \\ \\\\ \\$ '${it}' $(touch PWNED)\n`,
  ],
  ["cat <<\\EOF; printf '\\0'\n@ \\\n$x\nEOF", (it) => `${it} \\\n$x\n`],
  ["cat <<\"EOF\" ; printf '\\0'\n@\nEOF", (it) => `${it}\n`],
  ["cat <<-EOF; printf '\\0'\n\t\t@\n\tEOF", (it) => `${it}\n`],
  ["cat <<-'EOF'; printf '\\0'\n\t$ @\n\tEOF", (it) => `$ ${it}\n`],
  ["cat - /dev/fd/3 <<A 3<<'B'; printf '\\0'\n@\nA\n$x @\nB", (it) => `${it}\n$x ${it}\n`],
  ["printf '%s\\0' \"$(cat <<EOF\n@\nEOF\nprintf .)\"", (it) => `${it}\n.`],
  ["printf '%s\\0' \"$(cat <<'EOF'\n$x ) @ \"\nEOF\nprintf .)\"", (it) => `$x ) ${it} "\n.`],
  [
    "cat <<EOF; printf '\\0'\n$(printf '%s.' @) `printf '%s.' \"@\"` ${nope:-@} ${nope:-\"@\"}\nEOF",
    (it) => `${it}. ${it}. ${it} ${it}\n`,
  ],
  ["cat <<EOF; printf '\\0'\n$(cat <<'IN'\n@ $\nIN\n)\nEOF", (it) => `${it} $\n`],
  ["cat <<<@; printf '\\0'", (it) => `${it}\n`],
  ["cat <<< \"@\"@; printf '\\0'", (it) => `${it}${it}\n`],
  ["case @ in \"@\") printf '%s\\0' ok;; *) printf '%s\\0' no;; esac", () => "ok"],
  ["case a@b in a@b) printf '%s\\0' ok;; *) printf '%s\\0' no;; esac", () => "ok"],
  ["printf '%s\\0' \"$(case x@ in a) :;; (b|x@) printf '%s.' @;; esac)\"", (it) => `${it}.`],
  ["[[ @ == @ ]] && printf '%s\\0' ok", () => "ok"],
  ["[[ a@b =~ ^(a)@b$ ]] && printf '%s\\0' ok", () => "ok"],
  ["[[ -n x@ && ( x@ != y ) ]] && printf '%s\\0' @"],
  ["if [ \"x@\" = x@ ]; then printf '%s\\0' @; fi"],
  ["for x in @; do printf '%s\\0' \"$x\"; done"],
  ["f() { printf '%s\\0' \"$1\"; }; f @"],
  ['function g { local x="a@"; printf \'%s\\0\' "$x"; }; g', (it) => `a${it}`],
  ["(printf '%s\\0' @)"],
  ["((1)) && { printf '%s\\0' @; }"],
  ["printf '%s\\0' \"$(( 2 * (3) ))$(printf %s. @)\"", (it) => `6${it}.`],
  ["cat <(printf '%s\\0' @)"],
  ["while IFS= read -rd '' x; do printf '%s\\0' \"$x\"; done < <(printf '%s\\0' '@')"],
  ["printf '%s\\0' @ # it's a comment with @ and \" in it"],
  ["# @ isn't here\nprintf '%s\\0' @"],
  ["printf '%s\\0' \\\n  @"],
  ['bash -c \'printf "%s\\0" "$1"\' _ @'],
  ["echo hi >/dev/null 2>&1; printf '%s\\0' @ 2>/dev/null"],
  ["printf '%s\\0' x#@ '#'@", (it) => `x#${it}\0#${it}`],
  ["x=$$'@'; printf '%s\\0' \"${x#$$}\""],
  ["printf '%s\\0' \"$${HOME}@\"", (it) => `/nowhere${it}`],
  ["printf '%s\\0' \"$\"@ \"$'@'\"", (it) => `$${it}\0$'${it}'`],
  ["printf '%s\\0' {@,b}", (it) => `${it}\0b`],
  ['declare x="_@"; printf \'%s\\0\' "$x"', (it) => `_${it}`],
];

describe("a value in a script", () => {
  it.each(places)("comes out as it went in: %s", (place, output = (it) => it) => {
    const script = nasty.map((_, at) => `${place.replaceAll("@", `\${var.v${at}}`)}\n`).join("");
    assert.deepEqual(run(script, byNumber(nasty)), nasty.map((it) => `${output(it)}\0`).join(""));
  });

  it("comes out as it went in, however things are nested", () => {
    const values = fc.array(fc.oneof(fc.constantFrom(...nasty), text), { minLength: 1, maxLength: 6 });
    const scripts = values.chain((them) =>
      fc.record({ values: fc.constant(them), words: words(them.length) }),
    );
    fc.assert(
      fc.property(scripts, ({ values: them, words: parts }) => {
        const script = parts.map((it) => `printf '%s\\0' ${it.word}\n`).join("");
        assert.equal(run(script, byNumber(them)), parts.map((it) => `${it.output(them)}\0`).join(""));
      }),
      { numRuns: 80 },
    );
  });

  it("may have 100,000 bytes", () => {
    const largest = "ä".repeat(50_000);
    assert.equal(run("printf %s ${var.v0}", byNumber([largest])), largest);
  });

  it("is not visible to the programs that the script starts", () => {
    assert.equal(run("env | grep -c ^OJ_V || echo ${var.v0}", byNumber(["none"])), "0\nnone\n");
  });

  it("keeps bash's line numbers as written", () => {
    assert.equal(run("# first\n: ${var.v0}\necho $LINENO", byNumber(["x"])), "3\n");
  });
});

describe("a list in a script", () => {
  it.each([
    ["printf '%s\\0' ${var.list}", nasty],
    ["for it in ${var.list}; do printf '%s\\0' \"$it\"; done", nasty],
    ["all=(first ${var.list}); printf '%s\\0' \"${all[@]:1}\"", nasty],
    ["f() { printf '%s\\0' \"$@\"; }; f ${var.list}", nasty],
    ["printf '%s\\0' \"${var.list}\"", [nasty.join(" ")]],
    ["printf '%s\\0' '${var.list}'", [nasty.join(" ")]],
    ["x=${var.list}; printf '%s\\0' \"$x\"", [nasty.join(" ")]],
    ["export x=${var.list}; printf '%s\\0' \"$x\"", [nasty.join(" ")]],
    ["cat <<<${var.list}; printf '\\0'", [`${nasty.join(" ")}\n`]],
    ["case ${var.list} in *) printf '%s\\0' one;; esac", ["one"]],
    ["[[ -n ${var.list} ]] && printf '%s\\0' one", ["one"]],
    ["printf '%s\\0' one ${var.none}", ["one"]],
    ["printf '%s\\0' a${var.none}b", ["ab"]],
    ["printf '%s\\0' ${var.none}#two", ["#two"]],
    ["x=(${var.none}); printf '%s\\0' ${#x[@]} \"${var.none}\"", ["0", ""]],
  ])("becomes as many words as it has items, or one word where only one fits: %s", (script, output) => {
    const parts = run(script, { list: nasty, none: [] }).split("\0");
    assert.deepEqual(parts, [...output, ""]);
  });
});

describe("a value that bash would evaluate", () => {
  const attacks = [
    "BASH_VERSINFO[$(touch PWNED)]",
    "x[$(touch PWNED)]",
    "($(touch PWNED))",
    "$(touch PWNED)",
    "`touch PWNED`",
    "1; touch PWNED",
  ];
  const integers = ["0", "7", "-3", "+5"];

  it.each([
    "echo $(( ${var.v} + 1 ))",
    "echo $[ ${var.v} + 1 ]",
    'echo "$(( 1 + "${var.v}" ))"',
    "echo $(( ${nope:-${var.v}} * 2 ))",
    "(( x = ${var.v} )) || echo $x",
    "for (( i = ${var.v}; i < 0; i++ )); do echo $i; done",
    "cat <<EOF\n$(( ${var.v} ))\nEOF",
    "cat <<< `echo $(( ${var.v} ))`",
    "if [[ ${var.v} -gt 3 ]]; then echo yes; fi",
    'if [[ 3 -le "${var.v}" ]]; then echo yes; fi',
    "let 'x = ${var.v}' || echo $x",
    "declare -i x=${var.v}; echo $x",
    "declare -i x; x=${var.v}; echo $x",
    "x=abcdefghij; echo ${x: ${var.v}}",
    'x=abcdefghij; echo "${x:0:${var.v}}" || true',
    "x=({1..9}); echo ${x[${var.v}]}",
    "declare -a x=({1..9}); x[${var.v}]=new; echo ${x[@]}",
    "x=({1..9}); x[x[0]+${var.v}]=new; echo ${x[@]}",
    "x=([5+${var.v}]=new); echo ${x[@]}",
    "n=${var.v}; echo $((n + 1))",
    "n=${var.v}; echo $(( ${n} + $n ))",
    "n=${var.v}; if [[ $n -eq 7 ]]; then echo seven; fi",
  ])("must be an integer: %s", (script) => {
    for (const attack of attacks) assert.throws(() => run(script, { v: attack }), { code: "value.invalid" });
    for (const integer of integers) {
      const ours = tryRun(script, { v: integer });
      const typed = tryRun(script.replaceAll("${var.v}", integer), {});
      assert.equal(ours.replace(/OJ_V0/g, integer), typed);
    }
  });

  it.each([
    // As the name of a variable.
    "[[ -v ${var.v} ]] || echo no",
    "[ -v ${var.v} ] || echo no",
    "test -v '${var.v}' || echo no",
    "printf -v ${var.v} x; echo $named",
    "unset ${var.v}",
    'unset "list[${var.v}]"',
    "read -r ${var.v} <<< x; echo $named",
    "mapfile -t ${var.v} <<< x; echo $named",
    "declare ${var.v}=x; echo $named",
    'export "${var.v}=x"',
    "declare -n ref=${var.v}; ref=x; echo $named",
    "name=${var.v}; named=x; echo ${!name}",
    // As a script.
    "eval 'echo ${var.v}'",
    "eval echo ${var.v}",
    "\\eval ${var.v}",
    "'eval' ${var.v}",
    'e"va"l ${var.v}',
    "command -p eval ${var.v}",
    "builtin eval ${var.v}",
    "{eval,${var.v}}",
    "cmd=eval; $cmd ${var.v}",
    'x=${var.v}; eval "$x"',
    'x=${var.v}; y=$x; eval "echo $y"',
    'f() { eval "$1"; }; f ${var.v}',
    'run() { "$@"; }; run eval ${var.v}',
    'arr=(eval ${var.v}); "${arr[@]}"',
    'x=$(echo ${var.v}); eval "$x"',
    'f() { echo "$y"; }; y=${var.v}; x=$(f); eval "$x"',
    'read -r x <<< ${var.v}; eval "$x"',
    'echo ${var.v} | { read -r x; eval "$x"; }',
    "export x=${var.v}; bash -c 'eval \"$x\"'",
    "bash -c 'eval \"$1\"' _ ${var.v}",
    'trap "echo ${var.v}" EXIT',
    "x=${var.v}; trap 'eval \"$x\"' EXIT",
    "bash -c 'echo ${var.v}'",
    "'bash' -c ${var.v}",
    'env bash -eo pipefail -c "echo ${var.v}"',
    "xargs /bin/sh -ec 'echo ${var.v}' < /dev/null",
    "echo ${var.v} | xargs -I{} sh -c 'echo {}'",
    "find . -exec sh -c ${var.v} \\;",
    "docker exec box sh -c ${var.v}",
    "source <(echo ${var.v})",
    ". ${var.v}",
    "bash <<EOF\necho ${var.v}\nEOF",
    "bash <<'EOF'\necho ${var.v}\nEOF",
    "bash <<< ${var.v}",
    "bash < <(echo ${var.v})",
    "echo ${var.v} | bash",
    "cat <<EOF | sh\n${var.v}\nEOF",
    "echo ${var.v} | tee copy | bash -s",
    "ssh host ls ${var.v}",
    "ssh host <<< ${var.v}",
    "watch ${var.v}",
    "mapfile -C ${var.v} x < /dev/null",
    "alias ll=${var.v}",
    "shopt -s expand_aliases; alias ll=eval\nll ${var.v}",
    "set -k; echo PS4=${var.v}",
    // As what bash or a program evaluates.
    "PS4=${var.v}; set -x; :",
    "BASH_ENV=${var.v} bash -c :",
    "env BASH_ENV=${var.v} bash -c :",
    "LD_PRELOAD=${var.v} ls",
    "printf -v PS4 %s ${var.v}",
    "read PS4 <<< ${var.v}",
    'x=${var.v}; echo "${x@P}"',
    "RANDOM=${var.v}",
    "declare -a x=${var.v}; echo $x",
    'echo hi >& "logs/${var.v}.log"',
    "log=${var.v}; echo hi >& $log",
    // As a command, or as an operator.
    "${var.v}",
    "${var.v} now",
    "x=${var.v}; $x",
    "sudo ${var.v}",
    "$nope ${var.v}",
    'true || arr=(echo); "${arr[@]}" ${var.v}',
    'run() { "$@"; }; run $nope ${var.v}',
    "bash -c $nope ${var.v}",
    "env -u $nope git ${var.v}",
    "ssh -o $nope ${var.v}",
    "source $nope ${var.v}",
    "printf $nope ${var.v}",
    "opts=-i; declare $opts x=${var.v}",
    "read -d $nope -p ${var.v} x < /dev/null",
    'f() { eval "$2"; }; g() { f "$@"; }; g a ${var.v}',
    "x=${var.v}; [ $x ]",
    "[ ${var.v} ${var.v} ]",
    "[ a = b -a ${var.v} ]",
    // As part of another program.
    "python3 -c 'print(\"${var.v}\")'",
    "python3 <<EOF\nprint('${var.v}')\nEOF",
    "perl -pe 's/a/${var.v}/'",
    "node -e ${var.v}",
    "sed ${var.v} file",
    'sed "s/a/b/${var.v}" file',
  ])("is refused there, whatever it is: %s", (script) => {
    for (const value of [...attacks, "named", "7"])
      assert.throws(() => bash(script, { v: value }), { code: "value.invalid" });
  });

  it("must not look like an option of printf", () => {
    for (const script of ["printf ${var.v}", 'printf "${var.v}" x', "printf '${var.v}'"]) {
      assert.throws(() => run(script, { v: "-vx[$(touch PWNED)]" }), { code: "value.invalid" });
      assert.equal(run(script, { v: "x[$(touch PWNED)]" }), "x[$(touch PWNED)]");
    }
  });

  it("may be any number or empty in a variable that is only sometimes compared", () => {
    const script = "n=${var.v}; if [[ $n =~ ^[0-9]+$ ]] && (( n > 5 )); then echo many; else echo few; fi";
    assert.equal(run(script, { v: "7" }), "many\n");
    for (const v of ["3", "", "1.5", "2024-01-01"]) assert.equal(run(script, { v }), "few\n");
    assert.throws(() => run(script, { v: "none" }), { code: "value.invalid" });
  });

  it("is not a number if it names another value", () => {
    const script = "n=${var.v}; echo ${var.w} >/dev/null; echo $((n))";
    assert.throws(() => run(script, { v: "OJ_V1", w: "BASH_VERSINFO[$(touch PWNED)]" }), {
      code: "value.invalid",
    });
  });

  it.each([
    "x=({1..9}); k=${var.v}; echo ${x[$k]}",
    "x=({1..9}); k=${var.v}; x[$k]=new; echo ${x[@]}",
    "n=$(echo ${var.v}); echo $((n))",
    "echo $(( $(echo ${var.v}) ))",
    "f() { echo $(($1 + 1)); }; f ${var.v}",
    "echo ${var.v} | while read -r n; do echo $((n)); done",
    "read -r n <<< ${var.v}; [[ $n -gt 3 ]] && echo more || echo less",
    "declare -i n; for n in ${var.v}; do echo $n; done",
    "name=${var.v}; echo $(( ${name%%.*} + 1 ))",
    "[[ ${var.v} =~ (.*) ]]; echo $((BASH_REMATCH[1]))",
    "set -- ${var.v}; echo $(($1))",
  ])("must be a number where it reaches arithmetic: %s", (script) => {
    for (const attack of attacks) assert.throws(() => run(script, { v: attack }), { code: "value.invalid" });
    for (const integer of ["0", "7"])
      assert.equal(tryRun(script, { v: integer }), tryRun(script.replaceAll("${var.v}", integer), {}));
  });

  it("gets the same guard when it reaches its script as a step's variable", () => {
    const lookup = () => "BASH_VERSINFO[$(touch PWNED)]";
    const env = { N: "${var.v}", OTHER: "1" };
    for (const script of ["echo $((N))", 'eval "$N"', "bash -c 'eval \"$N\"'"])
      assert.throws(() => shellText(script, lookup, env), { code: "value.invalid" });
    assert.throws(() => shellText("true", lookup, { BASH_ENV: "${var.v}" }), { code: "value.invalid" });
    assert.deepEqual(shellText('echo "$N" $((OTHER))', lookup, env), {
      script: 'echo "$N" $((OTHER))',
      values: {},
    });
  });

  it("must not look like an array in a declaration", () => {
    const script = "x=(1); declare x=${var.v}; echo $x";
    assert.throws(() => run(script, { v: "($(touch PWNED))" }), { code: "value.invalid" });
    assert.equal(run(script, { v: "(draft) $(touch PWNED)." }), "(draft) $(touch PWNED).\n");
  });
});

/** A word in some quotes, and what bash makes of it. */
interface Sample {
  word: string;
  output: (values: string[]) => string;
}

const text = fc.string({ unit: fc.constantFrom(..."ab \n\t'\"`$(){}[]<>|&;*?~!#\\-=%.0é🎉"), maxLength: 12 });
const harmless = fc.string({ unit: fc.constantFrom(..."ab01 ._/:,+@-"), maxLength: 4 });

/** Words that refer to the first `count` values, with quotes, substitutions and here-documents nested. */
function words(count: number): fc.Arbitrary<Sample[]> {
  const reference = fc
    .nat({ max: count - 1 })
    .map((at) => ({ word: `\${var.v${at}}`, output: (them: string[]) => them[at] ?? "" }));
  const literal = harmless.map((it) => ({ word: it, output: () => it }));
  const plain = joined(fc.oneof(reference, literal));
  const { word } = fc.letrec<Record<"word" | "part" | "quotable" | "command", Sample>>((tie) => ({
    // No $'…' in ${…}: bash 5.2 itself misreads "$(printf %s ${nope:-$'\n'})".
    word: joined(
      fc.oneof(
        tie("part"),
        around(
          plain,
          (it) => `$'\\'${it}\\t'`,
          (it) => `'${it}\t`,
        ),
      ),
    ),
    part: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      reference,
      around(
        plain,
        (it) => `'${it}$(touch PWNED)'`,
        (it) => `${it}$(touch PWNED)`,
      ),
      around(tie("quotable"), (it) => `"${it}"`),
      around(
        tie("quotable"),
        (it) => `$"'${it}"`,
        (it) => `'${it}`,
      ),
      around(joined(tie("part")), (it) => `\${nope:-${it}}`),
    ),
    quotable: joined(
      fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        reference,
        literal,
        around(tie("command"), (it) => `$(${it})`),
        around(
          plain,
          (it) => `\`printf '%s.' "${it}"\``,
          (it) => `${it}.`,
        ),
        around(tie("quotable"), (it) => `\${nope:-${it}}`),
      ),
    ),
    command: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      around(
        tie("word"),
        (it) => `printf '%s.' ${it}`,
        (it) => `${it}.`,
      ),
      around(
        tie("word"),
        (it) => `case x in (y) :;; x) printf '%s)' ${it} # it's ) "\n;; esac`,
        (it) => `${it})`,
      ),
      around(
        tie("word"),
        (it) => `if [[ x${it} == x${it} ]]; then { (printf %s: ${it}); } fi`,
        (it) => `${it}:`,
      ),
      around(
        tie("word"),
        (it) => `cat <<<${it}; printf .`,
        (it) => `${it}\n.`,
      ),
      around(
        plain,
        (it) => `cat <<'E.F'; printf .\n$x ) \\ ${it} \`"\nE.F\n`,
        (it) => `$x ) \\ ${it} \`"\n.`,
      ),
      around(
        tie("quotable"),
        (it) => `cat <<-E${it.length}\n\t${it} ) ' "\n\tE${it.length}\nprintf .`,
        (it) => `${it} ) ' "\n.`,
      ),
    ),
  }));
  return fc.array(word, { minLength: 1, maxLength: 12 });
}

function joined(parts: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.array(parts, { minLength: 1, maxLength: 3 }).map((them) => ({
    word: them.map((it) => it.word).join(""),
    output: (values) => them.map((it) => it.output(values)).join(""),
  }));
}

function around(
  inside: fc.Arbitrary<Sample>,
  wrap: (word: string) => string,
  output = (it: string) => it,
): fc.Arbitrary<Sample> {
  return inside.map((it) => ({ word: wrap(it.word), output: (values) => output(it.output(values)) }));
}

function byNumber(values: string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, at) => [`v${at}`, value]));
}

/** Runs a script as a step would, and makes sure that it leaves nothing behind. */
function run(script: string, vars: Record<string, Value>): string {
  const done = bash(script, vars);
  assert.equal(done.stderr, "");
  assert.equal(done.status, 0);
  assert.deepEqual(fs.readdirSync(cwd), []);
  return done.stdout;
}

/** The same for scripts that may fail: everything they printed, and how they ended. */
function tryRun(script: string, vars: Record<string, Value>): string {
  const { stdout, stderr, status } = bash(script, vars);
  return `${stdout}${stderr}${status}`;
}

function bash(written: string, vars: Record<string, Value>) {
  const { script, values } = shellText(written, ({ path: [name = ""] }) => vars[name]);
  const env = { PATH: process.env.PATH, HOME: "/nowhere", LC_ALL: "C.UTF-8", ...values };
  const file = path.join(folder, "script");
  fs.writeFileSync(file, script);
  return spawnSync("bash", ["-euo", "pipefail", file], { cwd, env, encoding: "utf8" });
}
