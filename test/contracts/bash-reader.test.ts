import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { bashReader } from "../../src/adapters/bash/reader.ts";
import { tempFolder } from "./temp.ts";

const GOOD = [
  "true",
  "",
  "if true; then echo yes; fi",
  "cat <<E\n$(date)\nE\n",
  "shopt -s extglob\nrm -f !(keep)\n",
  "echo '}' && f() { :; }",
  "exit 1",
  `echo ${"x".repeat(300_000)}`,
];
const BAD: [script: string, line: number, message: RegExp][] = [
  ["if true; then", 2, /unexpected end of file/],
  ["echo one\nfi\necho two", 2, /unexpected token "fi"/],
  ['echo "open', 1, /unexpected EOF while looking for matching/],
  ["echo )", 1, /unexpected token "\)"/],
  ["}; touch ran; {", 1, /unexpected token "}"/],
  ["rm -f !(keep)", 1, /unexpected token/],
  ["for i in 1 2; echo $i; done", 1, /unexpected token/],
];

/** A reader whose bash counts how often it was started from here. */
async function reader(env: Record<string, string> = {}) {
  const dir = await tempFolder();
  const bin = path.join(dir, "bin");
  const counted = path.join(dir, "counted");
  fs.mkdirSync(bin);
  const real = (process.env.PATH ?? "")
    .split(":")
    .map((it) => path.join(it, "bash"))
    .find(fs.existsSync);
  const script = `#!${real}\ncase "$1" in --norc) echo x >> ${counted};; esac\nexec ${real} "$@"\n`;
  fs.writeFileSync(path.join(bin, "bash"), script, { mode: 0o755 });
  const kept = path.join(dir, "reading");
  const read = bashReader({ dir: kept, env: { PATH: `${bin}:${process.env.PATH}`, ...env } });
  const times = () => (fs.existsSync(counted) ? fs.readFileSync(counted, "utf8").split("\n").length - 1 : 0);
  return { dir, kept, read, times };
}

describe("reading scripts with bash", () => {
  it("tells good scripts from bad ones, each at its place, in one process, and never asks twice", async () => {
    const { read, times, kept } = await reader();
    const all = [...GOOD, ...BAD.map(([script]) => script)];
    const said = await read(all);
    assert.deepEqual(
      said.slice(0, GOOD.length),
      GOOD.map(() => null),
    );
    for (const [index, [script, line, message]] of BAD.entries()) {
      const problem = said[GOOD.length + index];
      assert.match(problem?.message ?? "", message, script);
      assert.ok(problem?.line === line || (problem?.line ?? 0) <= line + 1, `${script}: ${problem?.line}`);
    }
    assert.equal(times(), 1);
    assert.deepEqual(await read([...all].reverse()), [...said].reverse());
    assert.equal(times(), 1);
    await read([...all, 'echo "new"']);
    assert.equal(times(), 2);
    assert.equal(fs.existsSync(kept), false);
  });

  it("runs nothing: neither the script nor what the environment names", async () => {
    const { dir } = await reader();
    const ran = path.join(dir, "ran");
    const { read } = await reader({
      BASH_ENV: path.join(dir, "env.sh"),
      "BASH_FUNC_grep%%": `() { touch ${ran}; }`,
    });
    fs.writeFileSync(path.join(dir, "env.sh"), `touch ${ran}`);
    await read([`touch ${ran}`, `}; touch ${ran}; {`, `echo $(touch ${ran}) extglob )`]);
    assert.equal(fs.existsSync(ran), false);
  });

  it("knows nothing if bash is missing, and asks again later", async () => {
    const dir = await tempFolder();
    const read = bashReader({ dir: path.join(dir, "reading"), env: { PATH: "/nowhere" } });
    assert.deepEqual(await read(["fi"]), [null]);
  });

  it("does not ask about lines that can't be wrong", async () => {
    const { read, times } = await reader();
    const plain = ["npm test", "git status --short", "make -j4 all PREFIX=/opt", "./run.sh a,b c:d"];
    assert.deepEqual(
      await read(plain),
      plain.map(() => null),
    );
    assert.equal(times(), 0);
    const words = ["if", "then", "else", "elif", "fi", "do", "done", "esac", "in", "{", "}"];
    const said = await read(words.flatMap((it) => [it, `npm test\n${it}`]));
    assert.deepEqual(
      words.filter((_, index) => said[2 * index] && said[2 * index + 1]),
      words,
    );
  });

  it("reads a hundred at once", async () => {
    const { read, times } = await reader();
    const said = await read(Array.from({ length: 100 }, (_, n) => `echo "${n}"${n === 70 ? "; fi" : ""}`));
    assert.deepEqual(
      said.flatMap((it, index) => (it ? [index] : [])),
      [70],
    );
    assert.equal(times(), 1);
  });
});
