/**
 * "Remember this" on every surface, as a table: what is offered for each kind of decision (once, for this session, always
 * in this project), what is recorded when it is accepted, and what counts after a restart.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import { ntfyServer } from "../fakes/servers/ntfy.ts";
import { buttonsOf, fakeSlack, textOf } from "../fakes/servers/slack.ts";
import { telegramServer } from "../fakes/servers/telegram.ts";
import { call } from "./support/http.ts";
import { until } from "./support/project.ts";
import type { ToldDecision } from "./support/reach.ts";
import { reachProject } from "./support/reach.ts";

const ANA = 4242;
/** More than these within a minute come in one message; a daemon that has just started counts anew. */
const ONE_BY_ONE = 5;
const TOPIC = "oj-ana-7f3k";
const SURFACES = ["shell", "inbox", "slack", "telegram", "page"] as const;
type Surface = (typeof SURFACES)[number];
type Scope = "once" | "job" | "project";

/** What a surface offers besides Approve and Deny, and how it is accepted there. */
interface Offer {
  scopes: Scope[];
  /** All that is shown. */
  rule: string;
  accept(scope: Scope): Promise<void>;
}

const RUNBOOK = `
command "ship" {
  run = { job = "ship" }
}
job "ship" {
  step "ask" {
    decision {
      prompt    = "Ship it?"
      approvers = ["ana"]
      option "ship" {}
      option "stop" { action = "cancel" }
    }
  }
}
`;

