/** People who come by ssh, where sshd forces `oj ssh` on their key: with a real sshd, and without one. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Finished, Project } from "./support/project.ts";
import { OJ, startOj, tempProject } from "./support/project.ts";
import { account, sshd, whyNoSshd } from "./support/sshd.ts";

const why = whyNoSshd();
if (why !== null) process.stderr.write(`ssh.test.ts: a real sshd is not tried: ${why}\n`);

interface Shown {
  state: string;
  answer: { by: string; via: string } | null;
}

const OPEN = "[ssh]\nenabled = true\n";

function settings(project: Project, text: string): void {
  const folder = path.join(project.home, ".config/oj");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "config.toml"), text);
}

async function world(given: Parameters<typeof tempProject>[1] = {}) {
  const project = await tempProject({}, given);
  settings(project, OPEN);
  for (const [name, ...role] of [
    ["ana", "approver", "--project", "shop"],
    ["ben", "viewer"],
    ["chief", "admin"],
  ] as const) {
    await project.json("invite", name);
    await project.json("role", "grant", name, ...role);
  }
  const ask = async (where: string) => {
    const words = ["decision", "request", "--project", where, "--prompt", "Deploy?", "--option", "Yes"];
    return (await project.json<{ id: string }>(...words)).id;
  };
  /** As sshd calls it. */
  const by = (as: string, asked: string | null, env: Record<string, string> = {}): Promise<Finished> =>
    startOj(["ssh", "--as", as, "--state-dir", project.stateDir], project.home, {
      PATH: project.env.PATH ?? "",
      HOME: project.home,
      SSH_CONNECTION: "192.0.2.7 50000 192.0.2.1 22",
      ...(asked === null ? {} : { SSH_ORIGINAL_COMMAND: asked }),
      ...env,
    }).ended;
  return { project, ask, by };
}

const codeIn = ({ stdout }: Finished) => (JSON.parse(stdout) as { error: { code: string } }).error.code;

