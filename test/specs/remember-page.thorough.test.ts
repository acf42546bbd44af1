/** "Remember this" on the page behind a link, through the real daemon: the whole rule, for who asked, once, after a restart. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import { ntfyServer } from "../fakes/servers/ntfy.ts";
import { call } from "./support/http.ts";
import { reachProject } from "./support/reach.ts";

const TOPIC = "oj-ana-7f3k";

async function stage() {
  const ntfy = await ntfyServer();
  onTestFinished(() => ntfy.close());
  const project = await reachProject(`
[person.ana]
ntfy = "${TOPIC}"
[channel.ntfy]
url = "${ntfy.url}"
[[route]]
notify = ["ana"]
via = ["ntfy"]
`);
  await project.run("daemon", "start");

  /** A session asks: the answer that it gets, or the decision and the address of its page. */
  async function asks(session: string, command: string) {
    const hook = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
    let said: string | null = null;
    const body = { session_id: session, cwd: project.dir, ...hook };
    const reply = call(project, "POST", "/hooks/session", { body }).then(({ text }) => {
      said = text;
      return text;
    });
    return project.until(async () => {
      if (said !== null) return { said, id: "", page: "", reply };
      const all = (await call(project, "GET", "/decisions")).json<{ id: string; session: string }[]>();
      const id = all.find((it) => it.session === session)?.id;
      const [page] = /http:[^"]+\/a\/[^"]+/.exec(JSON.stringify(ntfy.shown(TOPIC))) ?? [];
      return id !== undefined && page !== undefined ? { said: null, id, page, reply } : undefined;
    });
  }
  return { project, asks };
}

const html = { accept: "text/html" };

/** Where the button under the rule goes; null if it is not offered. */
async function ruleButton(page: string): Promise<string | null> {
  const body = await (await fetch(page, { headers: html })).text();
  const [, token] = /action="([^"]+)">\s*<h2 id="remember">Remember this/.exec(body) ?? [];
  if (token === undefined) return null;
  assert.match(body, /command = &quot;npm test&quot;/, "the whole rule is on the page");
  return new URL(token, page).href;
}

describe("the page behind a link", () => {
  it("remembers an approval for who asked, with the rule in sight; a second press does nothing more", async () => {
    const { project, asks } = await stage();
    const first = await asks("s1", "npm test");
    const button = (await ruleButton(first.page)) ?? assert.fail("it is not offered");
    const post = () =>
      fetch(button, { method: "POST", headers: html, body: new URLSearchParams({ scope: "job" }) });
    assert.equal((await post()).status, 200);
    assert.match(await first.reply, /"allow"/);
    assert.equal((await post()).status, 409);
    const policies = await project.json<{ name: string; file: string }[]>("policy", "list");
    assert.deepEqual(policies, [{ ...policies[0], name: "npm test", file: "s1" }]);
    assert.equal(fs.existsSync(path.join(project.dir, ".oj/runbooks/remembered.hcl")), false);
    await project.run("daemon", "restart");
    assert.match((await asks("s1", "npm test")).said ?? "", /"allow"/);
    const shown = await project.json<{ answer: { by: string; via: string } }>("decision", "show", first.id);
    assert.deepEqual([shown.answer.by, shown.answer.via], ["ana", "ntfy"]);
  });

  also("does not offer it for what can't be remembered", async () => {
    const { project, asks } = await stage();
    const pushed = await asks("s2", "git push --force");
    assert.equal(await ruleButton(pushed.page), null);
    await call(project, "POST", `/decisions/${pushed.id}/resolve`, { body: { option: "deny" } });
    assert.match(await pushed.reply, /"deny"/);
  });
});
