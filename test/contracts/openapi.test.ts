/** Every route of a real daemon is called while everything happens that can; what it sends is held against /openapi.json. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { describe, it } from "vitest";
import type { SuggestionView } from "../../src/api/api.ts";
import { HEADERS } from "../../src/api/api.ts";
import { SOURCES } from "../../src/core/model/decision-types.ts";
import type { AgentId, DecisionId } from "../../src/core/model/ids.ts";
import { authenticator } from "../fakes/authenticator.ts";
import type { Reply } from "../fakes/daemon.ts";
import { fakeDaemon } from "../fakes/daemon.ts";
import type { Document } from "../fakes/openapi.ts";
import { comparison } from "../fakes/openapi.ts";
import { pretendBrowser } from "../fakes/servers/push-browser.ts";
import { until } from "./temp.ts";

const RUNBOOK = `
command "release" {
  args = "<version>"
  run  = { job = "release" }
}
job "release" {
  vars      = ["version"]
  workspace = "folder"
  step "confirm" {
    decision {
      prompt     = "Release?"
      escalation = "late"
      option "go" { label = "Go" }
      option "stop" {
        label  = "Stop"
        action = "cancel"
      }
    }
  }
  step "ship" { run = "echo shipped" }
}
escalation "late" {
  level {
    notify = ["ana"]
    next   = "1h"
  }
  level { notify = ["ana"] }
}
policy "look" { approve = { tool = "Bash", command = "pwd" } }
policy "careful" { ask = { tool = "Bash", command = "nobody" } }
command "build" { run = { job = "build" } }
job "build" {
  step "work" { run = { agent = "builder" } }
}
agent "builder" {
  run    = "claude"
  prompt = "Build it"
}
command "slow" { run = { job = "slow" } }
job "slow" {
  on_cancel = { step = "tidy" }
  step "wait" { run = "sleep 600" }
  step "tidy" { run = "sleep 600" }
}
command "write" { run = { agent = "writer" } }
agent "writer" {
  run             = "claude"
  prompt          = "Write it"
  max_concurrency = 1
}
command "breaks" { run = { job = "breaks" } }
job "breaks" {
  step "build" { run = "false" }
}
command "check" { run = { agent = "checker" } }
agent "checker" {
  run     = "claude"
  prompt  = "Check it"
  on_idle = { action = "gate", run = "false", attempts = 1 }
}
decision_template "ship" {
  prompt_hint = "Say what"
  urgency     = "high"
  on_cancel   = "unblock"
  required_context = ["risk"]
  option "yes" {
    label       = "Yes"
    description = "Now"
    recommended = true
    successor   = "after"
  }
  option "no" { label = "No" }
}
decision_template "after" {
  option "yes" { label = "Yes" }
  option "no" { label = "No" }
}
decision_template "ruled" {
  approvers = ["ana"]
  min       = 1
  self      = "deny"
  fresh     = "passkey 5m"
}
decision_template "two" { min = 2 }
decision_template "fresh" { fresh = "passkey 5m" }
`;

/** A project whose settings switch hooks off, and one with a runbook that can't be read. */
const OTHERS = {
  "../quiet/.oj/runbooks/all.hcl": RUNBOOK,
  "../quiet/.claude/settings.json": JSON.stringify({ disableAllHooks: true }),
  "../bad/.oj/runbooks/all.hcl": `${RUNBOOK}\ncommand "wrong" { run = { job = "relese" } }\n`,
};

const SETTINGS = `
[undo]
watch_s = 60
[channel.mail]
smtp = "smtp://127.0.0.1"
from = "oj@example.com"
[person.ana]
[rota.on]
people = ["ana"]
turn   = "1w"
from   = "2026-01-05 09:00 UTC"
[[route]]
source = "question"
notify = ["@on"]
via    = ["push"]
[[route]]
notify = ["ana"]
via    = ["desktop"]
`;

const strangersMail = {
  from: ["eve@example.com"],
  to: [],
  return_path: null,
  subject: "",
  message_id: null,
  references: [],
  text: "1",
  is_automatic: false,
  report: null,
};

