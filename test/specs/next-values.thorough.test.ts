/**
 * A daemon that is newer than the caller says something that the caller has no word for: an answer by a door that came
 * later. It is shown as text, and as text alone, whatever is in it.
 */
import assert from "node:assert/strict";
import { it } from "vitest";
import { forwarder } from "./support/forwarder.ts";
import { startOj, tempProject } from "./support/project.ts";
import { personWith, served } from "./support/served.ts";
import { settingsWith } from "./support/settings.ts";
import { openTerminal } from "./support/terminal.ts";

const ANSWERED = ["--option", "Yes", "--option", "No"];

for (const [what, sent, shown] of [
  ["a name", "pigeon", "pigeon"],
  ["a name that would act on a terminal", "\\u001b]0;owned\\u0007pig\\u202eeon\\nx", "pig"],
] as const)
  it(`${what} in place of a door that is known: lists, cards, the audit and the inbox show it`, async () => {
    const project = await tempProject({}, settingsWith("[undo]\nweb_s = 0\nwatch_s = 0\n"));
    const { token } = await personWith(project, "bea", ["admin"], "admin");
    const { id } = await project.json<{ id: string }>(
      "decision",
      "request",
      "--prompt",
      "Ship?",
      ...ANSWERED,
    );
    await project.json("decision", "resolve", id, "1");
    const { id: open } = await project.json<{ id: string }>(
      ...["decision", "request", "--prompt", "Tag it?", ...ANSWERED],
    );
    const newer = (text: string) =>
      text
        .replaceAll(/"via":"(?:cli|tui|api)"/g, `"via":"${sent}"`)
        .replaceAll(/\((?:cli|tui|api)\)/g, `(${sent})`);
    const door = await forwarder(await served(project), newer);
    const env = { ...project.env, OJ_TOKEN: token };
    const oj = (...args: string[]) => startOj(["--server", door.url, ...args], project.dir, env).ended;
    const safe = (text: string) => {
      for (const it of ["\u001b", "\u0007", "\u202e"]) assert.ok(!text.includes(it), JSON.stringify(text));
    };
    for (const [args, code] of [
      [["decision", "show", id], 0],
      [["audit", "show", id], 0],
      [["decision", "resolve", id, "2"], 1],
    ] as const) {
      const { stdout, stderr, code: ended } = await oj(...args);
      const text = stdout + stderr;
      assert.equal(ended, code, `${args.join(" ")}: ${text}`);
      assert.ok(text.includes(shown), `${args.join(" ")}: ${text}`);
      safe(text);
    }
    for (const args of [
      ["decision", "list", "--all"],
      ["decision", "list", "--since", "7d"],
      ["stats"],
      ["status"],
    ]) {
      const { stdout, stderr, code } = await oj(...args);
      assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
      safe(stdout + stderr);
    }
    const terminal = await openTerminal({ ...project, env }, ["--server", door.url, "decision", "watch"], {
      columns: 120,
      rows: 30,
    });
    await terminal.shows(/1 waiting for you[\s\S]*Tag it\?/);
    await project.json("decision", "resolve", open, "1"); // its event says so, too
    await terminal.shows(/0 waiting for you/);
    await terminal.press("q");
    await project.until(terminal.isOver);
  });
