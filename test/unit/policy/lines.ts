/** Random command lines, from plain ones to such as no person writes. The same seed makes the same lines. */

const COMMANDS = ["git status", "git log", "ls", "echo", "cat", "npm test", "cd src", "grep x", "rm build"];
const PLAIN = [
  "-l",
  "--oneline",
  "-5",
  "src",
  "a",
  "src/b",
  "HEAD~1",
  "main..x",
  "--",
  "-n1",
  "a,b",
  "x=1",
  "@",
  "%",
  "+x",
  "^y",
  "src/../a",
];
const QUOTED = [
  "'a b'",
  '"a b"',
  "'a;evil'",
  '"a && evil"',
  "a\\ b",
  "\\;",
  "'|'",
  '"\'"',
  "''",
  '""',
  "'\n'",
  "'#'",
  "\\#",
  "'$x'",
  "'`evil`'",
  "a''b",
  "'$(evil)'",
  "\\$x",
  "'<<E'",
  "\\&",
];
const TRICKY = [
  "$x",
  '"$x"',
  "${x}",
  "$(evil)",
  '"$(evil)"',
  "`evil`",
  "<(evil)",
  ">(evil)",
  "*",
  "s*",
  "?",
  "[a]",
  "{a,b}",
  "{evil,now}",
  "~",
  "~/evil",
  "$'a'",
  "$'\\x3b'",
  '$"a"',
  "../outside",
  "link/evil",
  "link",
  "/etc",
  "$((1))",
  "$[1]",
  "#x",
  "!",
  "!!",
  "=evil",
  "a=~",
  "$IFS",
  "a$x",
  "\\\n",
  "\t",
  "\r",
  "\u00a0",
  "-exec",
  "--output=link/p",
  "--output=p",
  "\\",
  "'",
  '"',
  "${x:-evil}",
  "${!x}",
  "$@",
  "a\\\nb",
  "~+",
  "%evil",
];
const REDIRECTIONS = [
  "> out",
  ">> out",
  "2>&1",
  "2>/dev/null",
  "> link/pwned",
  "> ../outside/pwned",
  "< a",
  ">&2",
  "&> out",
  "> $x",
  "<<< a",
  ">| out",
  "3> out",
  "{fd}> out",
  "<> a",
  "> ~/pwned",
  ">&pwned",
  "< link/secret",
];
const SEPARATORS = [
  " && ",
  " || ",
  "; ",
  ";",
  " | ",
  " & ",
  "\n",
  " |& ",
  "&&",
  "|",
  " ;\n",
  " \\\n && ",
  "\n\n",
  " &\n",
];
const HIDING = [
  (it: string) => `evil; ${it}`,
  (it: string) => `${it}; evil`,
  (it: string) => `${it} && ./evil`,
  (it: string) => `( ${it} )`,
  (it: string) => `{ ${it}; }`,
  (it: string) => `{ evil; ${it}; }`,
  (it: string) => `if evil; then ${it}; fi`,
  (it: string) => `for x in 1; do ${it}; evil; done`,
  (it: string) => `while evil; do ${it}; break; done`,
  (it: string) => `case x in x) ${it};; esac`,
  (it: string) => `ls() { evil; }; ${it}`,
  (it: string) => `function cat { evil; }; ${it}`,
  (it: string) => `eval '${it.replaceAll("'", "")}'`,
  (it: string) => `eval evil; ${it}`,
  (it: string) => `x=evil; $x; ${it}`,
  (it: string) => `PATH=. ${it}`,
  (it: string) => `CI=1 ${it}`,
  (it: string) => `CI=1 evil; ${it}`,
  (it: string) => `a=1 ${it}`,
  (it: string) => `${it} <<E\n$(evil)\nE`,
  (it: string) => `${it} <<'E'\nevil\nE`,
  (it: string) => `${it} <<E\nE\nevil`,
  (it: string) => `bash -c '${it.replaceAll("'", "")}; evil'`,
  (it: string) => `command evil; ${it}`,
  (it: string) => `time ${it}`,
  (it: string) => `! ${it}`,
  (it: string) => `[[ -n x ]] && ${it}`,
  (it: string) => `((1)) && ${it}`,
  (it: string) => `trap evil EXIT; ${it}`,
  (it: string) => `exec ${it}`,
  (it: string) => `alias ls=evil\n${it}`,
  (it: string) => `# ${it}\nevil`,
  (it: string) => `${it} # evil`,
  (it: string) => `${it} #\nevil`,
  (it: string) => `coproc evil; ${it}`,
  (it: string) => `. ./evil; ${it}`,
  (it: string) => `cd link; ${it}`,
  (it: string) => `cd ..; ${it}`,
  (it: string) => `git -C src status; ${it}`,
  (it: string) => `git -c x=evil status; ${it}`,
];

export function lineMaker(seed: number): () => string {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  function command(): string {
    let line = one(COMMANDS);
    for (let n = Math.floor(random() * 4); n > 0; n--) {
      const kind = random();
      const word = kind < 0.5 ? one(PLAIN) : kind < 0.85 ? one(QUOTED) : one(TRICKY);
      line += random() < 0.97 ? ` ${word}` : word;
    }
    if (random() < 0.15) line += ` ${one(REDIRECTIONS)}`;
    return line;
  }

  return () => {
    let line = command();
    for (let n = Math.floor(random() * 3); n > 0; n--) line += one(SEPARATORS) + command();
    if (random() < 0.15) line = one(HIDING)(line);
    if (random() < 0.05) {
      const at = Math.floor(random() * line.length);
      line =
        line.slice(0, at) +
        one([...TRICKY, ...SEPARATORS, "(", ")", "{", "}", "evil", " evil "]) +
        line.slice(at);
    }
    return line;
  };
}