const AWAY = [{ name: "anvil", away: { since_ms: 1, for_ms: 60_000 } }];

const STREAMS = ["GET /agents/{id}/screens", "GET /events"];

const write = (event: string) => ({
  hook_event_name: event,
  tool_name: "Write",
  tool_input: { file_path: "a.txt", content: "a\n" },
  tool_use_id: "t1",
});
const question = {
  hook_event_name: "PermissionRequest",
  tool_name: "AskUserQuestion",
  tool_input: {
    questions: ["Which?", "How?"].map((text) => ({
      question: text,
      header: "Tree",
      multiSelect: false,
      options: [
        { label: "Oak", description: "hard" },
        { label: "Elm", description: "soft" },
      ],
    })),
  },
};
const plan = {
  hook_event_name: "PermissionRequest",
  tool_name: "ExitPlanMode",
  tool_input: { plan: "# Plan" },
};

/** A daemon in which everything happens that can, and what it answered to each call, by its route. */
async function everything() {
  const daemon = await fakeDaemon({ ".oj/runbooks/all.hcl": RUNBOOK, ...OTHERS }, SETTINGS, AWAY);
  const { call, run, hook, events, ports, dir, tokenOf } = daemon;
  ports.shell.onRun = ({ script }) => {
    if (script.includes("sleep")) return { endless: true };
    return script.includes("false") ? { code: 1, complains: "no\n" } : { prints: "x\n" };
  };
  const replies: { route: string; reply: Reply }[] = [];

  /** Calls `GET /decisions/{id}` with its parts filled in, and keeps the reply. */
  async function ask(
    route: string,
    at: Record<string, string> = {},
    body?: object,
    headers = {},
  ): Promise<Reply> {
    const [method = "", path = ""] = route.split(" ");
    const { query = "", ...parts } = at;
    const url = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parts[name] ?? assert.fail(name)));
    const given = method === "POST" && body === undefined ? {} : body;
    const reply = await call(method, `${url}${query}`, given, headers);
    replies.push({ route, reply });
    return reply;
  }

  const asked = async (source: string): Promise<DecisionId> => {
    const created = () => events().find((it) => it.type === "decision:created" && it.source === source);
    await until(() => created() !== undefined);
    return (created() as { id: DecisionId }).id;
  };
  const build = async (): Promise<AgentId> => {
    const { agent } = await run("build");
    await hook(agent, { hook_event_name: "SessionStart", source: "startup" });
    await hook(agent, { hook_event_name: "UserPromptSubmit", prompt: "Build it" });
    return agent;
  };

  ports.programs.installed.set("claude", "0.0.1"); // too old to go without a note
  await ask("GET /health");
  await ask("GET /commands", { query: `?cwd=${dir}` });
  await ask("GET /commands", { query: `?cwd=${dir}/../bad` });
  await ask("GET /templates", { query: `?cwd=${dir}` });
  await ask("POST /runbooks/check", {}, { cwd: dir });
  await ask("GET /policies", { query: `?cwd=${dir}&project=shop` });
  await ask("POST /policies/accept", {}, { cwd: dir, project: "shop" });
  await ask("POST /policies/switch", {}, { cwd: dir, project: "shop", name: "look", on: false });
  await ask("POST /policies/switch", {}, { cwd: dir, project: "shop", name: "look", on: true });
  await ask("GET /policies", { query: `?cwd=${dir}&project=shop` });
  const bad = path.join(dir, "../bad/.oj/runbooks");
  fs.mkdirSync(bad, { recursive: true });
  fs.writeFileSync(path.join(bad, "policy.hcl"), 'policy "x" { aprove = { tool = "Read" } }');
  await ask("GET /policies", { query: `?cwd=${dir}/../bad&project=bad` });

  const agents: Partial<Record<string, AgentId>> = {};
  for (const source of ["idle", "dead", "error", "approval", "question", "plan"])
    agents[source] = await build();
  const of = (source: string) => agents[source] ?? assert.fail(source);
  await hook(of("idle"), { hook_event_name: "Stop", last_assistant_message: "Hm." });
  await hook(of("error"), {
    hook_event_name: "StopFailure",
    error: "rate_limit",
    error_details: "slow down",
  });
  ports.terminals.program(of("dead")).end(7);
  await hook(of("approval"), write("PreToolUse"));
  for (const [source, body] of [
    ["approval", write("PermissionRequest")],
    ["question", question],
    ["plan", plan],
  ] as const)
    void hook(of(source), body).catch(() => {}); // held until a person decides, or the daemon stops
  const crew = await run("check");
  await hook(crew.agent, { hook_event_name: "UserPromptSubmit", prompt: "Check it" });
  const stop = () => hook(crew.agent, { hook_event_name: "Stop", last_assistant_message: "Done?" });
  await stop();
  const owed = () => events().find((it) => it.type === "agent:owed" && it.id === crew.agent);
  await until(() => owed() !== undefined);
  const { parcel } = owed() as { parcel: { text: string } };
  await hook(crew.agent, { hook_event_name: "UserPromptSubmit", prompt: parcel.text }); // it heard that the gate failed
  await stop();
  const started = await ask(
    "POST /run",
    {},
    { cwd: dir, project: "shop", command: "release", argv: ["1.0"] },
  );
  const { job_id } = started.json as { job_id: string };
  const request = (as: string | null, more: object = {}) => ({
    project: "shop",
    cwd: dir,
    as,
    prompt: "Ship it?",
    options: [{ label: "Yes", description: "now" }, { label: "No" }],
    ...more,
  });
  const first = await ask(
    "POST /decisions",
    {},
    request("bot", { blocks: [job_id], context: { risk: "low" } }),
  );
  const firstId = (first.json as { id: string }).id;
  await ask("POST /decisions", {}, request("ruler", { blocks: [job_id], template: "two" }));
  const ids = Object.fromEntries(
    await Promise.all(SOURCES.map(async (source) => [source, await asked(source)] as const)),
  );
  const pwd = { tool_name: "Bash", tool_input: { command: "pwd" }, tool_use_id: "toolu_pwd" };
  await hook(await build(), { hook_event_name: "PermissionRequest", ...pwd }); // a policy approves it at once
  const log = await ask("GET /policies/log", { query: "?project=shop" });
  const [ruled] = log.json as { decision: string }[];
  await ask("GET /decisions/{id}/policies", { id: ruled?.decision ?? "" });
  await ask("GET /decisions/{id}", { id: ruled?.decision ?? "" });
  return { ...daemon, ask, replies, build, ids, of, crew, job_id, request, firstId, tokenOf };
}