async function stage() {
  const [slack, telegram, ntfy] = await Promise.all([
    fakeSlack({ everyMs: 0 }),
    telegramServer(),
    ntfyServer(),
  ]);
  onTestFinished(async () => void (await Promise.all([slack.close(), telegram.close(), ntfy.close()])));
  const config = `
[person.ana]
slack = "U0ANA"
telegram = "${ANA}"
ntfy = "${TOPIC}"
[channel.slack]
bot_token_file = "bot"
app_token_file = "app"
api_url = "${slack.apiUrl}"
channel = "C0ROOM"
[channel.telegram]
bot_token_file = "telegram"
api_url = "${telegram.url}"
[channel.ntfy]
url = "${ntfy.url}"
[[route]]
notify = ["ana"]
via = ["slack", "telegram", "ntfy"]
`;
  const secrets = { bot: slack.tokens.bot, app: slack.tokens.app, telegram: telegram.token };
  const project = await reachProject(config, secrets, { ".oj/runbooks/ship.hcl": RUNBOOK });
  await project.run("daemon", "start");
  await until(() => slack.connected() > 0);

  interface Pending {
    id: string;
    session: string | null;
    source: string;
  }
  const pending = async () => (await call(project, "GET", "/decisions")).json<Pending[]>();

  /** What a hook of a session asks: what it is told, or the decision that waits. */
  async function asks(session: string, hook: object, query = "") {
    let said: string | null = null;
    const body = { session_id: session, cwd: project.dir, hook_event_name: "PermissionRequest", ...hook };
    const reply = call(project, "POST", `/hooks/session${query}`, { body }).then(
      ({ text }) => {
        said = text;
        return text;
      },
      () => "cut off",
    );
    const id = await project.until(async () =>
      said !== null ? "" : (await pending()).find((it) => it.session === session)?.id,
    );
    return { id, said, reply };
  }
  const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });

  const slackCard = (id: string) =>
    until(() => slack.cards().find((it) => textOf(it).includes(id)), `a card of ${id} in Slack`);
  const inTelegram = (id: string) =>
    until(
      () => telegram.messages.find((it) => it.text.endsWith(`\n${id}`) && it.replyTo === null),
      `${id} in Telegram`,
    );
  const pageOf = (id: string) =>
    until(() => {
      const all = JSON.stringify(ntfy.shown(TOPIC)).matchAll(/http:[^"]+\/a\/([^"./]+)\.[^"]+/g);
      const isItsPage = ([, bound = ""]: RegExpExecArray) => {
        const [of, , , option] = JSON.parse(Buffer.from(bound, "base64url").toString("utf8")) as string[];
        return of === id && option === null;
      };
      return [...all].find(isItsPage)?.[0];
    }, `a page for ${id}`);
  const read = async (url: string) => (await fetch(url, { headers: { accept: "text/html" } })).text();

  const NOTHING: Offer = { scopes: [], rule: "", accept: () => assert.fail("nothing is offered") };
  const named = (labels: readonly string[]): Scope[] =>
    labels.flatMap((it) =>
      /^For this/.test(it) ? ["job"] : /^Always/.test(it) ? ["project"] : /^Once/.test(it) ? ["once"] : [],
    );

  const offers: Record<Surface, (id: string) => Promise<Offer>> = {
    async shell(id) {
      const { stdout, stderr, code } = await project.run("policy", "remember", id);
      if (code !== 0) return NOTHING;
      const [, hash = ""] = /--rule ([0-9a-f]+)/.exec(stderr) ?? [];
      return {
        scopes: named(stdout.split("\n").map((it) => it.trim().replace(/^\d\s+/, ""))),
        rule: stdout.replace(/^ *│ ?/gm, ""),
        async accept(scope) {
          const words =
            scope === "once"
              ? ["decision", "resolve", id, "approve"]
              : ["policy", "remember", id, "--for", scope, "--rule", hash];
          const ran = await project.run(...words);
          assert.equal(ran.code, 0, ran.stderr);
        },
      };
    },
    async inbox(id) {
      const { rule } = (await call(project, "GET", `/decisions/${id}/rule`)).json<{
        rule: { hash: string; text: string; problem: string | null } | null;
      }>();
      if (rule === null) return NOTHING;
      return {
        scopes: rule.problem === null ? ["once", "job", "project"] : ["once", "job"],
        rule: rule.text,
        async accept(scope) {
          const [what, body] =
            scope === "once" ? ["resolve", { option: "approve" }] : ["remember", { scope, hash: rule.hash }];
          const { status, text } = await call(project, "POST", `/decisions/${id}/${what}`, { body });
          assert.equal(status, 200, text);
        },
      };
    },
    async slack(id) {
      const card = await slackCard(id);
      if (!buttonsOf(card).includes("Remember…")) return NOTHING;
      await slack.click(card, "Remember…", "U0ANA");
      const view = await until(
        () =>
          slack
            .openViews()
            .find((it) => it.view.title.text === "Remember this" && JSON.stringify(it.view).includes(id)) ??
          slack.openViews().find((it) => /can't become a rule/.test(JSON.stringify(it.view))),
        `the rule of ${id} in Slack`,
      );
      const choice = view.view.blocks.find((it: { block_id?: string }) => it.block_id === "choice");
      const options: { text: { text: string }; value: string }[] = choice?.element.options ?? [];
      const scopes = named(options.map((it) => it.text.text));
      return {
        scopes,
        rule: view.view.blocks.map((it: { text?: { text: string } }) => it.text?.text ?? "").join("\n"),
        async accept(scope) {
          await until(() => slack.connected() > 0);
          const ack = await slack.submit(view, { choice: options[scopes.indexOf(scope)]?.value ?? "" });
          assert.equal(ack, undefined, JSON.stringify(ack));
        },
      };
    },
    async telegram(id) {
      const message = await inTelegram(id);
      const button = message.buttons.find((it) => it.text === "Remember…");
      if (!button) return NOTHING;
      const press = telegram.press(ANA, button.callback_data ?? "", message);
      await until(() => telegram.alerts.has(press));
      assert.equal(telegram.alerts.get(press), "", "a message says it");
      const shown = telegram.messages.findLast((it) => it.replyTo === message.message_id) ?? assert.fail();
      // once is the button of the question itself
      const scopes: Scope[] =
        shown.buttons.length > 0 ? ["once", ...named(shown.buttons.map((it) => it.text))] : [];
      return {
        scopes,
        rule: shown.text,
        async accept(scope) {
          const data =
            scope === "once"
              ? message.buttons[0]?.callback_data
              : shown.buttons[scopes.indexOf(scope) - 1]?.callback_data;
          const second = telegram.press(ANA, data ?? "", scope === "once" ? message : shown);
          await until(() => telegram.alerts.has(second));
          assert.equal(telegram.alerts.get(second), "");
          if (scope !== "once")
            await until(() => shown.buttons.length === 0 && /approves the same again/.test(shown.text));
        },
      };
    },
    async page(id) {
      const page = await pageOf(id);
      const body = await read(page);
      const [, token] = /action="([^"]+)">\s*<h2 id="remember">/.exec(body) ?? [];
      if (token === undefined) return NOTHING;
      const [, whole = ""] = /action="([^"]+)"/.exec(body) ?? [];
      const [, number = ""] = /name="choice" value="(\d)"[^>]*><span>Approve/.exec(body) ?? [];
      const found = [...body.matchAll(/name="scope" value="(job|project)"/g)].map(([, it]) => it as Scope);
      const [, rule = ""] = /<pre><code>(policy[\s\S]*?)<\/code>/.exec(body) ?? [];
      return {
        scopes: ["once", ...found],
        rule: rule.replaceAll("&quot;", '"'),
        async accept(scope) {
          const form: Record<string, string> = scope === "once" ? { choice: number } : { scope };
          const url = new URL(scope === "once" ? whole : token, page).href;
          const { status } = await fetch(url, {
            method: "POST",
            headers: { accept: "text/html" },
            body: new URLSearchParams(form),
          });
          assert.equal(status, 200);
        },
      };
    },
  };
  return { project, asks, bash, pending, offers };
}

