/** Tool calls that ask for permission, many of them similar, and how the real client draws each. */
import path from "node:path";
import type { Prompt } from "../../src/core/model/agent-types.ts";
import { EVERYTHING } from "./everything.ts";
import type { Tool } from "./model-api.ts";

export const DRAWN = path.join(import.meta.dirname, "../fixtures/claude-calls.json");

export interface Drawn {
  prompt: Prompt;
  screen: string;
}

const bash = (command: string): Tool => ({ name: "Bash", input: { command, description: "a test" } });
const write = (file_path: string, content: string): Tool => ({
  name: "Write",
  input: { file_path, content },
});
const edit = (old_string: string, new_string: string, replace_all = false): Tool => ({
  name: "Edit",
  input: { file_path: "many.txt", old_string, new_string, replace_all },
});
const fetched = (url: string): Tool => ({ name: "WebFetch", input: { url, prompt: "What is there?" } });
const read = (file_path: string): Tool => ({ name: "Read", input: { file_path } });
/** Characters that are invisible or reorder text: bidi marks, zero-width characters, fillers, tags, separators. */
const UNSEEN = [0x202e, 0x2066, 0x200b, 0xfeff, 0xad, 0x2060, 0x61c, 0x3164, 0xe0041, 0x2028, 0x200c].map(
  (it) => String.fromCodePoint(it),
);
/** Alone in a command; `npm test` tries one of each kind, and the saved screens have them all. */
const ALONE = EVERYTHING ? UNSEEN : UNSEEN.slice(0, 3);
const many = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`);

/** The order matters: some calls change what others made. */
export const CALLS: Tool[] = [
  bash("git push"),
  bash("git push --force"),
  bash("git push --force origin 'HEAD:main'"),
  bash("touch a\tb"),
  bash("touch ab"),
  bash("touch 'ünï – 🎉👨‍👩‍👧 │ 日本語'"),
  ...ALONE.map((it, n) => bash(`touch ${n}a${it}b c${it}${it}d`)), // on the screen only their numbers differ
  bash("touch 0ab cd"),
  bash(`echo '${UNSEEN.join("-")}' > x`),
  bash(`echo ${"long ".repeat(60)}> x`),
  bash(`echo ${"long ".repeat(61)}> x`),
  bash(`echo ${"0123456789".repeat(30)} > x`),
  bash("cat > z <<'E'\none\n\n  two\n12 three\nE"),
  bash("cat > z <<'E'\none\n\n  two\n12 three\nfour\nE"),
  bash("rm -rf /tmp/oj-nothing-here"),
  bash("rm -rf /tmp/oj-nothing-here-either\n"),
  bash("rm -rf /tmp/oj-nothing-here /tmp/oj-nothing-here-either"),
  write("w.txt", "one\n\n\ttwo\n3 three\n"),
  write("w.txt", `one\nsomething else\n${"wide ".repeat(50)}\n12 more\n`),
  write("wide.txt", `${"wide ".repeat(50)}\n12 ${"3456 7890 ".repeat(20)}\n`),
  write("wide.txt.bak", `${"wide ".repeat(50)}\n12 ${"3456 7890 ".repeat(20)}\n`),
  write("empty.txt", ""),
  write("unseen.txt", UNSEEN.map((it) => `one${it}two`).join("\n")),
  write(`un${UNSEEN[0]}seen.txt`, `one${UNSEEN[0]}two\n`),
  write("many.txt", `${many.join("\n")}\n`),
  edit("line 3\n", "line three\n"),
  edit("ne 5", "ne five"),
  edit("line 6\n", ""),
  edit(many.slice(9, 29).join("\n"), ["first", ...many.slice(10, 28), "last"].join("\n")),
  edit("line 1", "LINE 1", true),
  edit("line 9", `line${UNSEEN[0]} 9${UNSEEN[2]}`),
  edit("line 8", `line 8 ${"and on ".repeat(40)}`),
  read("/etc/hosts"),
  read("/etc/host.conf"),
  read("/etc/hostname"),
  fetched("http://127.0.0.1:9/page"),
  fetched("http://127.0.0.1:9/page/delete?x=1"),
  fetched(`http://127.0.0.1:9/${"far/".repeat(50)}end`),
  { name: "WebSearch", input: { query: "odd jobs" } },
];
