/**
 * One rule (two of ana, ben and dee, not whose work it is) through every door, on two machines that share a log. Each
 * cell of the table is what the person really reads.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Postgres } from "../fakes/servers/postgres.ts";
import { postgres, whyNoPostgres } from "../fakes/servers/postgres.ts";
import { call } from "./support/http.ts";
import { atStdio, connected, idIn } from "./support/mcp.ts";
import type { Project } from "./support/project.ts";
import { startOj, tempProject, until } from "./support/project.ts";
import type { RuleDoor, Who } from "./support/rule-doors.ts";
import { channelDoors, PEOPLE, RUNBOOK, WHO_MAY } from "./support/rule-doors.ts";
import { loggedIn } from "./support/web.ts";

const why = whyNoPostgres();
if (why !== null) process.stderr.write(`rules-everywhere.test.ts is skipped: ${why}\n`);

let server: Postgres;
beforeAll(async () => {
  if (why === null) server = await postgres();
});
afterAll(() => server?.close());

interface Decision {
  state: string;
  said?: { who: string; says: string }[];
  answer: { by: string; labels: string[] } | null;
}

const OWN =
  /dee may not answer dec-\w+: it is asked for dee(?:'|&#39;)s own work\. Who may: 2 of ana, ben, dee/;
const OTHER = new RegExp(`cy may not answer dec-\\w+\\. ${WHO_MAY.source}`);
const PARTIAL = /1 of 2: ana said ship/;
const shown = (words: string) => words.replaceAll("&#39;", "'").replace(/\s+/g, " ");

/** In the words of each door; a program, or a browser's answer that can still be taken back, has fields. */
function decided(option: string): RegExp {
  return new RegExp(`answered[^.]*: ${option}|ben said ${option}`, "i");
}

/** What each person reads: not allowed, own work, the first of two, the second, and a no. */
const TABLE = [
  { who: "cy", option: "ship", reads: OTHER, state: "pending" },
  { who: "dee", option: "ship", reads: OWN, state: "pending" },
  { who: "ana", option: "ship", reads: PARTIAL, state: "pending" },
  { who: "ben", option: "ship", reads: decided("ship"), state: "resolved" },
] as const;

let asked = 0;

/** Each has a title of its own. */
async function ask(project: Project, door: string): Promise<string> {
  asked += 1;
  const words = ["decision", "request", "--prompt", `Ship by ${door}? ${asked}`, "--template", "ruled"];
  return (await project.json<{ id: string }>(...words, "--project", door)).id;
}

/** Walks the table at one door. `look` is another machine: it sees the same. */
async function walk(
  door: RuleDoor,
  asker: Project,
  look: Project,
  first: RuleDoor["say"],
): Promise<string[]> {
  const wrong: string[] = [];
  const show = async (id: string) => (await call(look, "GET", `/decisions/${id}`)).json<Decision>();
  const id = await ask(asker, door.name);
  for (const { who, option, reads, state } of TABLE) {
    wrong.push(...(await misread(door, { who, id, option, reads })));
    const now = await look.until(async () => {
      const it = await show(id);
      return it.state === state && (who !== "ana" || it.said?.length === 1) && it;
    }, `${door.name}: ${who} says ${option}, ${state} elsewhere`);
    const said = now.said?.map((it) => it.who) ?? [];
    if (state === "pending" && said.some((it) => it !== "ana")) wrong.push(`${door.name}: ${said} have said`);
  }
  const no = await ask(asker, door.name);
  await first("ana", no, "ship");
  wrong.push(...(await misread(door, { who: "ben", id: no, option: "stop", reads: decided("stop") })));
  const { answer } = await look.until(async () => {
    const it = await show(no);
    return it.state === "resolved" && it;
  }, `${door.name}: the first no decides`);
  if (answer?.by !== "ben" || answer.labels.join() !== "stop") wrong.push(`${door.name}: ${answer?.by}`);
  return wrong;
}

/** Messages are rewritten after a while, and for what others say, too: it is enough that they come to read it. */
async function misread(
  door: RuleDoor,
  { who, id, option, reads }: { who: Who; id: string; option: "ship" | "stop"; reads: RegExp },
): Promise<string[]> {
  const read = await door.say(who, id, option);
  return until(() => reads.test(shown(read())), "").then(
    () => [],
    () => [`${door.name}: ${who} says ${option} and reads ${shown(read())}`],
  );
}

/** Another machine of the team, whose owner can change. */
async function second(url: string): Promise<{ project: Project; owned(by: Who): Promise<void> }> {
  const project = await tempProject(RUNBOOK, { env: { OJ_STORE_URL: url, OJ_MACHINE: "bellows" } });
  const file = path.join(project.home, ".config/oj/config.toml");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  let owner: Who | null = null;
  return {
    project,
    async owned(by) {
      if (by === owner) return;
      owner = by;
      fs.writeFileSync(file, `[machine]\nowner = "${by}"\n`);
      assert.equal((await project.run("daemon", "restart")).code, 0);
    },
  };
}

