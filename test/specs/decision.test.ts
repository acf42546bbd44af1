import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { piped, shell } from "./support/piped.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import { RELEASE } from "./support/runbooks.ts";
import { settingsWith } from "./support/settings.ts";

interface Decision {
  id: string;
  state: string;
  title: string;
  urgency: string;
  project: string;
  options: { number: number; label: string; recommended: boolean; effect: string }[];
  answer: { chosen: number | null; labels: string[]; message: string | null; by: string; via: string } | null;
  delivery: { state: string };
  superseded_by: string | null;
}

const runbooks = { ".oj/runbooks/release.hcl": RELEASE };
const OPTIONS = ["--option", "Yes: do it", "--option", "No"];

const list = (project: Project, ...flags: string[]) => project.json<Decision[]>("decision", "list", ...flags);
const ask = async (project: Project, prompt: string, ...flags: string[]) =>
  (await project.json<Decision>("decision", "request", "--prompt", prompt, ...OPTIONS, ...flags)).id;
const ended = (project: Project, id: string, state: string) =>
  project.until(async () => {
    const decision = await project.json<Decision>("decision", "show", id);
    return decision.delivery.state === state ? decision : null;
  });

/** On a busy machine, five seconds are over before the next command has printed anything. */
const timeless = (text: string) => text.replaceAll(/just now|\d+ seconds ago/g, "AGO");

describe("the inbox", () => {
  also("is an empty list as JSON, and a sentence for people", async () => {
    const project = await tempProject();
    assert.deepEqual(await list(project), []);
    const { stdout, stderr, code } = await project.run("decisions");
    assert.deepEqual([stdout, stderr, code], ["no decisions waiting for an answer\n", "", 0]);
    assert.equal((await project.run("status")).stdout, "nothing is running and nothing is waiting\n");
  });

  it("is sorted by urgency, then age, across all projects or within one", async () => {
    const project = await tempProject();
    const low = await ask(project, "low?", "--urgency", "low");
    const first = await ask(project, "first?");
    const other = await ask(project, "other?", "--project", "blog");
    const high = await ask(project, "high?", "--urgency", "high");
    assert.deepEqual(
      (await list(project)).map((it) => it.id),
      [high, first, other, low],
    );
    assert.deepEqual(
      (await list(project, "--project", "blog")).map((it) => it.id),
      [other],
    );
    assert.deepEqual(
      (await list(project, "--urgency", "low")).map((it) => it.id),
      [low],
    );
    assert.deepEqual(await list(project, "--source", "step"), []);
    const { stdout, stderr } = await project.run("decision", "list");
    const columns = stdout
      .split("\n")
      .slice(0, 2)
      .map((line) => line.replace(/ \d+s +/, " now  ").split(/ {2,}/)); // a busy machine takes seconds to get here
    assert.deepEqual(columns, [
      ["ID", "PROJECT", "URGENCY", "SOURCE", "AGE", "WHO", "TITLE"],
      [high, "shop", "high", "request", "now", "ana", "high?"],
    ]);
    assert.match(stdout, /\n\n4 decisions waiting for an answer: 1 high, 2 medium, 1 low\n$/);
    assert.equal(stderr, `  → oj decision show ${high}, or go through them all: oj decision review\n`);
  });
});

