import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { also, few } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";
import { undoAfter } from "./support/settings.ts";
import { openTerminal } from "./support/terminal.ts";

interface View {
  id: string;
  state: string;
  title: string;
  held: { answer: { text: string | null } } | null;
  answer: { labels: string[]; text: string | null; message: string | null; via: string } | null;
}

const SIZES = [
  [50, 14],
  [80, 24],
  [120, 40],
] as const;

async function ask(project: Project, title: string, ...more: string[]): Promise<string> {
  const words = ["--prompt", title, "--option", "Yes: go", "--option", "No: stop", ...more];
  return (await project.json<View>("decision", "request", ...words)).id;
}

/** A project whose answers from the inbox go out after a second. */
const quickProject = () => tempProject({}, undoAfter(1));

const shown = (project: Project, id: string) => project.json<View>("decision", "show", id);

const settled = (project: Project, id: string) =>
  project.until(async () => {
    const view = await shown(project, id);
    return view.state === "pending" ? null : view;
  });

describe("oj decision watch", () => {
  for (const [columns, rows] of few(SIZES, 1))
    it(`takes an answer with two keys at ${columns}x${rows}, and says when it has gone out`, async () => {
      const project = await quickProject();
      const first = await ask(project, "Ship it?", "--urgency", "high");
      await ask(project, "Tag it?");
      const terminal = await openTerminal(project, ["decision", "watch"], { columns, rows });
      await terminal.shows(/2 waiting for you[\s\S]*▶.*Ship it\?[\s\S]*1 +Yes/);
      await terminal.press("2", "Enter");
      await terminal.shows(/dec-\w+: No/);
      const { answer } = await settled(project, first);
      assert.deepEqual([answer?.labels, answer?.via], [["No"], "tui"]);
      await terminal.shows(/1 waiting for you[\s\S]*▶.*Tag it\?/);
      await terminal.press("q");
      await project.until(terminal.isOver);
    });

  also("takes the answer back with u, and sends another one", async () => {
    const project = await tempProject({}, undoAfter(600));
    const id = await ask(project, "Ship it?");
    const terminal = await openTerminal(project, ["decision", "watch"], { columns: 80, rows: 24 });
    await terminal.shows(/▶.*Ship it\?[\s\S]*1 +Yes/);
    await terminal.press("1", "Enter");
    await terminal.shows(/goes out in/);
    await terminal.press("u");
    await terminal.shows(/took the answer back|was taken back/);
    assert.equal((await shown(project, id)).held, null);
    await terminal.press("t");
    await terminal.shows(/your words:/);
    await terminal.type("neither; ask again on monday");
    await terminal.press("Enter");
    const held = await project.until(async () => (await shown(project, id)).held, "another answer");
    assert.equal(held.answer.text, "neither; ask again on monday");
  });

  it("says who was first, and pauses, when the decision in focus is answered elsewhere", async () => {
    const project = await tempProject();
    const [first, second] = [await ask(project, "Ship it?"), await ask(project, "Tag it?")];
    const terminal = await openTerminal(project, ["decision", "watch"], { columns: 80, rows: 24 });
    await terminal.shows(/▶.*Ship it\?[\s\S]*1 +Yes/);
    await terminal.press("1");
    await project.run("decision", "resolve", first, "2", "-m", "by hand");
    await terminal.shows(/answered by .*\(cli\): No/);
    await terminal.press("Enter");
    await project.until(async () => {
      await terminal.press("j"); // ignored at first: the screen has just changed
      return /▶.*Tag it\?/.test(await terminal.screen());
    });
    assert.equal((await shown(project, second)).held, null);
    assert.deepEqual((await shown(project, first)).answer?.labels, ["No"]);
  });

  it("survives the death of the daemon, and keeps what was typed", async () => {
    const project = await quickProject();
    const id = await ask(project, "Ship it?");
    const terminal = await openTerminal(project, ["decision", "watch"], { columns: 80, rows: 24 });
    await terminal.shows(/▶.*Ship it\?[\s\S]*1 +Yes/);
    await terminal.press("t");
    await terminal.type("long words ");
    const pid = await project.daemonPid();
    if (pid !== null) process.kill(pid, "SIGKILL");
    await terminal.type("and more");
    await terminal.shows(/● live[\s\S]*your words: long words and more/);
    const { answer } = await project.until(async () => {
      await terminal.press("Enter"); // refused while the daemon is away, and then accepted
      const view = await shown(project, id);
      return view.state === "pending" ? null : view;
    });
    assert.equal(answer?.text, "long words and more");
  });

  also("shows arrivals, filters, shows help, and follows the size of its window", async () => {
    const project = await tempProject();
    await ask(project, "Ship it?");
    const terminal = await openTerminal(project, ["decision", "watch"], {
      columns: 120,
      rows: 40,
      env: { NO_COLOR: "1" },
    });
    await terminal.shows(/1 waiting for you/);
    await ask(project, "Delete it all?", "--urgency", "high");
    await terminal.shows(/2 waiting for you \(1 high, 1 medium\)[\s\S]*▶.*Ship it\?/);
    await terminal.press("!");
    await terminal.shows(/high only/);
    await terminal.press("a", "/");
    await terminal.type("delete");
    await terminal.shows(/\[\/delete\]/);
    await terminal.press("Enter", "?");
    await terminal.shows(/take the last answer back/);
    await terminal.press("Escape");
    await terminal.resize(50, 14);
    await terminal.shows(/waiting for you[\s\S]*? help/);
  });

  also("starts a command of the runbook, and asks for its arguments", async () => {
    const project = await tempProject({
      ".oj/runbooks/greet.hcl": `
        command "greet" {
          args = "<name>"
          run  = { job = "greet" }
        }
        job "greet" {
          step "hello" { run = "echo hello \${args.name}" }
        }`,
    });
    const terminal = await openTerminal(project, ["decision", "watch"], { columns: 80, rows: 24 });
    await terminal.shows(/Nothing is waiting for you/);
    await terminal.press("c");
    await terminal.shows(/Start what\?[\s\S]*▶ greet <name>/);
    await terminal.press("Enter");
    await terminal.shows(/name: ▏/);
    await terminal.type("ana");
    await terminal.press("Enter");
    const screen = await terminal.shows(/started greet: job-\w+/);
    const id = /job-\w+/.exec(screen)?.[0] ?? "";
    await project.until(async () => (await project.run("job", "logs", id)).stdout.includes("hello ana"));
  });

  also("needs a terminal", async () => {
    const project = await tempProject();
    const { code, stderr } = await project.run("decision", "watch");
    assert.equal(code, 2);
    assert.match(stderr, /needs a terminal[\s\S]*--headless/);
  });
});