describe("oj ssh", () => {
  it("does what the person's own roles allow, and is recorded as them, by this door", async () => {
    const { project, ask, by } = await world();
    const [shop, bank] = [await ask("shop"), await ask("bank")];
    const list = await by("ana", "oj decision list -o json");
    assert.deepEqual(
      (JSON.parse(list.stdout) as { id: string }[]).map((it) => it.id),
      [shop],
    );
    for (const said of ["decision list", "status"]) {
      const { stderr } = await by("ana", `oj ${said}`);
      assert.ok(stderr.includes(`oj decision show ${shop}`) && !stderr.includes("review"), stderr);
    }
    for (const [who, id] of [
      ["ana", bank],
      ["ben", shop],
    ] as const) {
      const refused = await by(who, `oj decision resolve ${id} 1 -o json`);
      assert.deepEqual([refused.code, codeIn(refused)], [1, "request.forbidden"], `${who} ${id}`);
    }
    assert.equal(codeIn(await by("ana", "oj invite mallory -o json")), "request.forbidden");
    const answered = await by("ana", `oj decision resolve ${shop} 1 -m 'fine; "go"'`);
    assert.equal(answered.code, 0, answered.stderr);
    const { answer } = await project.json<Shown>("decision", "show", shop);
    assert.deepEqual([answer?.by, answer?.via], ["ana", "ssh"]);
    assert.match((await project.run("audit", "show", shop)).stdout, /answered\s+by ana \(ssh\)/);

    assert.equal((await by("chief", "oj role revoke ana approver --project shop")).code, 0);
    assert.deepEqual((await by("ana", "oj decision list -o json")).code, 1);
    const asked = await by("chief", `oj decision request --project shop --prompt "Why?" --option a -o json`);
    assert.equal((JSON.parse(asked.stdout) as { owner: { name: string } }).owner.name, "chief");
  });

  also("lets nobody in who was not invited, who is no person, or while the door is shut", async () => {
    const { project, by } = await world();
    for (const as of ["mallory", "ana,ben", "ana\r\nx-oj-user: root", ""])
      assert.notEqual((await by(as, "oj decision list")).code, 0, as);
    assert.equal(codeIn(await by("mallory", "oj decision list -o json")), "login.required");
    settings(project, "");
    const shut = await by("chief", "oj decision list -o json");
    assert.deepEqual([shut.code, codeIn(shut)], [1, "login.required"]);
  });

  it("refuses whatever is hostile, and nothing of it has happened", async () => {
    const { project, ask, by } = await world();
    const id = await ask("shop");
    const mark = path.join(project.home, "mark");
    const HOSTILE = [
      null,
      "",
      "sh",
      "scp -t /tmp",
      "/usr/lib/openssh/sftp-server",
      "internal-sftp",
      "rsync --server .",
      "./oj decision list",
      "OJ_USER=root oj decision list",
      `oj decision list; touch ${mark}`,
      `oj decision list && touch ${mark}`,
      `oj decision list | tee ${mark}`,
      `oj decision list > ${mark}`,
      `oj decision resolve ${id} $(touch ${mark})`,
      `oj decision resolve ${id} 1 -m "\`touch ${mark}\`"`,
      `oj decision list\ntouch ${mark}`,
      "oj --server http://127.0.0.1:1 decision list",
      "oj decision list --server=http://127.0.0.1:1",
      "oj decision list --state-dir /tmp",
      "oj run build",
      "oj init claude",
      "oj demo --yes",
      "oj agent attach agt-1",
      "oj job attach job-1",
      "oj decision watch",
      "oj decision review",
      `oj decision resolve ${id} 1 --edit`,
      `oj decision resolve ${id} 1 --input @/etc/passwd`,
      "oj decision request --project shop --prompt x --context @/etc/passwd",
      "oj decision request --prompt x --option a",
      "oj decision request --project shop --prompt x --option a --as root",
      `oj store backup ${mark}`,
      `oj audit export ${mark}`,
      "oj daemon stop",
      "oj serve",
      "oj ssh --as chief",
      "oj mcp",
      "oj web",
      "oj uninstall --yes",
      "oj __complete x",
      "oj __hook x",
      "oj login http://127.0.0.1:1",
      "oj nothing",
    ];
    for (const asked of HOSTILE) {
      const { code, stdout } = await by("ana", asked, { EDITOR: `touch ${mark}`, VISUAL: `touch ${mark}` });
      assert.ok(code === 1 || code === 2, `${asked}: ${code} ${stdout}`);
      assert.equal(stdout, "", String(asked));
    }
    assert.ok(!fs.existsSync(mark));
    assert.equal((await project.json<Shown>("decision", "show", id)).state, "pending");
  });

  also("takes no setting from the other side's variables", async () => {
    const { project, ask, by } = await world();
    const id = await ask("shop");
    const env = {
      OJ_STATE_DIR: path.join(project.home, "other"),
      XDG_STATE_HOME: path.join(project.home, "other"),
      XDG_CONFIG_HOME: path.join(project.home, "other"),
      OJ_USER: "chief",
      OJ_TOKEN: "ojp_x",
      OJ_PROJECT: "bank",
      OJ_STORE_URL: "postgres://127.0.0.1:1/x",
    };
    const list = await by("ana", "oj decision list -o json", env);
    assert.deepEqual(
      (JSON.parse(list.stdout) as { id: string }[]).map((it) => it.id),
      [id],
    );
    assert.ok(!fs.existsSync(path.join(project.home, "other")));
    assert.equal((await by("ana", "oj decision list", { OJ_AGENT_TOKEN: "x" })).code, 1);
  });

  also("is nothing that a shell calls, and starts no daemon", async () => {
    const { project, by } = await world();
    const run = await project.run("ssh", "--as", "ana");
    assert.deepEqual([run.code, /sshd runs this/.test(run.stderr)], [2, true]);
    assert.equal((await project.run("ssh")).code, 2);
    await project.run("daemon", "stop");
    const refused = await by("ana", "oj decision list -o json");
    assert.deepEqual([refused.code, codeIn(refused)], [3, "daemon.unreachable"]);
    assert.equal(await project.daemonPid(), null);
  });
});

describe.skipIf(why !== null)("a real sshd", () => {
  it("forces oj on the key, whatever its holder asks for", async () => {
    const { user } = account();
    const { project, ask } = await world(process.getuid?.() === 0 ? { user } : {});
    const id = await ask("shop");
    const key = path.join(project.home, "id");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
    const pub = path.join(project.home, "id.pub");
    const { line } = await project.json<{ line: string }>("ssh", "--as", "ana", "--key", pub);
    assert.ok(line.includes(`${OJ} ssh --as ana --state-dir ${project.stateDir}`), line);
    const server = await sshd(project.home, line);
    const mark = path.join(project.home, "mark");
    const ssh = (...words: string[]) => server.call(key, words);

    const list = await ssh("oj", "decision", "list", "-o", "json");
    assert.equal(list.code, 0, list.stderr + server.log());
    assert.deepEqual(
      (JSON.parse(list.stdout) as { id: string }[]).map((it) => it.id),
      [id],
    );
    for (const words of [["id"], ["oj decision list; touch", mark], ["sh", "-c", `touch ${mark}`], []]) {
      const { code, stdout } = await ssh(...words);
      assert.deepEqual([code, stdout], [2, ""], words.join(" "));
    }
    const stranger = path.join(project.home, "other");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", stranger]);
    assert.equal((await server.call(stranger, ["oj", "status"])).code, 255);
    await assert.rejects(server.forwarded(key), "a port was forwarded");

    const answered = await ssh(`oj decision resolve ${id} yes -m "it's; fine"`);
    assert.equal(answered.code, 0, answered.stderr);
    const { answer } = await project.json<Shown>("decision", "show", id);
    assert.deepEqual([answer?.by, answer?.via], ["ana", "ssh"]);
    assert.ok(!fs.existsSync(mark));
  });
});
