import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { widthOf } from "../text/layout.ts";
import { plain } from "./base/output.ts";
import { readFlags, readWords } from "./base/parse.ts";
import { commandHelp, groupHelp, overview } from "./help.ts";
import { commands, forPrograms, groups, isCommand, isGroup, loadAll, loadCommand } from "./registry.ts";

const look = { style: plain, width: 80 };
const all = await loadAll();

describe("every command", () => {
  for (const name of Object.keys(commands)) {
    it(`${name} is in its own file under its own name, with a summary and an example`, async () => {
      const command = await loadCommand(name);
      assert.equal(command.name, name);
      assert.ok(
        command.summary.length > 0 && command.summary.length <= 60,
        `${command.summary.length} characters`,
      );
      assert.match(command.summary, /^[A-Z].*[^.]$/);
      assert.ok(command.examples.length > 0);
    });

    it(`${name} has examples with flags that it knows`, async () => {
      const command = await loadCommand(name);
      for (const { run } of command.examples) {
        const line = /\boj ((?:"[^"]*"|'[^']*'|[^|>)\n"'])*)/.exec(run)?.[1] ?? "";
        const argv = (line.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []).map((it) =>
          it.replace(/^(["'])(.*)\1$/s, "$2"),
        );
        const { name: found, rest } = readWords(argv, isCommand, isGroup);
        assert.ok(isCommand(found), run);
        readFlags(rest, await loadCommand(found));
      }
    });
  }
});

describe("oj --help", () => {
  const lines = overview(all, look).split("\n");
  it("fits on a screen", () => {
    assert.ok(lines.length <= 23, `${lines.length} lines`);
    for (const line of lines) assert.ok(widthOf(line) <= 80, line);
  });
  it("names every command meant for people, or its group", () => {
    const text = lines.join(" ").replace(/ +/g, " ");
    for (const { name } of all.filter((it) => !forPrograms.has(it.name))) {
      const [group = "", verb = ""] = name.split(" ");
      const isCut = text.includes(` ${group} …,`); // the group's own help lists its commands
      for (const word of isCut ? [group] : [group, verb]) assert.match(text, new RegExp(`\\b${word}`));
    }
  });
});

describe("the help of a group", () => {
  for (const group of Object.keys(groups))
    it(`of ${group} lists its commands`, () => {
      const text = groupHelp(group, all, look);
      for (const { name } of all.filter((it) => it.name.startsWith(`${group} `))) {
        assert.match(text, new RegExp(`^  ${name.split(" ")[1]}\\b`, "m"));
      }
    });
});

describe("the help of a command", () => {
  it("has usage, flags and examples", async () => {
    const text = commandHelp(await loadCommand("decision await"), look);
    assert.equal(
      text,
      `oj decision await: Wait for the answer and print it

usage: oj decision await ID [flags]

Flags
  --timeout D             give up after 30s, 5m, 1h30m (default: never)
  -o, --output json|text  what to print; --json is the same as -o json
  --project NAME          the project (default: OJ_PROJECT, .oj/config.toml or
                          the folder's name)
  --server NAME|URL       the machine to ask (default: what \`oj context use\`
                          says)

Examples
  oj decision await 7k3 --timeout 10m
      exit codes: 0 answered; 4 withdrawn, superseded, expired or dismissed; 5
      timeout
  oj decision await 7k3 -o json | jq .answer
      the whole decision as JSON`,
    );
  });
  for (const command of all)
    it(`${command.name} keeps its flags within 80 columns`, () => {
      const [flags = ""] = commandHelp(command, look).split("\nExamples\n");
      for (const line of flags.split("\n")) assert.ok(widthOf(line) <= 80, line);
    });
});
