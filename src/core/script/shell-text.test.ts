// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test hold ${…} for our own reader.
import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import type { Value } from "../model/runbook.ts";
import { shellText } from "./shell-text.ts";

/** What a script becomes, without the words that un-export its variables. */
function written(text: string, value: Value = "7"): string {
  return shellText(text, () => value).script.replace(/^export -n [^;]*; /, "");
}

describe("shellText", () => {
  it("gives a script and the values that belong to it", () => {
    const lookup = ({ path: [name] }: { path: string[] }) =>
      name === "files" ? ["a b", "c"] : `the ${name}`;
    assert.deepEqual(shellText("cp ${args.files} ${var.to} '${var.to}'", lookup), {
      script: `export -n OJ_V0 OJ_V1 OJ_V2; cp "\${OJ_V0}" "\${OJ_V1}" "\${OJ_V2}" ''"\${OJ_V2}"''`,
      values: { OJ_V0: "a b", OJ_V1: "c", OJ_V2: "the to" },
    });
  });

  it.each([
    // Open text, and the three kinds of quotes.
    ["echo ${var.x}", 'echo "${OJ_V0}"'],
    ["a=${var.x}b", 'a="${OJ_V0}"b'],
    ['echo "a ${var.x}"', 'echo "a ${OJ_V0}"'],
    ["echo 'a ${var.x}'", `echo 'a '"\${OJ_V0}"''`],
    ["echo $'a\\'${var.x}'", `echo $'a\\''"\${OJ_V0}"$''`],
    ['echo $"a ${var.x}"', 'echo $"a ${OJ_V0}"'],
    [`echo \\' ${"${var.x}"} \\'`, `echo \\' "\${OJ_V0}" \\'`],
    ['echo "\\"${var.x}"', 'echo "\\"${OJ_V0}"'],
    ['echo "it\'s ${var.x}"', 'echo "it\'s ${OJ_V0}"'],
    [`echo "$'\${var.x}'"`, `echo "$'\${OJ_V0}'"`],
    ['echo "$"${var.x}', 'echo "$""${OJ_V0}"'],
    // Substitutions begin anew, whatever is around them.
    ['echo "$(cat ${var.x})"', 'echo "$(cat "${OJ_V0}")"'],
    [
      `echo "$(cat '\${var.x}' ")" \${var.x})\${var.x}"`,
      `echo "$(cat ''"\${OJ_V0}"'' ")" "\${OJ_V0}")\${OJ_V0}"`,
    ],
    ["diff <(ls ${var.x}) >(cat)", 'diff <(ls "${OJ_V0}") >(cat)'],
    ["echo `ls ${var.x}`", 'echo `ls "${OJ_V0}"`'],
    ["echo `echo \\`ls ${var.x}\\``", 'echo `echo \\`ls "${OJ_V0}"\\``'],
    ["echo $((cd a); (ls ${var.x}))", 'echo $((cd a); (ls "${OJ_V0}"))'],
    [
      "echo $(case a in a) ls ${var.x};; esac)${var.x}",
      'echo $(case a in a) ls "${OJ_V0}";; esac)"${OJ_V0}"',
    ],
    ["echo $(# it's )\nls ${var.x})", `echo $(# it's )\nls "\${OJ_V0}")`],
    // The shell's own expansions.
    ["echo ${HOME:-${var.x}}", 'echo ${HOME:-"${OJ_V0}"}'],
    ['echo "${HOME:-${var.x}}"', 'echo "${HOME:-${OJ_V0}}"'],
    ['echo "${HOME#${var.x}}"', 'echo "${HOME#"${OJ_V0}"}"'],
    ['echo "${HOME/a/${var.x}}"', 'echo "${HOME/a/"${OJ_V0}"}"'],
    [`echo "\${HOME:-'none'}\${var.x}"`, `echo "\${HOME:-'none'}\${OJ_V0}"`],
    // Here-documents.
    ["cat <<E\na ${var.x} 'b'\nE\nls ${var.x}", `cat <<E\na \${OJ_V0} 'b'\nE\nls "\${OJ_V0}"`],
    ["cat <<'E' | wc\n$a ${var.x} `\\b`\nE\n", "cat <<E | wc\n\\$a ${OJ_V0} \\`\\\\b\\`\nE\n"],
    ["cat <<'E' <<F\n$a\nE\n${var.x}\nF\n", "cat <<'E' <<F\n$a\nE\n${OJ_V0}\nF\n"],
    ["cat <<-\\E\n\t${var.x}$\n\tE", "cat <<-E\n\t${OJ_V0}\\$\n\tE"],
    ["cat <<E\na\\\nE\n${var.x}\nE\nls '${var.x}'", `cat <<E\na\\\nE\n\${OJ_V0}\nE\nls ''"\${OJ_V0}"''`],
    ["cat <<<${var.x}", 'cat <<<"${OJ_V0}"'],
    ["echo $((1<<2)) ${var.x}\n", 'echo $((1<<2)) "${OJ_V0}"\n'],
    // Conditions, cases, functions, comments.
    ["[[ ${var.x} == ${var.x}* ]]", '[[ "${OJ_V0}" == "${OJ_V0}"* ]]'],
    ["[[ a =~ ^(${var.x}|b c)$ ]] && ls '${var.x}'", `[[ a =~ ^("\${OJ_V0}"|b c)$ ]] && ls ''"\${OJ_V0}"''`],
    ["case ${var.x} in ${var.x}) ls;; esac", 'case "${OJ_V0}" in "${OJ_V0}") ls;; esac'],
    ["f() { ls ${var.x}; }", 'f() { ls "${OJ_V0}"; }'],
    ["x=(${var.x} 'a)' # )\n) ls ${var.x}", `x=("\${OJ_V0}" 'a)' # )\n) ls "\${OJ_V0}"`],
    [
      "ls a#${var.x} # isn't ${var.x:-b\nc}\nls '${var.x}'",
      `ls a#"\${OJ_V0}" # isn't \${var.x}\nls ''"\${OJ_V0}"''`,
    ],
    ["ls !(${var.x}|b) @(c)", 'ls !("${OJ_V0}"|b) @(c)'],
    // Where bash calculates.
    ["echo $(( ${var.x} + 1 ))", "echo $(( ${OJ_V0} + 1 ))"],
    ["(( i < ${var.x} ))", "(( i < ${OJ_V0} ))"],
    ["echo ${a[${var.x}]} ${a:${var.x}}", "echo ${a[${OJ_V0}]} ${a:${OJ_V0}}"],
    // Escapes.
    ["echo $${HOME} ${var.x}", 'echo ${HOME} "${OJ_V0}"'],
    ["curl -w '%{http_code}' ${var.x}", `curl -w '%{http_code}' "\${OJ_V0}"`],
  ])("writes %j", (text, script) => assert.equal(written(text), script));

  it.each([
    ["ls ${args.x}", 'ls "${OJ_V0}" "${OJ_V1}"'],
    ["x=${args.x}", 'x="${OJ_V0}"'],
    ["ls > ${args.x}", 'ls > "${OJ_V0}"'],
    ["[ -n ${args.x:0:1} ]", '[ -n "${OJ_V0}" ]'],
    ['ls "${args.x}"', 'ls "${OJ_V0}"'],
  ])("writes a list in %j", (text, script) => assert.equal(written(text, ["a", "b"]), script));

  it("writes an empty list as no word at all", () =>
    assert.equal(written("ls ${args.x}", []), "ls ${OJ_V+}"));

  it("reads what may be arithmetic or subshells without getting slow", () => {
    const script = `echo ${"$((echo ".repeat(40)}ls \${var.x}${") )".repeat(40)}`;
    assert.equal(written(script), script.replace("${var.x}", '"${OJ_V0}"'));
  });

  it("applies defaults and substrings before the value travels", () => {
    const { values } = shellText("echo ${var.x:0:2} ${var.y:-a ${var.x}}", ({ path }) =>
      path[0] === "x" ? "long" : "",
    );
    assert.deepEqual(values, { OJ_V0: "lo", OJ_V1: "a long" });
  });

  it("returns a script without references as it is, however odd", () => {
    const unit = fc.constantFrom(..."ab \n'\"`()[]{}<>|&;#\\=*!", "<<E", "case ", "$(", "${x", "$((", "E\n");
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        assert.deepEqual(
          shellText(text, () => "x"),
          { script: text, values: {} },
        );
      }),
    );
  });

  it("never leaves a place unfilled: it fills every reference or refuses", () => {
    const unit = fc.constantFrom(
      ..."ab \n'\"`()[]{}<>|&;#\\=*!$",
      "<<E",
      "<<'E'",
      "\nE\n",
      "case a in ",
      "esac",
      "$(",
      "${x:-",
      "$((",
      "[[ ",
      " ]]",
      "${var.x}",
      "for ",
      "x=(",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        try {
          const { script } = shellText(text, () => "7");
          assert.equal(script.includes("\0"), false);
        } catch (error) {
          assert.equal((error as { code?: string }).code, "value.invalid");
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe("shellText refuses", () => {
  it.each([
    ["echo \\${var.x}", "a backslash before a reference (a literal ${ is written $${)"],
    ['echo "\\${var.x}"', "a backslash before a reference (a literal ${ is written $${)"],
    ["ls\necho '${var.x}", "a single quote that is not closed"],
    ['echo "${var.x}', "a double quote that is not closed"],
    ["echo $(ls ${var.x}", "a ( that is not closed"],
    ["case ${var.x} in a) ls", "a case that is not closed"],
    ["echo ${var.x} )", 'a stray ")"'],
    ["echo ${var.x} ;; ls", 'a stray ";"'],
    ["echo ${!${var.x}}", "a reference as the name of a shell variable"],
    ["echo ${ ls ${var.x}; }", "commands in ${"],
    ["cat <<${var.x}", "a here-document with an unusual delimiter"],
    ["cat <<'E F'\n${var.x}\nE F", "a quoted here-document with an unusual delimiter"],
    ["echo $(cat <<E)\n${var.x}\nE", "a substitution that ends before its here-document"],
    ["echo $(cat <<E\n${var.x}\nE)", "a here-document whose delimiter is not alone on its line"],
    ["cat <<E $(ls\n) ${var.x}\nE", "a substitution over several lines next to a here-document"],
    [`echo "\${x:-'\${var.x}'}"`, "single quotes that bash may read in two ways"],
    ['echo "`ls \\"${var.x}\\"`"', 'a backslash in backticks in quotes (write "$(…)")'],
    [`echo ${"$(".repeat(200)}\${var.x}${")".repeat(200)}`, "too many nested constructs"],
  ])("%j", (text, what) => {
    assert.throws(
      () => written(text),
      (error: { code: string; message: string }) => {
        assert.equal(error.code, "value.invalid");
        assert.match(error.message, /^Can't place values safely in this script: line \d+ has /);
        assert.equal(error.message.replace(/^.* line \d+ has /, ""), `${what}.`);
        return true;
      },
    );
  });

  it.each(["$((", "$[", "${x:-", '"$(', "((", "@(", "x=(", "case a in b) "])("%s nested too deep", (open) => {
    assert.throws(() => written(`${open.repeat(500)} \${var.x}`), { code: "value.invalid" });
  });

  it("and says on which line", () => {
    assert.throws(() => written("ls\n\ncat <<E\n$(ls \\${var.x})\nE"), { message: /line 4 has a backslash/ });
  });

  it("missing values, all at once, but not in comments", () => {
    assert.throws(() => shellText("ls ${var.a} '${var.b}' # ${var.c}", () => undefined), {
      code: "value.missing",
      message: "${var.a}, ${var.b} have no value.",
    });
    assert.doesNotThrow(() => shellText("ls # ${var.c} ${nope.d}", () => undefined));
  });

  it("a reference that has none of the valid forms", () => {
    assert.throws(() => written("ls ${var.x%.ts}"), {
      code: "value.invalid",
      message: "${var.x%.ts} is not a reference.",
    });
  });

  it("a script or a value with a NUL", () => {
    assert.throws(() => written("ls \0 ${var.x}"), { code: "value.invalid" });
    assert.throws(() => written("ls ${var.x}", "a\0b"), {
      code: "value.invalid",
      message: "${var.x} contains a NUL character, which a shell variable can't hold.",
    });
  });

  it("a value over 100,000 bytes, and values over 1,000,000 together", () => {
    assert.doesNotThrow(() => written("ls ${var.x}", "ä".repeat(50_000)));
    assert.throws(() => written("ls ${var.x}", `${"ä".repeat(50_000)}.`), {
      code: "value.invalid",
      message: "${var.x} has 100001 bytes; at most 100000 fit into a script's variable.",
    });
    const list = Array.from({ length: 11 }, () => "x".repeat(99_999));
    assert.throws(() => written("ls ${args.x}", list), { code: "value.invalid", message: /1099989 bytes/ });
  });

  it("a value that bash would evaluate, with the value in the sentence", () => {
    assert.throws(() => written("echo $(( ${var.x} ))", "a[$(reboot)]"), {
      code: "value.invalid",
      message: '${var.x} is in bash arithmetic, so it must be an integer. It is "a[$(reboot)]".',
    });
  });

  it.each([
    "name=${var.x}; (( ${#name} > 3 )) && echo ${name%%.*}",
    "echo $(( $(wc -l < ${var.x}) + 1 ))",
    "name=${var.x}; declare -A map=([a]=1); echo ${map[$name]}",
    "read -p ${var.x} answer",
    "bash -c 'ls \"$1\"' _ ${var.x}",
    "test ${var.x} -eq 3",
    "export title=${var.x}",
    'echo ${var.x}; eval "$(ssh-agent -s)"',
    "echo let ${var.x} unset ${var.x}",
  ])("nothing if bash takes the value as text: %s", (text) => {
    assert.doesNotThrow(() => written(text, "any (value) [at] $(all)"));
  });
});