describe("a decision of a job", () => {
  it("shows what each option does, takes an answer, and moves the job on", async () => {
    const project = await tempProject(runbooks);
    const { job_id } = await project.json<{ job_id: string }>("run", "release", "1.0");
    const { id } = await project.until(async () => (await list(project))[0]);
    const shown = await project.run("decision", "show", id);
    assert.match(shown.stdout, /asked by {4}job release\/1\.0 \(job-\w+\), step "ship"/);
    assert.match(shown.stdout, /from the runbook of release\/1\.0\n {2}│ all green\n/);
    assert.match(shown.stdout, / {2}1 {2}★ Ship it {5}→ the job continues {2}recommended\n/);
    assert.match(shown.stdout, / {2}2 {4}Test again {2}→ the job goes to step "test"\n/);
    assert.equal(shown.stderr, `\n  → oj decision resolve ${id} <1-3> [-m "a message"]\n`);
    assert.match(
      (await project.run("status")).stdout,
      /waiting .*release\/1\.0 · ship {2}\[step\] Ship 1\.0\?/,
    );

    const answered = await project.run("decision", "resolve", id.slice(4), "1", "-m", "-x go");
    assert.match(
      answered.stdout,
      new RegExp(`^✓ ${id} answered: Ship it {2}"-x go"\n {2}the job continues\n`),
    );
    assert.equal((await project.run("job", "wait", job_id)).code, 0);
    assert.match((await project.run("job", "logs", job_id)).stdout, /published 1\.0 -x go/);
  });

  it("refuses a second answer and names the winner, in words and as JSON", async () => {
    const project = await tempProject();
    const id = await ask(project, "which?");
    await project.run("decision", "resolve", id, "2");
    const again = await project.run("decision", "resolve", id, "1");
    assert.equal(again.code, 1);
    assert.equal(
      timeless(again.stderr),
      `✗ ${id} was already answered: No, by ana (cli) AGO\n  → oj decision show ${id}\n`,
    );
    const json = await project.run("decision", "resolve", id, "1", "-o", "json");
    const { error } = JSON.parse(json.stdout);
    assert.equal(error.code, "decision.already-resolved");
    assert.equal(error.hint, `oj decision show ${id}`);
    assert.equal(json.stderr, "");
  });
});

describe("refusals", () => {
  it("say what would be right", async () => {
    const project = await tempProject();
    const id = await ask(project, "which?");
    const next = `  1 Yes  2 No\n  → oj decision resolve ${id} <1-2>\n`;
    for (const [args, code, text] of [
      [["resolve", id, "7"], 1, `✗ ${id} has 2 options; 7 is not one of them.\n${next}`],
      [["resolve", id], 1, `✗ no answer was given for ${id}\n${next}`],
      [["show", "zzz"], 1, "✗ there is no decision zzz\n  → oj decision list\n"],
      [["show"], 2, "✗ oj decision show needs ID\n  → oj decision show ID\n"],
      [["shwo", id], 2, '✗ oj decision has no command "shwo"\n  → did you mean oj decision show?\n'],
      [
        ["list", "--urgency", "hgh"],
        2,
        '✗ --urgency must be one of high, medium, low, not "hgh"\n  → did you mean --urgency high?\n',
      ],
    ] as const) {
      const { stdout, stderr, code: got } = await project.run("decision", ...args);
      assert.deepEqual([stdout, stderr, got], ["", text, code]);
    }
  });

  also("list the candidates for an ambiguous prefix", async () => {
    const project = await tempProject();
    for (let count = 0; count < 30; count++) await ask(project, `question ${count}?`);
    const letters = (await list(project)).map((it) => it.id[4] ?? "");
    const twice = letters.find((it, at) => letters.indexOf(it) < at) ?? "";
    const { code, stdout } = await project.run("decision", "show", twice, "-o", "json");
    assert.equal(code, 1);
    const { error } = JSON.parse(stdout);
    assert.equal(error.code, "decision.ambiguous");
    assert.ok(error.details.candidates.length > 1);
  });
});

describe("several answers in one command", () => {
  also("get a result each, and the command fails if one of them does", async () => {
    const project = await tempProject();
    const ids = [await ask(project, "a?"), await ask(project, "b?")];
    const some = await project.run("decision", "resolve", ...ids, "zzzz", "1");
    assert.equal(some.code, 1);
    assert.equal(
      timeless(some.stdout),
      `${ids.map((id) => `✓ ${id}  answered: Yes, by ana (cli) AGO; not delivered yet\n`).join("")}✗ zzzz  there is no decision zzzz\n`,
    );
    const more = [await ask(project, "c?"), await ask(project, "d?")];
    const all = await project.json<{ id: string; decision: Decision }[]>("decision", "resolve", ...more, "2");
    assert.deepEqual(
      all.map((it) => it.decision.answer?.chosen),
      [2, 2],
    );
  });
});