const VIA: Record<Surface, string> = {
  shell: "cli",
  inbox: "api",
  slack: "slack",
  telegram: "telegram",
  page: "ntfy",
};

it("is offered for approvals that a policy can see through, whoever asks, and for nothing else", async () => {
  const { project, asks, bash, pending, offers } = await stage();
  const plan = { tool_name: "ExitPlanMode", tool_input: { plan: "First this, then that." } };
  const all: Scope[] = ["once", "job", "project"];
  const idOf = async (...given: Parameters<typeof asks>) => (await asks(...given)).id;
  const ran = async () => {
    await project.run("run", "ship");
    return project.until(async () => (await pending()).find((it) => it.source === "step")?.id);
  };
  const kinds: [name: string, ask: () => Promise<string>, offered: Scope[]][] = [
    ["an approval", () => idOf("a1", bash("npm test")), all],
    ["another client's approval", () => idOf("a2", bash("npm run lint"), "?client=codex"), all],
    ["what can't be undone", () => idOf("a3", bash("git push --force")), []],
    ["what can't be seen through", () => idOf("a4", bash('eval "$x"')), []],
    ["a plan", () => idOf("a5", plan), []],
    ["a question", () => project.ask("Which one?"), []],
    ["what a rule says who may answer", ran, []],
  ];
  for (const [at, [name, ask, offered]] of kinds.entries()) {
    if (at === ONE_BY_ONE) await project.run("daemon", "restart");
    const id = await ask();
    for (const surface of SURFACES) {
      const { scopes, rule } = await offers[surface](id);
      assert.deepEqual(scopes, offered, `${name} in ${surface}`);
      if (offered.length > 0)
        assert.match(rule, /policy "npm [^"]+" \{\n {2}approve = \{\n[\s\S]*\n {2}\}\n\}/, surface);
    }
  }
});

it("records who, how and for how long, from every surface, and it counts after a restart", async () => {
  const { project, asks, bash, offers } = await stage();
  const cells = SURFACES.flatMap((surface) =>
    (["once", "job", "project"] as const).map((scope) => ({ surface, scope, name: `${surface}-${scope}` })),
  );
  const settled: ((typeof cells)[number] & { id: string })[] = [];
  for (const [at, it] of cells.entries()) {
    if (at > 0 && at % ONE_BY_ONE === 0) await project.run("daemon", "restart");
    const { id, reply } = await asks(it.name, bash(`npm run ${it.name}`));
    const { accept } = await offers[it.surface](id);
    await accept(it.scope);
    assert.match(await reply, /"allow"/, it.name);
    settled.push({ ...it, id });
  }
  await project.run("daemon", "restart");

  const policies = await project.json<{ name: string; state: string; file: string }[]>("policy", "list");
  const file = path.join(fs.realpathSync(project.dir), ".oj/runbooks/remembered.hcl");
  for (const { surface, scope, name, id } of settled) {
    const { answer } = (await call(project, "GET", `/decisions/${id}`)).json<ToldDecision>();
    assert.deepEqual([answer?.via, answer?.labels], [VIA[surface], ["Approve"]], name);
    if (VIA[surface] === surface) assert.equal(answer?.by, "ana");
    const rule = policies.find((it) => it.name === `npm run ${name}`);
    const wanted = scope === "once" ? [] : ["on", scope === "job" ? name : file];
    assert.deepEqual(rule ? [rule.state, rule.file] : [], wanted, name);
    const same = await asks(name, bash(`npm run ${name}`));
    assert.equal(/"allow"/.test(same.said ?? ""), scope !== "once", `${name}: the same session again`);
    const other = await asks(`${name}-other`, bash(`npm run ${name}`));
    assert.equal(/"allow"/.test(other.said ?? ""), scope === "project", `${name}: another session`);
  }
});

it("accepts nothing any more once the question is over, from whatever was left open", async () => {
  const { project, asks, bash, offers } = await stage();
  for (const surface of SURFACES) {
    const { id } = await asks(surface, bash("npm test"));
    const { accept } = await offers[surface](id);
    await call(project, "POST", `/decisions/${id}/resolve`, { body: { option: "deny" } });
    await assert.rejects(accept("project"), surface);
  }
  assert.deepEqual(await project.json("policy", "list"), []);
  assert.equal(fs.existsSync(path.join(project.dir, ".oj/runbooks/remembered.hcl")), false);
});
