/**
 * The guard against the real bash: scripts are made from a grammar with hostile values anywhere in them. Whatever the reader accepts is
 * run, and must neither execute what is in the value nor change the value where it is printed. `OJ_SHELL_CONTEXTS=100000` is the full
 * size; `OJ_SHELL_SEED` gives another stream of scripts.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, it } from "vitest";
import { Refusal } from "../../src/core/model/errors.ts";
import { shellText } from "../../src/core/script/shell-text.ts";
import { makeContext, numbers } from "./shell-contexts.ts";

const COUNT = Number(process.env.OJ_SHELL_CONTEXTS ?? 1200);
const SEED = Number(process.env.OJ_SHELL_SEED ?? 11);
/** Contexts of one bash. */
const BATCH = 400;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-shell-guard-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Accepted {
  at: number;
  script: string;
  written: string;
  values: Record<string, string>;
  given: Record<string, string>;
}

describe("a script that the guard accepts", () => {
  it("executes nothing from the values in it, and prints them unchanged", {
    timeout: 300_000 + COUNT * 60,
  }, () => {
    const random = numbers(SEED);
    const tally = { made: 0, accepted: 0, byValue: 0, refused: 0, ran: 0, printed: 0 };
    const wrong: string[] = [];
    let batch: Accepted[] = [];
    const flush = () => {
      const { ran, printed, wrong: found } = runAll(batch);
      wrong.push(...found);
      tally.ran += ran;
      tally.printed += printed;
      batch = [];
    };
    for (let at = 0; at < COUNT; at++) {
      const { script, values: given } = makeContext(random);
      tally.made++;
      try {
        const { script: written, values } = shellText(script, ({ path: [name = ""] }) => given[name]);
        tally.accepted++;
        batch.push({ at, script, written, values, given });
      } catch (error) {
        assert.ok(error instanceof Refusal, `context ${at}: ${String(error)}\n${script}`);
        if (/ It is "/.test(error.message)) tally.byValue++;
        else tally.refused++;
      }
      if (batch.length === BATCH) flush();
    }
    flush();
    if (COUNT > 10_000) process.stderr.write(`contexts: ${JSON.stringify(tally)}\n`);
    assert.equal(wrong.length, 0, wrong.slice(0, 20).join("\n\n"));
    assert.ok(tally.accepted > COUNT / 10, JSON.stringify(tally));
    assert.ok(tally.ran === tally.accepted && tally.printed > 0, JSON.stringify(tally));
  });

  it("would be caught if the guard let it through", () => {
    const given = { v: "BASH_VERSINFO[$(pwn)]", w: "" };
    const written = 'echo $(( "$' + '{OJ_V0}" ))';
    const one = { at: 0, script: "", written, values: { OJ_V0: given.v }, given };
    assert.match(runAll([one]).wrong.join(), /ran the value/);
  });
});

/** Runs each in a subshell of one bash, as a step would be run. Returns how many ran to their end and how many values were printed. */
function runAll(batch: Accepted[]): { ran: number; printed: number; wrong: string[] } {
  const dir = fs.mkdtempSync(path.join(folder, "batch-"));
  const [bin, cwd, hits] = [path.join(dir, "bin"), path.join(dir, "cwd"), path.join(dir, "hits")];
  fs.mkdirSync(bin);
  fs.mkdirSync(path.join(cwd, "d"), { recursive: true });
  fs.writeFileSync(path.join(bin, "pwn"), `#!/bin/sh\necho "$OJ_CASE" >> ${hits}\n`, { mode: 0o755 });
  const parts = batch.map((it, index) => {
    fs.writeFileSync(path.join(dir, `${index}.sh`), it.written);
    const values = Object.entries(it.values).map(([name, value]) => `${name}=${quoted(value)}`);
    const file = path.join(dir, String(index));
    return `OJ_CASE=${index} ${values.join(" ")} timeout -s KILL 5 bash -euo pipefail ${file}.sh </dev/null >${file}.out 2>/dev/null; printf . >>${dir}/ended`;
  });
  fs.writeFileSync(path.join(dir, "all.sh"), `ulimit -f 20000\n${parts.join("\n")}\n`);
  const done = spawnSync("bash", [path.join(dir, "all.sh")], {
    cwd,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: cwd, LC_ALL: "C.UTF-8", FUNCNEST: "30" },
    stdio: "ignore",
    timeout: 300_000,
    killSignal: "SIGKILL",
  });
  assert.equal(
    done.error,
    undefined,
    `a batch did not end (contexts ${batch[0]?.at} to ${batch.at(-1)?.at})`,
  );

  const hit = fs.existsSync(hits) ? fs.readFileSync(hits, "utf8").trim().split("\n").map(Number) : [];
  const wrong = [...new Set(hit)].map((index) => `ran the value: ${describeCase(batch[index] as Accepted)}`);
  let printed = 0;
  batch.forEach((it, index) => {
    const output = fs.readFileSync(path.join(dir, `${index}.out`), "utf8");
    // Only if nothing surrounds it: a trace or another command may print the script itself.
    for (const part of output.split("I<").slice(1)) {
      if (/%s>I|OJ_V|x=\$/.test(part)) continue;
      printed++;
      const value = it.given.v ?? "";
      const isWhole = part.startsWith(`${value}>I`) || part.startsWith(`${value || "none"}>I`);
      if (!isWhole) wrong.push(`changed the value: ${JSON.stringify(part)}\n${describeCase(it)}`);
    }
  });
  const ran = fs.existsSync(path.join(dir, "ended")) ? fs.statSync(path.join(dir, "ended")).size : 0;
  fs.rmSync(dir, { recursive: true, force: true });
  return { ran, printed, wrong };
}

function describeCase({ at, script, given, written }: Accepted): string {
  return `context ${at}, values ${JSON.stringify(given)}\n${script}--- written\n${written}`;
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