/** Everybody's token, and the door it is for. */
async function remotely(project: Project): Promise<Record<"cli" | "api", RuleDoor["say"]>> {
  const running = project.start("serve", "--listen", "127.0.0.1:0", "-o", "json");
  const said = await project.until(() => running.stdout().includes("}") && running.stdout(), "the door");
  const { url } = JSON.parse(said) as { url: string };
  const tokens = new Map<Who, string>();
  for (const who of PEOPLE) {
    await call(project, "POST", "/people", { body: { name: who } });
    await call(project, "POST", "/roles/grant", { body: { name: who, role: "approver", project: null } });
    const body = { person: who, scopes: ["answer"], lasts_ms: 3_600_000 };
    tokens.set(who, (await call(project, "POST", "/tokens", { body })).json<{ token: string }>().token);
  }
  return {
    async cli(who, id, option) {
      const env = { ...project.env, OJ_TOKEN: tokens.get(who) ?? "", OJ_STATE_DIR: `${project.home}/else` };
      const words = ["--server", url, "decision", "resolve", id, option];
      const { stdout, stderr } = await startOj(words, project.home, env).ended;
      return () => stdout + stderr;
    },
    async api(who, id, option) {
      const headers = { authorization: `Bearer ${tokens.get(who)}`, "content-type": "application/json" };
      const body = JSON.stringify({ option });
      const reply = await fetch(`${url}/api/decisions/${id}/resolve`, { method: "POST", headers, body });
      const text = soFar(await reply.text());
      return () => text;
    },
  };
}

/** A program reads fields; these are the ones that it would show. */
function soFar(text: string): string {
  const { decision, error } = JSON.parse(text) as {
    decision?: Decision & { id: string; min?: number };
    error?: { message: string };
  };
  if (!decision) return error?.message ?? text;
  if (decision.answer) return `answered: ${decision.answer.labels.join()}`;
  return `${decision.said?.length} of 2: ${decision.said?.map((it) => `${it.who} said ${it.says}`).join()}`;
}

describe.skipIf(why !== null)("a decision that takes two people", () => {
  it("says the same at every door: who may, what was said, and what was decided", async () => {
    const url = await server.database();
    const { project, doors } = await channelDoors({ OJ_STORE_URL: url, OJ_MACHINE: "anvil" });
    const { project: other, owned } = await second(url);
    await owned("cy");
    const { cli, api } = await remotely(project);
    const all = [...doors, { name: "cli", say: cli }, { name: "api", say: api }];
    const wrong = await Promise.all(
      all.map((door) =>
        walk(door, project, other, api).catch((error: Error) => [`${door.name}: ${error.message}`]),
      ),
    );
    assert.deepEqual(wrong.flat(), []);

    // the doors of a machine are its owner's, whatever name a call gives
    const entry = pathToFileURL(path.join(import.meta.dirname, "../../dist/client.js")).href;
    const { connect } = (await import(entry)) as {
      connect(input: object): { resolve(id: string, answer: object): Promise<unknown> };
    };
    const sdk = (id: string, option: string) =>
      connect({ cwd: other.dir, env: other.env })
        .resolve(id, { option })
        .then(
          (it) => soFar(JSON.stringify(it)),
          (error: Error) => error.message,
        );
    const web = async (id: string, option: string) => {
      const browser = await loggedIn(other);
      return soFar((await browser.call("POST", `/decisions/${id}/resolve`, { option })).text);
    };
    const socket = async (id: string, option: string) => {
      const { stdout, stderr } = await other.run("decision", "resolve", id, option);
      return stdout + stderr;
    };
    const isIn = async (id: string, state: string) =>
      (await call(project, "GET", `/decisions/${id}`)).json<Decision>().state === state;
    const home = { sdk, web, socket };
    const ids = { sdk: "", web: "", socket: "" };
    for (const name of ["sdk", "web", "socket"] as const) ids[name] = await ask(project, name);
    for (const { who, option, reads, state } of TABLE) {
      await owned(who);
      for (const name of ["sdk", "web", "socket"] as const) {
        const words = shown(await home[name](ids[name], option));
        assert.match(words, reads, `${name}: ${who}`);
        // a browser's answer can be taken back for a while
        await project.until(() => isIn(ids[name], state), `${name}: ${who} says ${option}, ${state}`);
      }
    }
    for (const name of ["sdk", "web", "socket"] as const) {
      const no = await ask(project, name);
      await api("ana", no, "ship");
      assert.match(shown(await home[name](no, "stop")), decided("stop"), name); // ben's machine by now
      await project.until(() => isIn(no, "resolved"), `${name}: the first no decides`);
    }

    // a model asks and waits; it has nothing to answer with
    const mcp = await connected(await atStdio(project, { args: ["--as", "planner"] }));
    const id = idIn(await mcp.ask("request_decision", { prompt: "Ship by MCP?", template: "ruled" }));
    assert.ok(!(await mcp.client.listTools()).tools.some((it) => /resolve|answer$/.test(it.name)));
    assert.match((await api("dee", id, "ship"))(), OWN);
    assert.match((await api("ana", id, "ship"))(), PARTIAL);
    assert.match(await mcp.ask("check_decision", { id }), /still pending/);
    assert.match((await api("ben", id, "ship"))(), decided("ship"));
    assert.match(await mcp.ask("await_decision", { id }), /ship/);
  });
});