describe("await", () => {
  it("prints the answer, which then counts as delivered", async () => {
    const project = await tempProject();
    const id = await ask(project, "which?", "--as", "bot");
    const waiting = project.start("decision", "await", id, "--timeout", "60s");
    await project.run("decision", "resolve", id, "1", "-m", "and hurry");
    const { stdout, stderr, code } = await waiting.ended;
    assert.deepEqual([stdout, code], ["Yes\nand hurry\n", 0]);
    assert.match(timeless(stderr), /answered: Yes, by ana \(cli\) AGO\n$/);
    await ended(project, id, "acknowledged");
  });

  it("survives a daemon that is killed", async () => {
    const project = await tempProject();
    const id = await ask(project, "which?");
    const waiting = project.start("decision", "await", id, "-o", "json");
    const pid = await project.daemonPid();
    process.kill(pid ?? 0, "SIGKILL");
    await project.until(async () => (await project.run("decision", "resolve", id, "2")).code === 0);
    const { stdout, code } = await waiting.ended;
    assert.equal(code, 0);
    assert.equal((JSON.parse(stdout) as Decision).answer?.chosen, 2);
  });

  it("has an exit code for every outcome", async () => {
    const project = await tempProject();
    const withdrawn = await ask(project, "a?");
    const waiting = project.start("decision", "await", withdrawn);
    await project.run("decision", "cancel", withdrawn, "--reason", "found it");
    assert.equal((await waiting.ended).code, 4);
    assert.match((await waiting.ended).stderr, /withdrawn: found it, by ana/);

    const superseded = await ask(project, "b?", "--as", "bot");
    await ask(project, "c?", "--as", "bot");
    const second = await project.run("decision", "await", superseded, "-o", "json");
    assert.equal(second.code, 4);
    assert.ok((JSON.parse(second.stdout) as Decision).superseded_by);

    const late = await project.run("decision", "await", await ask(project, "d?"), "--timeout", "50ms");
    assert.equal(late.code, 5);
    const unknown = await project.run("decision", "await", "zzzz");
    assert.equal(unknown.code, 1);
  });

  also("exits with 130 on Ctrl-C, and the question stays", async () => {
    const project = await tempProject();
    const waiting = project.start("decision", "request", "--prompt", "which?", ...OPTIONS, "--wait");
    await project.until(() => waiting.stderr().includes("waiting"));
    waiting.kill("SIGINT");
    const { code, stderr } = await waiting.ended;
    assert.equal(code, 130);
    assert.match(stderr, /still waiting for an answer: oj decision await dec-/);
    assert.equal((await list(project)).length, 1);
  });
});

describe("watch --headless", () => {
  it("prints one JSON line per event, across a restart of the daemon", async () => {
    const project = await tempProject();
    await project.run("status");
    const watching = project.start("decision", "watch", "--headless");
    const events = () =>
      watching
        .stdout()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { seq: number; type: string; id: string });
    const first = await project.until(async () => {
      const id = await ask(project, "is it there?");
      return events().some((it) => it.id === id) ? id : null;
    });
    await project.run("daemon", "restart");
    await project.run("decision", "resolve", first, "1");
    await project.until(() => events().some((it) => it.type === "decision:resolved" && it.id === first));
    const seqs = events().map((it) => it.seq);
    assert.deepEqual(
      seqs,
      [...new Set(seqs)].sort((a, b) => a - b),
    );
    watching.kill("SIGINT");
    assert.equal((await watching.ended).code, 130);
  });

  it("prints everything that is kept, and says where that begins", async () => {
    const project = await tempProject({}, settingsWith("[store]\nsnapshot_every = 8\nkeep_events = 2\n"));
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(project, `question ${n}`)));
    await project.until(async () => (await project.run("daemon", "logs")).stdout.includes("compacted="));
    const watching = project.start("decision", "watch", "--headless", "--after", "0");
    await ask(project, "the last one");
    await project.until(() => watching.stdout().includes("the last one"));
    watching.kill("SIGINT");
    await watching.ended;
    const seqs = watching
      .stdout()
      .trim()
      .split("\n")
      .map((it) => (JSON.parse(it) as { seq: number }).seq);
    const [first = 0] = seqs;
    assert.ok(first > 1 && first <= ids.length, "what was compacted is missing, what is kept is not");
    assert.deepEqual(
      seqs,
      Array.from(seqs, (_, n) => first + n),
    );
    const refused = await project.run("decision", "watch", "--headless", "--after", "1");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`→ oj decision watch --headless --after ${first - 1}\n`));
  });
});

