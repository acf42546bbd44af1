// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test hold ${…} for our own reader.
/** Shell text against the real bash: whatever stands around a reference, its value comes out as it went in, and nothing of it runs. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, it } from "vitest";
import type { Value } from "../../src/core/events.ts";
import { shellText } from "../../src/core/shell-text.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-shell-text-"));
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

/** What stands around: `@` is where the reference goes. The second part says what comes out, if not just the value. */
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
  ["printf '%s\\0' \"\\\\@\\\"\"", (it) => `\\${it}"`],
  ["printf '%s\\0' \"$(printf '%s.' @)\"", (it) => `${it}.`],
  ["printf '%s\\0' \"$(printf '%s.' \"$(printf '%s.' \"@\")\")\"", (it) => `${it}..`],
  ["printf '%s\\0' \"`printf '%s.' @`\"", (it) => `${it}.`],
  ["printf '%s\\0' \"`printf '%s.' \"@\" '@'`\"", (it) => `${it}.${it}.`],
  ["printf '%s\\0' \"`printf '%s.' \"\\`printf '%s.' '@'\\`\"`\"", (it) => `${it}..`],
  ["x=`printf '%s.' \\\\\\$ @`; printf '%s\\0' \"$x\"", (it) => `$.${it}.`],
  ["x=@; printf '%s\\0' \"$x\""],
  ["x=@@; printf '%s\\0' \"$x\"", (it) => it + it],
  ["x+=(@ \"@\"); printf '%s\\0' \"${x[-2]}${x[-1]}\"", (it) => it + it],
  ["export x=@; printf '%s\\0' \"$x\""],
  ["x=@ bash -c 'printf \"%s\\0\" \"$x\"'"],
  ["printf '%s\\0' \"${nope:-@}\""],
  ["printf '%s\\0' ${nope:-@}"],
  ["printf '%s\\0' ${nope:-'@'}"],
  ["printf '%s\\0' \"${nope:-\"@\"}\""],
  ["printf '%s\\0' \"${nope:-{@}}\"", (it) => `{${it}}`],
  ["printf '%s\\0' \"${HOME:+$(printf %s. @)}\"", (it) => `${it}.`],
  ["x=@tail; printf '%s\\0' \"${x#@}\" ", () => "tail"],
  ["x=@tail; printf '%s\\0' ${x#@} ", () => "tail"],
  ["x=head@; printf '%s\\0' \"${x%%@}.\"", (it) => (it === "" ? "head." : "head.")],
  ["x=aXb; printf '%s\\0' \"${x/X/@}\"", (it) => `a${it}b`],
  ["x=a@b; printf '%s\\0' \"${x/a@b/ok}\"", () => "ok"],
  ["cat <<EOF; printf '\\0'\n@ $((1+1)) '@' \"@\" \\$ \\\\@\nEOF", (it) => `${it} 2 '${it}' "${it}" $ \\${it}\n`],
  ["cat <<'EOF'; printf '\\0'\n@ $HOME `x` \\ \\\\ \\$ '@' $(touch PWNED)\nEOF", (it) => `${it} $HOME \`x\` \\ \\\\ \\$ '${it}' $(touch PWNED)\n`],
  ["cat <<\\EOF; printf '\\0'\n@ \\\n$x\nEOF", (it) => `${it} \\\n$x\n`],
  ["cat <<\"EOF\" ; printf '\\0'\n@\nEOF", (it) => `${it}\n`],
  ["cat <<-EOF; printf '\\0'\n\t\t@\n\tEOF", (it) => `${it}\n`],
  ["cat <<-'EOF'; printf '\\0'\n\t$ @\n\tEOF", (it) => `$ ${it}\n`],
  ["cat - /dev/fd/3 <<A 3<<'B'; printf '\\0'\n@\nA\n$x @\nB", (it) => `${it}\n$x ${it}\n`],
  ["printf '%s\\0' \"$(cat <<EOF\n@\nEOF\nprintf .)\"", (it) => `${it}\n.`],
  ["printf '%s\\0' \"$(cat <<'EOF'\n$x ) @ \"\nEOF\nprintf .)\"", (it) => `$x ) ${it} "\n.`],
  ["cat <<EOF; printf '\\0'\n$(printf '%s.' @) `printf '%s.' \"@\"` ${nope:-@} ${nope:-\"@\"}\nEOF", (it) => `${it}. ${it}. ${it} ${it}\n`],
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
  ["function g { local x=\"a@\"; printf '%s\\0' \"$x\"; }; g", (it) => `a${it}`],
  ["(printf '%s\\0' @)"],
  ["((1)) && { printf '%s\\0' @; }"],
  ["printf '%s\\0' \"$(( 2 * (3) ))$(printf %s. @)\"", (it) => `6${it}.`],
  ["cat <(printf '%s\\0' @)"],
  ["while IFS= read -rd '' x; do printf '%s\\0' \"$x\"; done < <(printf '%s\\0' '@')"],
  ["printf '%s\\0' @ # it's a comment with @ and \" in it"],
  ["# @ isn't here\nprintf '%s\\0' @"],
  ["printf '%s\\0' \\\n  @"],
  ["bash -c 'printf \"%s\\0\" \"$1\"' _ @"],
  ["echo hi >/dev/null 2>&1; printf '%s\\0' @ 2>/dev/null"],
  ["printf '%s\\0' x#@ '#'@", (it) => `x#${it}\0#${it}`],
  ["x=$$'@'; printf '%s\\0' \"${x#$$}\""],
  ["printf '%s\\0' \"$${HOME}@\"", (it) => `/nowhere${it}`],
  ["printf '%s\\0' \"$\"@ \"$'@'\"", (it) => `$${it}\0$'${it}'`],
  ["printf '%s\\0' {@,b}", (it) => `${it}\0b`],
  ["declare x=\"_@\"; printf '%s\\0' \"$x\"", (it) => `_${it}`],
];

describe("a value in a script", () => {
  it.each(places)("comes out as it went in: %s", (place, output = (it) => it) => {
    const script = nasty.map((_, at) => `${place.replaceAll("@", `\${var.v${at}}`)}\n`).join("");
    const lookup = Object.fromEntries(nasty.map((value, at) => [`v${at}`, value]));
    assert.deepEqual(run(script, lookup), nasty.map((it) => `${output(it)}\0`).join(""));
  });
});

function run(text: string, vars: Record<string, Value>): string {
  const { script, values } = shellText(text, ({ path: [name = ""] }) => vars[name]);
  const file = path.join(os.tmpdir(), `oj-shell-text-${process.pid}.sh`);
  fs.writeFileSync(file, script);
  const env = { PATH: process.env.PATH, HOME: "/nowhere", LC_ALL: "C.UTF-8", ...values };
  const done = spawnSync("bash", ["-euo", "pipefail", file], { cwd: folder, env, encoding: "utf8" });
  fs.rmSync(file);
  assert.equal(done.stderr, "");
  assert.equal(done.status, 0);
  assert.deepEqual(fs.readdirSync(folder), []);
  return done.stdout;
}
