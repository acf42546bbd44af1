/** `wait: false` from programs: `oddjobs/client` and both doors of MCP. Nothing is held up until somebody really waits. */
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it } from "vitest";
import { ROOT } from "./support/doc-page.ts";
import { killDaemon } from "./support/http.ts";
import { atStdio, atUrl, connected, idIn, tokenFor } from "./support/mcp.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Decision {
  id: string;
  state: string;
  blocking: boolean;
  meanwhile: string | null;
  promoted: { reason: string } | null;
}

/** What a program does, whichever way it came in. */
interface Program {
  ask(question: object): Promise<string>;
  /** In words, with what it was refused for. */
  refused(question: object): Promise<string>;
  check(id: string): Promise<unknown>;
  wait(id: string): Promise<string>;
}

const QUESTION = { prompt: "Which logo?", options: [{ label: "Round" }, { label: "Square" }] };

interface Sdk {
  request(question: object): Promise<{ id: string }>;
  check(id: string): Promise<{ kind: string }>;
  await(id: string): Promise<{ option?: { label: string } | null }>;
}

async function sdk(project: Project): Promise<Program> {
  const { connect } = (await import(pathToFileURL(path.join(ROOT, "dist/client.js")).href)) as {
    connect(input: object): Sdk;
  };
  const oj = connect({ cwd: project.dir, env: project.env, as: "planner" });
  return {
    ask: async (question) => (await oj.request(question)).id,
    refused: (question) =>
      oj.request(question).then(
        () => assert.fail("it was taken"),
        (error: Error) => error.message,
      ),
    check: (id) => oj.check(id),
    wait: async (id) => (await oj.await(id)).option?.label ?? "",
  };
}

async function mcp(transport: Parameters<typeof connected>[0]): Promise<Program> {
  const { ask, refused } = await connected(transport);
  return {
    async ask(question) {
      const said = await ask("request_decision", question);
      const isAside = "wait" in question && question.wait === false;
      assert.match(said, isAside ? /blocks nothing, so go on with your other work/ : /waiting for a person/);
      return idIn(said);
    },
    refused: (question) => refused("request_decision", question),
    check: (id) => ask("check_decision", { id }),
    wait: (id) => ask("await_decision", { id, wait_seconds: 50 }),
  };
}

const PROGRAMS: [name: string, start: (project: Project) => Promise<Program>][] = [
  ["oddjobs/client", sdk],
  ["oj mcp", (project) => mcp(atStdio(project, { args: ["--as", "planner"] }))],
  [
    "/mcp",
    async (project) => {
      const { token, url } = await tokenFor(project, "planner");
      return mcp(atUrl(url, { authorization: `Bearer ${token}` }));
    },
  ],
];

describe.each(PROGRAMS)("%s", (_, start) => {
  const show = (project: Project, id: string) => project.json<Decision>("decision", "show", id);

  it("asks aside with wait: false, stays so over a crash, and is promoted by waiting", async () => {
    const project = await tempProject();
    const program = await start(project);
    const id = await program.ask({ ...QUESTION, wait: false, meanwhile: "the footer" });
    await killDaemon(project);
    await project.run("daemon", "start");
    await program.check(id);
    const { blocking, meanwhile, promoted } = await show(project, id);
    assert.deepEqual([blocking, meanwhile, promoted], [false, "the footer", null], "looking is not waiting");
    assert.deepEqual(await project.json("decision", "list", "--blocking"), []);

    const waiting = program.wait(id);
    const now = await project.until(async () => {
      const decision = await show(project, id);
      return decision.blocking ? decision : null;
    });
    assert.notEqual(now.promoted, null);
    await project.run("decision", "resolve", id, "2");
    assert.match(await waiting, /Square/);
  });

  it("waits without it, and refuses what contradicts itself", async () => {
    const project = await tempProject();
    const program = await start(project);
    const id = await program.ask(QUESTION);
    assert.equal((await show(project, id)).blocking, true);
    for (const [more, why] of [
      [{ meanwhile: "the footer" }, /meanwhile needs (--no-wait|wait: false)/],
      [{ wait: true, meanwhile: "the footer" }, /meanwhile needs (--no-wait|wait: false)/],
      [{ wait: false, meanwhile: " " }, /meanwhile is empty/],
      [{ wait: false, meanwhile: "x".repeat(501) }, /at most 500/],
    ] as const)
      assert.match(await program.refused({ ...QUESTION, ...more }), why);
    const listed = await project.json<Decision[]>("decision", "list");
    assert.deepEqual(
      listed.map((it) => it.id),
      [id],
      "what was refused left nothing behind",
    );
  });
});
