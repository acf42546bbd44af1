/** "Remember this" through the real daemon: what is written, what counts afterwards, and who may not. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { call } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

const FILE = ".oj/runbooks/remembered.hcl";

interface Pending {
  id: string;
  session: string;
  action: { input: { command: string } } | null;
}

interface Found {
  rule: { text: string; hash: string; problem: string | null; asker: string } | null;
  why: string | null;
}

interface Asked {
  id: string;
  /** What the hook gets in the end. */
  reply: Promise<string>;
}

/** A session asks for this command; null if a policy answers at once. */
async function ask(project: Project, session: string, command: string): Promise<Asked | string> {
  const hook = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
  let said: string | null = null;
  const reply = call(project, "POST", "/hooks/session", {
    body: { session_id: session, cwd: project.dir, ...hook },
  }).then(({ text }) => {
    said = text;
    return text;
  });
  return project.until(async () => {
    if (said !== null) return said;
    const all = (await call(project, "GET", "/decisions")).json<Pending[]>();
    const found = all.find((it) => it.session === session && it.action?.input.command === command);
    return found && { id: found.id, reply };
  });
}

async function asks(project: Project, session: string, command: string): Promise<Asked> {
  const asked = await ask(project, session, command);
  return typeof asked === "string" ? assert.fail(`a policy answered: ${asked}`) : asked;
}

const ruleFor = async (project: Project, id: string) =>
  (await call(project, "GET", `/decisions/${id}/rule`)).json<Found>();

const remember = (project: Project, id: string, body: object, headers: Record<string, string> = {}) =>
  call(project, "POST", `/decisions/${id}/remember`, { body, headers });

const deny = (project: Project, id: string) =>
  call(project, "POST", `/decisions/${id}/resolve`, { body: { option: "deny" } });

describe("an approval that is remembered", () => {
  it("always in the project is written, accepted and answered in one go, and survives a restart", async () => {
    const project = await tempProject({});
    await project.run("daemon", "start");
    const first = await asks(project, "s1", "npm test");
    const shown = await project.run("decision", "show", first.id);
    assert.match(shown.stdout, new RegExp(`Remember this: oj policy remember ${first.id}\n`));
    const { stdout } = await project.run("policy", "remember", first.id);
    assert.match(stdout, /│ policy "npm test" \{[\s\S]*command = "npm test"[\s\S]*no history/);
    const { rule } = await ruleFor(project, first.id);
    const hash = rule?.hash ?? "";

    const session = { "x-oj-session": "s2" };
    const hostile: [string, object, Record<string, string>][] = [
      ["another rule", { scope: "project", hash: "0".repeat(64) }, {}],
      ["a session's own command", { scope: "project", hash }, session],
      ["a session's own command", { scope: "job", hash }, session],
      ["an unknown scope", { scope: "everywhere", hash }, {}],
      ["an own text", { scope: "project", hash, text: 'policy "x" { approve = { tool = "Read" } }' }, {}],
    ];
    for (const [what, body, headers] of hostile) {
      const { status } = await remember(project, first.id, body, headers);
      assert.ok(status >= 400, what);
    }
    assert.equal(fs.existsSync(path.join(project.dir, FILE)), false, "nothing was written");
    const short = ["--for", "project", "--rule", hash.slice(0, 8)];
    const done = await project.run("policy", "remember", first.id, ...short);
    assert.match(done.stdout, /answered: Approve/);
    assert.match(await first.reply, /"allow"/);

    const said = fs.readFileSync(path.join(project.dir, FILE), "utf8");
    assert.ok(said.endsWith(`\n${rule?.text}`), said);
    const second = await asks(project, "s2", "git status");
    await remember(project, second.id, {
      scope: "project",
      hash: (await ruleFor(project, second.id)).rule?.hash,
    });
    const both = await project.json<{ name: string; state: string; file: string }[]>("policy", "list");
    assert.deepEqual(
      both.map((it) => [it.name, it.state, path.basename(it.file)]),
      [
        ["npm test", "on", "remembered.hcl"],
        ["git status", "on", "remembered.hcl"],
      ],
    );
    await project.run("daemon", "restart");
    for (const command of ["npm test", "git status"])
      assert.match(String(await ask(project, "s3", command)), /"allow"/, command);
    for (const command of ["npm test; rm -r src", "git status --porcelain"]) {
      const { id } = await asks(project, "s3", command);
      await deny(project, id);
    }
    const log = await project.json<{ name: string }[]>("policy", "log");
    assert.deepEqual(log.map((it) => it.name).toSorted(), ["git status", "npm test"]);
  });

  also("for a session counts for that one alone, is listed, and can be switched off", async () => {
    const project = await tempProject({});
    await project.run("daemon", "start");
    const first = await asks(project, "s1", "npm test");
    const { rule } = await ruleFor(project, first.id);
    await remember(project, first.id, { scope: "job", hash: rule?.hash });
    assert.match(await first.reply, /"allow"/);
    assert.equal(fs.existsSync(path.join(project.dir, FILE)), false);
    assert.match(String(await ask(project, "s1", "npm test")), /"allow"/);
    const other = await asks(project, "s2", "npm test");
    const [listed] = await project.json<{ state: string; file: string }[]>("policy", "list");
    assert.deepEqual([listed?.state, listed?.file], ["on", "s1"]);
    await project.run("policy", "off", "npm test");
    const again = await asks(project, "s1", "npm test");
    for (const { id } of [other, again]) await deny(project, id);
    assert.match(await again.reply, /"deny"/);
  });

  it("never brings along what else is in the file", async () => {
    const project = await tempProject({});
    await project.run("daemon", "start");
    const evil = 'policy "all" {\n  approve = { tool = "Bash", command = "rm **" }\n}\n';
    const out = path.join(project.dir, "out.hcl");
    const file = path.join(project.dir, FILE);
    const ways: [string, () => void, RegExp][] = [
      ["a text that nobody accepted", () => project.write({ [FILE]: evil }), /nobody has accepted/],
      [
        "a link",
        () => {
          fs.rmSync(file);
          fs.symlinkSync(out, file);
        },
        /not a plain file/,
      ],
      [
        "a folder that leads elsewhere",
        () => {
          fs.rmSync(path.dirname(file), { recursive: true });
          fs.mkdirSync(path.join(project.dir, "elsewhere"));
          fs.symlinkSync(path.join(project.dir, "elsewhere"), path.dirname(file));
        },
        /leads out of the project/,
      ],
    ];
    for (const [what, change, problem] of ways) {
      change();
      const { id, reply } = await asks(project, "s1", "npm test");
      const { rule } = await ruleFor(project, id);
      assert.match(rule?.problem ?? "", problem, what);
      const { status } = await remember(project, id, { scope: "project", hash: rule?.hash });
      assert.equal(status, 422, what);
      await deny(project, id);
      assert.match(await reply, /"deny"/);
    }
    assert.equal(fs.existsSync(out), false);
    assert.deepEqual(fs.readdirSync(path.join(project.dir, "elsewhere")), []);
    assert.deepEqual(
      (await project.json<{ state: string }[]>("policy", "list")).filter((it) => it.state === "on"),
      [],
    );
  });

  also("leaves the file as it was if somebody else answers first", async () => {
    const project = await tempProject({});
    await project.run("daemon", "start");
    const { id, reply } = await asks(project, "s1", "npm test");
    const { rule } = await ruleFor(project, id);
    await deny(project, id);
    await reply;
    const { status, text } = await remember(project, id, { scope: "project", hash: rule?.hash });
    assert.equal(status, 409, text);
    assert.equal(fs.existsSync(path.join(project.dir, FILE)), false);
  });
});