describe("review from a pipe", () => {
  it("reads a choice and a message line by line, and sums up", async () => {
    const project = await tempProject();
    const ids = [await ask(project, "a?"), await ask(project, "b?"), await ask(project, "c?")];
    const { stdout, code } = await piped(project, "1\nlooks good\ns\nq\n", "decision", "review");
    assert.equal(code, 0);
    assert.match(stdout, /\n1 answered, 1 skipped, 1 left\n$/);
    const [first] = await list(project, "--all").then((all) => all.filter((it) => it.id === ids[0]));
    assert.equal(first?.answer?.message, "looks good");
    assert.equal(
      (await piped(project, "", "decision", "review", "-o", "json")).stdout
        .match(/"left":\[(.*)\]/)?.[1]
        ?.split(",").length,
      2,
    );
  });
});

describe("text from outside", () => {
  it("never reaches a terminal unfiltered", async () => {
    const project = await tempProject();
    const evil = "\u001b]0;owned\u0007 \u202e \u009b31m \u{e0041}";
    const flags = ["--context", evil, "--as", evil, "--blocks", evil];
    const asked = await project.json<Decision>(
      "decision",
      "request",
      "--prompt",
      `${evil}?`,
      "--option",
      `${evil}: ${evil}`,
      ...flags,
    );
    const outputs = await Promise.all([
      project.run("decision", "list"),
      project.run("decision", "show", asked.id),
      project.run("decision", "show", asked.id, "-o", "json"),
      project.run("status"),
      project.run("decision", "resolve", asked.id, "7"),
      project.run("decision", "show", evil),
      project.run(evil),
    ]);
    await project.run("decision", "resolve", asked.id, "1", "-m", evil);
    outputs.push(
      await project.run("decision", "show", asked.id),
      await project.run("decision", "await", asked.id),
    );
    for (const { stdout, stderr } of outputs) {
      for (const hostile of ["\u001b", "\u0007", "\u202e", "\u009b", "\u{e0041}"]) {
        assert.ok(!(stdout + stderr).includes(hostile), stdout + stderr);
      }
    }
    assert.equal(JSON.parse(outputs[2]?.stdout ?? "").title, `${evil}?`);
  });
});

it("shows an answer on hold, and what can be done about it", async () => {
  const project = await tempProject({}, settingsWith("[undo]\ncli_s = 600\n"));
  const id = await ask(project, "Build it?");
  await project.json("decision", "resolve", id, "1");
  const held = await project.run("decision", "show", id);
  assert.match(held.stdout, /on hold +Yes, by \S+ \(cli\): not sent yet/);
  assert.match(held.stderr, new RegExp(`→ oj decision undo ${id}`));
  await project.json("decision", "undo", id);
  const open = await project.run("decision", "show", id);
  assert.doesNotMatch(open.stdout, /on hold/);
  assert.match(open.stderr, new RegExp(`→ oj decision resolve ${id}`));
});

describe("a reader that goes away", () => {
  also("ends the command quietly", async () => {
    const project = await tempProject();
    for (let count = 0; count < 5; count++) await ask(project, `${"long ".repeat(500)}${count}?`);
    const oj = path.join(import.meta.dirname, "../../dist/oj.cjs");
    const { stderr } = await shell(
      project,
      `'${process.execPath}' '${oj}' decision list --all -o json | head -c 10`,
    );
    assert.equal(stderr, "");
  });
});
