/** Answers by the name of an option, and many decisions at once. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import { openTerminal } from "./support/terminal.ts";

interface Decision {
  id: string;
  state: string;
  answer: { chosen: number; labels: string[] } | null;
}

async function ask(project: Project, ...labels: string[]): Promise<string> {
  const options = labels.flatMap((it) => ["--option", it]);
  const { stdout } = await project.run("decision", "request", "--prompt", "Which?", ...options);
  return stdout.trim();
}

const show = (project: Project, id: string) => project.json<Decision>("decision", "show", id);

describe("an option", () => {
  it("can be chosen by its label or key, in any case, for one or several decisions", async () => {
    const project = await tempProject();
    const one = await ask(project, "Ship it: now", "Wait");
    const { stdout, code } = await project.run("decision", "resolve", one, "ship IT");
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^✓ ${one} answered: Ship it`));
    const [two, three] = [await ask(project, "Yes", "No"), await ask(project, "Maybe", "No")];
    assert.equal((await project.run("decision", "resolve", two, three, "no")).code, 0);
    assert.deepEqual((await show(project, two)).answer?.chosen, 2);
    assert.deepEqual((await show(project, three)).answer?.labels, ["No"]);
    const four = await ask(project, "Yes", "No");
    assert.equal((await project.run("decision", "resolve", four, "--choice", "yes")).code, 0);
  });

  also("that was misspelled is refused, with the one that was meant", async () => {
    const project = await tempProject();
    const id = await ask(project, "Approve", "Deny");
    const { stderr, code } = await project.run("decision", "resolve", id, "aprove");
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`✗ ${id} has no option "aprove"; did you mean "Approve"\\?`));
    assert.match(stderr, /1 Approve {2}2 Deny/);
    assert.equal((await show(project, id)).state, "pending");
  });

  also("whose label is a number is still chosen by its own number", async () => {
    const project = await tempProject();
    const id = await ask(project, "16", "2");
    const refused = await project.run("decision", "resolve", id, "16");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /has \d options; 16 is not one of them\. The option labelled "16" is 1\./);
    await project.run("decision", "resolve", id, "2");
    assert.deepEqual((await show(project, id)).answer?.labels, ["2"]);
  });
});

describe("many decisions", () => {
  it("are dismissed or withdrawn together, but only with --yes where nobody can be asked", async () => {
    const project = await tempProject();
    const ids = [await ask(project, "A"), await ask(project, "B")];
    for (const verb of ["dismiss", "cancel"]) {
      const refused = await project.run("decision", verb, "--all");
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /nobody can be asked here, so this needs --yes/);
      for (const id of ids) assert.ok(refused.stderr.includes(id), "it names what it is about");
    }
    const left = await ask(project, "C");
    const [first = "", second = ""] = ids;
    const some = await project.run("decision", "dismiss", first, second, "-m", "not this week");
    assert.equal(some.code, 0);
    assert.match(some.stdout, new RegExp(`^✓ ${first}  dismissed by ana .*\\n✓ ${second}  dismissed by ana`));
    const all = await project.run("decision", "cancel", "--all", "--yes", "--reason", "over");
    assert.equal(all.code, 0);
    assert.match(all.stdout, new RegExp(`^✓ ${left}  withdrawn: over, by ana`));
    assert.equal(
      (await project.run("decision", "cancel", "--all", "--yes")).stdout,
      "no request to cancel\n",
    );
    assert.equal((await project.run("decision", "cancel", "--all", left)).code, 2);
    assert.equal((await project.run("decision", "dismiss")).code, 2);
  });

  also("are named before a person is asked, who may say no", async () => {
    const project = await tempProject();
    const id = await ask(project, "A");
    const size = { columns: 100, rows: 24 };
    const first = await openTerminal(project, ["decision", "dismiss", "--all"], size);
    await first.shows(new RegExp(`${id}.*Which\\?[\\s\\S]*Dismiss this decision\\? \\[y/N\\]`));
    await first.press("Enter");
    await first.shows(/nothing was done/);
    assert.equal((await show(project, id)).state, "pending");
    await project.until(first.isOver);
  });
});