describe("what the daemon sends", () => {
  it("is described in /openapi.json, every field of every route, and all that is described is sent", async () => {
    const all = await everything();
    const { ask, ids, of, crew, job_id, request, firstId, replies, call, dir, port, ports, events } = all;
    /** A session asks through its hook and is answered. */
    const asked = async (client: string, cwd: string, what: object) => {
      const before = events().length;
      const report = { session_id: client, cwd, hook_event_name: "PermissionRequest", ...what };
      const held = ask("POST /hooks/session", { query: `?of=${client}` }, report);
      const created = () =>
        events()
          .slice(before)
          .find((it) => it.type === "decision:created");
      const answered = until(() => created() !== undefined).then(() => {
        const { id } = created() as { id: DecisionId };
        return ask("POST /decisions/{id}/resolve", { id }, { choices: [[1]] });
      });
      await Promise.all([held, answered]);
    };
    const look = async () => {
      await ask("GET /status");
      await ask("GET /fleet");
      await ask("GET /failed");
      await ask("GET /decisions");
      await ask("GET /decisions", { query: "?all=true" });
      await ask("GET /decisions", { query: "?brief=true" });
      await ask("GET /decisions", { query: "?brief=true&order=settled" });
      await ask("GET /history/names");
      await ask("GET /dashboard");
      await ask("GET /stats");
      await ask("GET /metrics");
      await ask("GET /who");
      await ask("GET /machines");
      await ask("GET /channels");
      await ask("GET /beads");
      await ask("GET /decisions/own", { query: "?project=shop" });
      await ask("GET /decisions/own", { query: "?project=shop&as=bot" });
      await ask("GET /jobs");
      await ask("GET /crews");
      await ask("GET /agents");
      for (const id of Object.values(ids)) await ask("GET /decisions/{id}", { id });
    };
    await look();

    // a step of a job asks
    const slow = await ask("POST /run", {}, { cwd: dir, project: "shop", command: "slow" });
    const slowId = (slow.json as { job_id: string }).job_id;
    await until(() => ports.shell.ran.some((it) => it.job_id === slowId));
    const { run_id } = ports.shell.ran.find((it) => it.job_id === slowId) ?? assert.fail();
    await ask("POST /decisions", {}, request(null), { [HEADERS.run]: `${slowId}/${run_id}` });
    await ask("POST /run", {}, { cwd: dir, project: "shop", command: "check" });
    await ask("POST /run", {}, { cwd: `${dir}/../quiet`, project: "shop", command: "check" });
    await until(() => events().some((it) => it.type === "agent:silent"));
    await ask("POST /jobs/{id}/cancel", { id: slowId }, { reason: null });
    await until(() => ports.shell.ran.filter((it) => it.job_id === slowId).length === 2);
    await look();

    // each is answered in its own way
    const undoable = { [HEADERS.via]: "tui" };
    await ask("POST /decisions/{id}/resolve", { id: firstId }, { choices: [[1]], message: "go" }, undoable);
    await look();
    await ask("POST /decisions/{id}/undo", { id: firstId });
    await ask("POST /decisions/{id}/seen", { id: firstId });
    await ask("POST /decisions/{id}/audit", { id: firstId });
    await ask("POST /decisions/{id}/claim", { id: firstId }, { for_ms: null });
    await ask("POST /decisions/{id}/release", { id: firstId });
    await ask("POST /decisions/{id}/snooze", { id: firstId }, { for_ms: 1000 });
    await ask("GET /decisions/{id}/policies", { id: firstId });
    await ask("GET /decisions/{id}/policies", { id: ids.approval ?? "" });
    await ask("GET /decisions/{id}/route", { id: firstId });
    await ask("GET /decisions/{id}/route", { id: ids.question ?? "" });
    await ask("POST /decisions/{id}/resolve", { id: firstId }, { choices: [[1]] });
    const after = await ask("POST /decisions", {}, request("bot", { predecessor: firstId, parent: firstId }));
    const afterId = (after.json as { id: string }).id;
    await ask("GET /decisions/{id}/chain", { id: firstId });
    await ask("GET /decisions/{id}/chain", { id: afterId });
    await ask("POST /decisions/{id}/await", { id: firstId }, { timeout_ms: 0 });
    await ask("POST /decisions/{id}/cancel", { id: afterId }, { reason: "no longer" });
    const inWords = { choices: [[3], [3]], texts: ["Both", "Slowly"] };
    await ask("POST /decisions/{id}/resolve", { id: ids.question ?? "" }, inWords, undoable);
    await look();
    const edited = { choices: [[1]], input: { file_path: "a.txt", content: "b\n" } };
    await ask("POST /decisions/{id}/resolve", { id: ids.approval ?? "" }, edited, undoable);
    await look();
    await ask("POST /decisions/{id}/undo", { id: ids.approval ?? "" });
    await ask("POST /decisions/{id}/resolve", { id: ids.gate ?? "" }, { choices: [[3]] });
    await ask("POST /decisions/resolve", {}, { ids: [ids.error, "dec-none"], choices: [[1]] });
    await ask("GET /decisions/{id}/rule", { id: firstId });
    const proposed = await ask("GET /decisions/{id}/rule", { id: ids.approval ?? "" });
    const { rule } = proposed.json as { rule: { hash: string } | null };
    const remembered = { scope: "job", hash: rule?.hash ?? "" };
    await ask("POST /decisions/{id}/remember", { id: ids.approval ?? "" }, remembered);
    await ask("GET /policies", { query: `?${new URLSearchParams({ cwd: "/", project: "shop" })}` });
    await ask("GET /decisions/{id}/events", { id: firstId });
    await ask("POST /decisions", {}, { prompt: 1 });
    await ask("POST /decisions/auto-close", {}, { project: "shop", threshold_ms: 0, dry_run: true });
    await look();

    // agents
    const agent = of("idle");
    const token = { [HEADERS.agent]: all.tokenOf(agent) };
    await ask("GET /agents/{id}", { id: agent });
    await ask("GET /agents/{id}/screen", { id: agent });
    await ask("GET /agents/{id}/logs", { id: agent });
    await ask("GET /agents/{id}/attach", { id: agent });
    await ask("POST /agents/{id}/send", { id: agent }, { text: "Go on" });
    await ask("GET /decisions/own", { query: "?project=shop" }, undefined, token);
    await ask("POST /agents/{id}/signal", { id: agent }, { signal: "done", message: null }, token);
    await ask("POST /agents/{id}/kill", { id: of("plan") });
    await look();

    // jobs and crews
    await ask("GET /jobs/{id}", { id: job_id });
    await ask("GET /jobs/{id}", { id: crew.owner });
    await ask("GET /jobs/{id}/events", { id: job_id });
    await ask("GET /jobs/{id}/logs", { id: job_id });
    await ask("POST /jobs/{id}/suspend", { id: job_id });
    await ask("POST /jobs/{id}/resume", { id: job_id }, { message: null });
    await ask("POST /jobs/{id}/cancel", { id: job_id }, { reason: "enough" });
    await ask("POST /jobs/wait", {}, { ids: [job_id] });
    await look();
    await ask("DELETE /jobs/{id}", { id: job_id });

    // an agent that waits for its turn, and failures that nobody has seen
    for (const command of ["write", "write"])
      await ask("POST /run", {}, { cwd: dir, project: "shop", command });
    const broken = await ask("POST /run", {}, { cwd: dir, project: "shop", command: "breaks" });
    const { job_id: brokenId } = broken.json as { job_id: string };
    await until(() => events().some((it) => it.type === "job:failed" && it.id === brokenId));
    await look();
    await ask("POST /jobs/{id}/seen", { id: brokenId }, { how: "dropped" });

    // sessions that oj did not start, and whoever else comes
    const session = { session_id: "s1", cwd: dir, transcript_path: "/x" };
    await ask("POST /hooks/session", {}, { ...session, hook_event_name: "UserPromptSubmit", prompt: "hi" });
    // a call that can only be taken as it is, and a question that takes no words of one's own
    await asked("codex", dir, { tool_name: "Bash", tool_input: { command: "make" } });
    const closed = { question: "Which?", options: [{ label: "A" }, { label: "B" }], custom: false };
    await asked("opencode", dir, { question: { id: "q1", questions: [closed] } });
    await ask(
      "POST /decisions",
      {},
      request(null, { session: "s1", template: "ship", context: { risk: "x" } }),
    );
    await ask("POST /decisions", {}, request(null, { session: "unknown" }));
    await ask("POST /decisions", {}, request(null, { template: "ruled" }));
    const two = await ask("POST /decisions", {}, request(null, { template: "two" }));
    const { id: twoId } = two.json as { id: string };
    await ask("POST /decisions/{id}/resolve", { id: twoId }, { choices: [[1]] });
    await look();
    await ask("POST /decisions/{id}/undo", { id: twoId });
    await ask("POST /inject", {}, { project: "shop", session: "s1", text: "hello" });
    await ask("GET /inject");
    await ask("POST /inject/drain", {}, { project: "shop", session: "s1", drain_id: "d1" });
    await ask(
      "POST /mail",
      {},
      { mail: strangersMail, delivery: { recipient: null, extension: null, sender: null } },
    );
    await ask("POST /mcp/tokens", {}, { name: "editor", project: "shop", cwd: dir });
    await ask("GET /mcp/tokens");
    await ask("POST /audit/exports");
    const { id: overId } = (await ask("POST /decisions", {}, request(null))).json as { id: string };
    await ask("POST /decisions/{id}/cancel", { id: overId }, { reason: null });
    await ask("POST /decisions/{id}/erase", { id: overId }, { reason: "a password" });
    await ask("GET /decisions/{id}", { id: overId });
    await ask("POST /decisions/{id}/audit", { id: overId });
    await ask("GET /me");
    await ask("POST /people", {}, { name: "ben" });
    await ask("POST /roles/grant", {}, { name: "ben", role: "viewer", project: "shop" });
    const made = await ask("POST /tokens", {}, { person: "ben", scopes: ["read"], lasts_ms: 60_000 });
    const { id: tokenId } = made.json as { id: string };
    await ask("POST /tokens/rotate", {}, { token: tokenId, overlap_ms: 1000, lasts_ms: null });
    await ask("GET /people");
    const self = userInfo().username;
    await ask("POST /people", {}, { name: self });
    const link = await ask("POST /passkeys/links", {}, { person: self });
    const { hash: fragment } = new URL((link.json as { url: string }).url);
    const code = new URLSearchParams(fragment.slice(1)).get("passkey") ?? "";
    const device = authenticator("ES256", `http://localhost:${port}`);
    const begun = (await ask("POST /passkeys/begin", {}, { code })).json as {
      nonce: string;
      challenge: string;
    };
    await ask(
      "POST /passkeys",
      {},
      { code, nonce: begun.nonce, label: "phone", ...device.create(begun.challenge) },
    );
    const ruled = await ask("POST /decisions", {}, request(null, { template: "fresh" }));
    const { id: signedId } = ruled.json as { id: string };
    const toSign = (await ask("POST /decisions/{id}/challenge", { id: signedId }, { choices: [[1]] }))
      .json as typeof begun;
    const passkey = { nonce: toSign.nonce, ...device.get(toSign.challenge) };
    await ask("POST /decisions/{id}/resolve", { id: signedId }, { choices: [[1]], passkey }, undoable);
    await look();
    await ask("POST /decisions/{id}/audit", { id: signedId });
    await ask("GET /passkeys");
    await ask("POST /passkeys/remove", {}, { id: device.id });
    const wanted = {
      id: "a".repeat(12),
      sha256: "0".repeat(64),
      scopes: ["read"],
      lasts_ms: 60_000,
      label: "x",
    };
    const codeOf = (reply: { json: unknown }) => (reply.json as { code: string }).code;
    const userCode = codeOf(await ask("POST /device/codes", {}, wanted));
    await ask("POST /device/polls", {}, { token: "ojp_none" });
    await ask("POST /device/look", {}, { code: userCode });
    await ask("POST /device/approve", {}, { code: userCode, person: "ben" });
    const again = { ...wanted, id: "b".repeat(12) };
    await ask("POST /device/deny", {}, { code: codeOf(await ask("POST /device/codes", {}, again)) });
    await ask("GET /tokens");
    await ask("POST /roles/revoke", {}, { name: "ben", role: "viewer", project: "shop" });
    await ask("POST /tokens/revoke", {}, { person: "ben" });
    await ask("POST /people/remove", {}, { name: "ben" });
    await ask("POST /machines/{name}/forget", { name: "anvil" });
    fs.writeFileSync(path.join(dir, ".oj/config.toml"), "[beads]\nmirror = true\n");
    await ask("POST /beads/sync", {}, { cwd: dir });
    await ask("POST /channels/{name}/test", { name: "desktop" }, { project: "shop", person: "ana" });
    await ask("DELETE /mcp/tokens/{name}", { name: "editor" });
    const { url } = (await ask("POST /web/links", {}, { decision: firstId })).json as { url: string };
    await all.logIn(url);
    const logins = (await ask("GET /web/logins")).json as { id: string }[];
    await ask("DELETE /web/logins/{id}", { id: logins[0]?.id ?? "" });
    await ask("DELETE /web/logins");
    await ask("GET /push/subscriptions", {}, undefined, { [HEADERS.user]: "nobody-we-know" });
    const { endpoint, keys } = { ...pretendBrowser(), endpoint: "https://push.example.com/x" };
    const joined = (await ask("POST /push/subscriptions", {}, { endpoint, keys })).json as { id: string };
    await ask("GET /push/subscriptions");
    await ask("DELETE /push/subscriptions/{id}", { id: joined.id });
    await look();

    // the same again and again, on two days and in two jobs
    await ask("POST /decisions", {}, request("bot"));
    await ask("POST /decisions", {}, request("bot"));
    const agents = [await all.build(), await all.build()] as const;
    for (let n = 0; n < 5; n++) {
      const before = events().length;
      const asked = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: `toolu_${n}` };
      const by = agents[n % 2 === 0 ? 0 : 1];
      await all.hook(by, { hook_event_name: "PreToolUse", ...asked });
      const held = all.hook(by, { hook_event_name: "PermissionRequest", ...asked });
      const created = () =>
        events()
          .slice(before)
          .find((it) => it.type === "decision:created");
      await until(() => created() !== undefined);
      const { id } = created() as { id: DecisionId };
      await ask("POST /decisions/{id}/resolve", { id }, { choices: [[1]] });
      await held;
      await all.hook(by, { hook_event_name: "PostToolUse", ...asked, tool_response: {} });
      if (n === 2) ports.clock.now = () => Date.now() + 24 * 3_600_000;
    }
    const here = { cwd: dir, project: "shop" };
    await ask("GET /policies/suggestions", { query: `?${new URLSearchParams(here)}` });
    const file = path.join(dir, ".oj/runbooks/remembered.hcl");
    fs.writeFileSync(file, "# somebody else's");
    await ask("GET /suggestions");
    fs.rmSync(file);
    await ask("POST /policies/switch", {}, { ...here, name: "look", on: false });
    const [first] = (await ask("GET /suggestions", { query: "?project=shop" })).json as SuggestionView[];
    const { key, hash } = first ?? assert.fail("nothing is suggested");
    await ask("POST /suggestions/{key}/decline", { key: "0".repeat(16) });
    await ask("POST /suggestions/{key}/accept", { key }, { hash: "0".repeat(64) });
    await ask("POST /suggestions/{key}/accept", { key }, { hash });
    fs.rmSync(file); // then it is suggested again
    await ask("POST /policies/accept", {}, here);
    await ask("POST /suggestions/{key}/decline", { key });
    const text = 'policy "never" { deny = { tool = "Bash", command = "npm test" } }';
    await ask("POST /policies/try", {}, { ...here, text });
    await ask("POST /daemon/stop", { query: "?pid=1" }, { kill: false });

    const document = (await call("GET", "/openapi.json")).json as Document;
    const { problems, neverSeen } = comparison(document);
    const found = replies.flatMap(({ route, reply }) => {
      const [method = "", path = ""] = route.split(" ");
      const { responses } =
        document.paths[path]?.[method.toLowerCase()] ?? assert.fail(`${route} is no route`);
      const { content } = responses[reply.status] ?? responses.default ?? assert.fail();
      const schema = content?.["application/json"]?.schema;
      if (reply.status === 204 || !schema) return [];
      return problems(reply.json, schema, `${route} ${reply.status}`);
    });
    assert.deepEqual([...new Set(found)], []);

    const well = new Set(replies.filter(({ reply }) => reply.status < 300).map(({ route }) => route));
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(
      routes.filter((it) => !well.has(it)),
      STREAMS,
      "what no call reached",
    );
    assert.deepEqual(neverSeen(), []);
  });
});
