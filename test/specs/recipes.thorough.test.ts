/** The recipes, run as they stand in docs/recipes.md and docs/claude-code.md, with the scripted agent in the place of `claude`. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { blocksOf, readPage } from "./support/doc-page.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import type { Job } from "./support/views.ts";

interface Decision {
  id: string;
  source: string;
  title: string;
  context: string;
  action: { input: { plan?: string } } | null;
  options: { number: number; key: string }[];
  delivery: { state: string };
}

interface Told {
  kind: string;
  text?: string;
}

const DIST = path.join(import.meta.dirname, "../../dist");
/** The tests pass when the code is right. */
const NPM =
  '#!/bin/sh\necho "1 test"; grep -q right code.txt || { echo "code.txt is not right" >&2; exit 1; }\n';
const write = (content: string) => ({
  tool: "Write",
  input: { file_path: "code.txt", content },
  real: true,
  asks: false,
});

describe("the recipe", () => {
  it('"test gate" sends the agent back until the tests pass, and asks a person if they never do', async () => {
    const recipe = await cook("fix", {
      turns: [[write("wrong\n")], [{ say: "Again." }], [{ say: "Again." }], [{ say: "Again." }]],
      match: [{ prompt: "try right", steps: [write("right\n"), { say: "Mended." }] }],
    });
    const job = await recipe.start("fix", "the sum");
    const gate = await recipe.asked("gate");
    assert.match(gate.context, /code\.txt is not right/);
    assert.match(gate.context, /Tried before asking: gate 3 times/);
    await recipe.answer(gate, "retry", "-m", "try right");
    assert.equal((await recipe.ended(job)).status, "completed");
    const prompts = recipe.told("prompt");
    assert.equal(prompts.length, 5);
    assert.match(prompts[0] ?? "", /^Fix this: the sum\./);
    assert.match(
      prompts[1] ?? "",
      /\$ npm test[\s\S]*code\.txt is not right[\s\S]*The tests are right, the code is wrong/,
    );
    assert.match(prompts[4] ?? "", /^A check failed:\s+\$ npm test\s+exit code 1[\s\S]*\n\ntry right$/);
    assert.match(recipe.told("context")[0] ?? "", /Shop/);
  });

  also('"review gate" goes back to the agent with the review, and commits what was accepted', async () => {
    const recipe = await cook("change", {
      match: [{ prompt: "shorter", steps: [write("short\n")] }],
      turns: [[write("very long\n")]],
    });
    const job = await recipe.start("change", "feat/text", "Write the text");
    const first = await recipe.asked("step");
    assert.match(first.context, /\+very long/);
    await recipe.answer(first, "change", "-m", "make it shorter");
    const second = await recipe.asked("step");
    assert.match(second.context, /\+short/);
    await recipe.answer(second, "take");
    assert.equal((await recipe.ended(job)).status, "completed");
    assert.equal(recipe.git("show", "feat/text:code.txt"), "short\n");
    assert.match(recipe.git("log", "--oneline", "-1", "feat/text"), /Write the text/);
    assert.match(recipe.told("prompt")[1] ?? "", /said so far: make it shorter/);
  });

  also('"retry on rate limit" retries by itself, and asks about an error that does not go away', async () => {
    const recipe = await cook(
      "night",
      {
        turns: [
          [{ error: "rate_limit" }],
          [{ error: "rate_limit" }],
          [{ error: "overloaded" }],
          [{ error: "authentication_failed" }],
          [{ say: "All done." }],
        ],
      },
      (text) => text.replaceAll(/cooldown = "\d+s"/g, 'cooldown = "300ms"'),
    );
    const job = await recipe.start("night", "Read everything");
    const error = await recipe.asked("error");
    assert.match(error.title, /Unauthorized/);
    assert.equal(recipe.told("prompt").length, 4);
    await recipe.answer(error, "retry", "-m", "I logged in again");
    assert.equal((await recipe.ended(job)).status, "completed");
    const [before, after = ""] = recipe.told("prompt").slice(3);
    assert.equal(before, "The API is back. Please continue.");
    assert.match(after, /^An error interrupted you: API Error: 401 .*\n\nI logged in again$/);
  });

  it('"plan then build" takes a revised plan, and the tests decide', async () => {
    const recipe = await cook("feature", {
      turns: [
        [{ plan: ["# Plan\n\nGuess", "# Plan\n\nMeasure, then write"] }, write("wrong\n"), { say: "Built." }],
        [write("right\n"), { say: "Mended." }],
      ],
    });
    const job = await recipe.start("feature", "a sum");
    const first = await recipe.asked("plan");
    assert.match(first.action?.input.plan ?? "", /Guess/);
    await recipe.answer(first, "revise", "-m", "measure first");
    const second = await recipe.asked("plan");
    assert.match(second.action?.input.plan ?? "", /Measure, then write/);
    await recipe.answer(second, "accept-auto");
    assert.equal((await recipe.ended(job)).status, "completed");
    assert.match(recipe.told("prompt")[1] ?? "", /^The tests don't pass yet\./);
  });
});

describe("the recipe that demands a decision", () => {
  const ask = `oj decision request --prompt "What next?" --option "Ship it" --option "Test more" --wait`;
  const asks = { tool: "Bash", input: { command: ask }, real: true, asks: false };
  const done = [{ say: "All done." }, { signal: "done" }];

  it("sends the agent back until it has asked and has the answer", async () => {
    const recipe = await cook("errand", { turns: [done, [asks, ...done]] });
    const job = await recipe.start("errand", "Tidy up");
    const request = await recipe.asked("request");
    const [, back = ""] = recipe.told("prompt");
    assert.match(back, /no decision was offered and answered[\s\S]*Offer a decision before you finish/);
    await recipe.answer(request, "ship-it");
    assert.equal((await recipe.ended(job)).status, "completed");
    assert.equal(recipe.told("prompt").length, 2);
  });

  also("asks a person about an agent that never asks", async () => {
    const recipe = await cook("errand", { turns: [done, done, done, done] });
    const job = await recipe.start("errand", "Tidy up");
    const gate = await recipe.asked("gate");
    assert.match(gate.context, /no decision was offered and answered/);
    assert.match(gate.context, /Tried before asking: gate 3 times \(on_signal\)/);
    assert.equal(recipe.told("prompt").length, 4);
    await recipe.answer(gate, "skip");
    assert.equal((await recipe.ended(job)).status, "completed");
  });
});

describe("the runbook of the newcomer's path", () => {
  it("asks before its agent writes a file, and whether to keep it", async () => {
    const asks = { tool: "Write", input: { file_path: "hello.sh", content: "echo hi\n" }, real: true };
    const turn = [asks, { say: "Written." }];
    const recipe = await cook("write", { turns: [turn, turn] }, (it) => it, "docs/claude-code.md");
    const job = await recipe.start("write", "Write hello.sh");
    const approval = await recipe.asked("approval");
    assert.equal(approval.title, "Write: hello.sh");
    await recipe.answer(approval, "approve");
    const review = await recipe.asked("step");
    assert.match(review.context, /\?\? hello\.sh/);
    await recipe.answer(review, "redo", "-m", "Say hello");
    await recipe.answer(await recipe.asked("approval"), "approve");
    await recipe.answer(await recipe.asked("step"), "keep");
    assert.equal((await recipe.ended(job)).status, "completed");
    assert.deepEqual(recipe.told("prompt"), ["Write hello.sh. ", "Write hello.sh. Say hello"]);
  });
});

interface Recipe {
  start(command: string, ...args: string[]): Promise<string>;
  asked(source: string): Promise<Decision>;
  /** Takes the option with that key, and waits until the answer has arrived. */
  answer(decision: Decision, key: string, ...flags: string[]): Promise<void>;
  ended(job: string): Promise<Job>;
  /** What the agents were told, in order. */
  told(kind: string): string[];
  git(...args: string[]): string;
}

async function cook(
  name: string,
  scenario: object,
  change = (text: string) => text,
  page = "docs/recipes.md",
): Promise<Recipe> {
  const file = `.oj/runbooks/${name}.hcl`;
  const block = blocksOf(readPage(page)).find((it) => it.file === file);
  assert.ok(block, file);
  const project = await tempProject({ [file]: change(block.text), "code.txt": "empty\n", "bin/npm": NPM });
  const bin = path.join(project.dir, "bin");
  const record = path.join(project.home, "record.jsonl");
  const play = path.join(project.home, "scenario.json");
  fs.writeFileSync(play, JSON.stringify(scenario));
  fs.chmodSync(path.join(bin, "npm"), 0o755);
  fs.symlinkSync(path.join(DIST, "oj-agent.cjs"), path.join(bin, "claude"));
  fs.symlinkSync(path.join(DIST, "oj.cjs"), path.join(bin, "oj"));
  Object.assign(project.env, {
    PATH: `${bin}:${project.env.PATH}`,
    OJ_AGENT_SCENARIO: play,
    OJ_AGENT_RECORD: record,
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((it) => [
        [`GIT_${it}_NAME`, "Ana"],
        [`GIT_${it}_EMAIL`, "ana@localhost"],
      ]),
    ),
  });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: project.dir, env: project.env, encoding: "utf8" });
  git("init", "--quiet");
  git("add", "code.txt");
  git("commit", "--quiet", "-m", "Shop");
  return {
    git,
    async start(command, ...args) {
      const { job_id } = await project.json<{ job_id: string }>("run", command, ...args);
      return job_id;
    },
    asked: (source) => pending(project, source),
    async answer({ id, options }, key, ...flags) {
      const number = options.find((it) => it.key === key)?.number;
      const { code, stderr } = await project.run("decision", "resolve", id, String(number), ...flags);
      assert.equal(code, 0, stderr);
      await project.until(async () => {
        const { delivery } = await project.json<Decision>("decision", "show", id);
        return delivery.state === "acknowledged";
      }, `the receipt for ${id}`);
    },
    async ended(job) {
      await project.run("job", "wait", job, "--timeout", "2m");
      return project.json<Job>("job", "show", job);
    },
    told: (kind) =>
      fs
        .readFileSync(record, "utf8")
        .trimEnd()
        .split("\n")
        .map((it) => JSON.parse(it) as Told)
        .flatMap((it) => (it.kind === kind ? [it.text ?? ""] : [])),
  };
}

function pending(project: Project, source: string): Promise<Decision> {
  return project.until(async () => {
    const all = await project.json<Decision[]>("decision", "list");
    return all.find((it) => it.source === source);
  }, `a decision of source ${source}`);
}
