/**
 * What an agent's token may and may not: two projects, several owners, and one row for every route there is. Doors other than HTTP
 * (the command line, MCP) try the same things in the same world.
 *
 *     const world = await rightsWorld();
 *     for (const row of rows(world)) await call(world.stage, row.method, row.path, { body: row.body, headers: world.headers });
 *     await world.untilRefused(n);
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Event, Run, Stage } from "./agents.ts";
import { agentStage } from "./agents.ts";
import { call } from "./http.ts";

export interface RightsWorld {
  stage: Stage;
  /** The agent that tries, with its token. Its project is "shop". */
  run: Run;
  token: string;
  headers: Record<string, string>;
  /** Its environment, for the command line. */
  env: Record<string, string>;
  /** Another agent of the same project. */
  other: Run;
  /** A folder of the project "bank". */
  bank: string;
  bankJob: string;
  decisions: {
    /** Asked by the agent. */
    own: string;
    /** About the agent: it may look, and no more. */
    about: string;
    /** About the other agent. */
    others: string;
    /** Asked by a person in the agent's project. */
    person: string;
    /** Asked by a job of the other project. */
    foreign: string;
  };
  /** What was recorded about the agent's attempts. */
  refused(): Event[];
  untilRefused(number: number): Promise<void>;
}

const IDLE = { scenario: { turns: [[{ say: "Hm." }]] } };
const BANK = `
command "pay" { run = { job = "pay" } }
job "pay" { step "ask" { decision { prompt = "Pay?"  option "yes" {}  option "no" {} } } }
decision_template "bank-only" { prompt_hint = "secret" }`;
const SHOP = `decision_template "shop-only" { prompt_hint = "ours" }`;

export async function rightsWorld(): Promise<RightsWorld> {
  const stage = await agentStage({ tries: IDLE, other: IDLE }, { runbook: SHOP });
  const bank = path.join(path.dirname(stage.dir), "bank");
  fs.mkdirSync(path.join(bank, ".oj/runbooks"), { recursive: true });
  fs.writeFileSync(path.join(bank, ".oj/runbooks/bank.hcl"), BANK);
  const [run, other] = [await stage.job("tries"), await stage.job("other")];
  const [about, others] = [(await run.asked("idle")).id, (await other.asked("idle")).id];
  const pay = { cwd: bank, project: "bank", command: "pay", argv: [], named: {}, env: stage.env };
  const bankJob = (await call(stage, "POST", "/run", { body: pay })).json<{ job_id: string }>().job_id;
  const token = fs.readFileSync(path.join(stage.stateDir, "agents", run.agent, "token"), "utf8");
  const headers = { "x-oj-agent-token": token, "x-oj-user": "ana", "x-oj-via": "web" };
  const own = await request(stage, bank, { project: "shop" }, headers);
  const person = await request(stage, stage.dir, { project: "shop" });
  await stage.until(() => stage.events.some((it) => it.id === person), "the last of what was asked");
  const asked = await stage.until(
    () => stage.events.find((it) => it.type === "decision:created" && it.project === "bank"),
    "the question of the bank",
  );
  const refused = () => run.events("agent:refused");
  return {
    stage,
    run,
    token,
    headers,
    env: { OJ_AGENT: run.agent, OJ_AGENT_TOKEN: token, OJ_PROJECT: "shop" },
    other,
    bank,
    bankJob,
    decisions: { own, about, others, person, foreign: asked.id },
    refused,
    async untilRefused(number) {
      await stage.until(() => refused().length >= number, `${number} refusals`);
      assert.equal(refused().length, number);
    },
  };
}

function requestBody(cwd: string, more: object): object {
  return { project: "shop", cwd, prompt: "May I?", options: [{ label: "Yes" }], ...more };
}

async function request(stage: Stage, cwd: string, more: object, headers = {}): Promise<string> {
  const reply = await call(stage, "POST", "/decisions", { body: requestBody(cwd, more), headers });
  assert.equal(reply.status, 200, reply.text);
  return reply.json<{ id: string }>().id;
}

export interface Row {
  /** As /openapi.json names it. */
  route: string;
  method: string;
  path: string;
  body?: object;
  /** The code of the refusal; null: it is allowed. */
  refused: "request.forbidden" | "decision.not-yours" | null;
}

/** Every route, with what belongs to the agent and with what does not. */
export function rows({ run, other, bank, bankJob, stage, decisions }: RightsWorld): Row[] {
  const { own, about, others, person, foreign } = decisions;
  const all: Row[] = [];
  const add = (refused: Row["refused"], route: string, ids: string[] = [""], body?: object, query = "") => {
    const [method = "", pattern = ""] = route.split(" ");
    for (const id of ids)
      all.push({
        route,
        method,
        path: pattern.replace(/\{\w+\}/, id) + query,
        refused,
        ...(body ? { body } : {}),
      });
  };
  const no = "request.forbidden";
  const notYours = "decision.not-yours";
  const choice = { choices: [[1]] };
  const now = { timeout_ms: 0 };
  const notOwn = [others, person, foreign, "dec-2345678923", others.slice(0, 7)];

  add(no, "POST /decisions/{id}/resolve", [own, about, others, person, foreign], choice);
  add(no, "POST /decisions/resolve", [""], { ids: [own, person], ...choice });
  add(no, "POST /decisions/{id}/undo", [own, person], {});
  add(no, "POST /decisions/{id}/seen", [own, person], {});
  add(no, "GET /stats");
  add(no, "GET /metrics");
  add(no, "POST /decisions/{id}/claim", [own, about, person], { for_ms: null });
  add(no, "POST /decisions/{id}/release", [own, about, person], {});
  add(no, "POST /decisions/{id}/snooze", [own, about, person], { for_ms: 1000 });
  add(no, "GET /who");
  add(no, "GET /machines");
  add(no, "POST /machines/{name}/forget", ["anvil"], {});
  add(no, "POST /decisions/{id}/audit", [own, about, person], {});
  add(no, "POST /decisions/{id}/erase", [own, about, person], { reason: null });
  add(no, "POST /audit/exports", [""], {});
  add(no, "GET /me");
  add(no, "GET /people");
  add(no, "POST /people", [""], { name: "eve" });
  add(no, "POST /people/remove", [""], { name: "eve" });
  add(no, "POST /roles/grant", [""], { name: "eve", role: "admin", project: null });
  add(no, "POST /roles/revoke", [""], { name: "eve", role: "admin", project: null });
  add(no, "GET /tokens");
  add(no, "POST /tokens", [""], { person: "eve", scopes: ["admin"], lasts_ms: 1000 });
  add(no, "POST /tokens/rotate", [""], { token: "t", overlap_ms: 0, lasts_ms: null });
  add(no, "POST /tokens/revoke", [""], { person: "eve" });
  const asked = { id: "a".repeat(12), sha256: "0".repeat(64), scopes: ["admin"], lasts_ms: 1000, label: "x" };
  add(no, "POST /device/codes", [""], asked);
  add(no, "POST /device/polls", [""], { token: "t" });
  add(no, "POST /device/look", [""], { code: "BCDF-BCDF" });
  add(no, "POST /device/approve", [""], { code: "BCDF-BCDF", person: null });
  add(no, "POST /device/deny", [""], { code: "BCDF-BCDF" });
  const made = { code: "c", nonce: "n", label: "x", client_data: "A", authenticator_data: "A" };
  add(no, "GET /passkeys");
  add(no, "POST /passkeys", [""], made);
  add(no, "POST /passkeys/links", [""], { person: "eve" });
  add(no, "POST /passkeys/begin", [""], { code: "c" });
  add(no, "POST /passkeys/remove", [""], { id: "x" });
  add(no, "POST /decisions/{id}/challenge", [own, about, person], choice);
  add(no, "GET /beads");
  add(no, "POST /beads/sync", [""], { cwd: stage.dir });
  add(no, "GET /channels");
  add(no, "POST /channels/{name}/test", ["desktop"], { project: "shop" });
  add(no, "GET /decisions/{id}/route", [own, person]);
  const policies = `?project=shop&cwd=${encodeURIComponent(stage.dir)}`;
  add(no, "GET /policies", [""], undefined, policies);
  add(no, "GET /policies/log");
  add(no, "GET /policies/suggestions", [""], undefined, policies);
  add(no, "POST /policies/try", [""], { cwd: stage.dir, project: "shop" });
  add(no, "GET /decisions/{id}/policies", [own, person]);
  add(no, "GET /decisions/{id}/rule", [own, person]);
  add(no, "POST /decisions/{id}/remember", [own, person], { scope: "job", hash: "0".repeat(64) });
  add(no, "GET /suggestions");
  add(no, "POST /suggestions/{key}/accept", ["0".repeat(16)], { hash: "0".repeat(64) });
  add(no, "POST /suggestions/{key}/decline", ["0".repeat(16)], {});
  add(no, "POST /policies/accept", [""], { cwd: stage.dir, project: "shop" });
  add(no, "POST /policies/switch", [""], { cwd: stage.dir, project: "shop", name: "any", on: false });
  add(null, "GET /decisions/{id}", [own, about]);
  add(notYours, "GET /decisions/{id}", notOwn);
  add(null, "POST /decisions/{id}/await", [own], now);
  add(notYours, "POST /decisions/{id}/await", notOwn, now);
  add(notYours, "POST /decisions/{id}/cancel", [...notOwn, about], {});
  add(null, "GET /decisions");
  add(no, "GET /decisions", [""], undefined, "?project=bank");
  add(no, "POST /decisions", [""], requestBody(stage.dir, { as: "ana" }));
  add(no, "POST /decisions", [""], requestBody(bank, { project: "bank" }));

  add(null, "GET /decisions/own", [""], undefined, "?project=shop");
  add(no, "GET /decisions/own", [""], undefined, "?project=bank");
  add(no, "GET /decisions/own", [""], undefined, "?project=shop&as=ana");
  add(null, "GET /decisions/{id}/chain", [own, about]);
  add(notYours, "GET /decisions/{id}/chain", [person, foreign]);
  add(no, "POST /decisions/auto-close", [""], { project: "shop", threshold_ms: 1, dry_run: false });
  add(no, "GET /dashboard");
  add(no, "GET /history/names");
  add(no, "GET /failed");
  add(no, "GET /fleet");

  add(no, "GET /crews");
  add(null, "GET /jobs");
  add(no, "GET /jobs", [""], undefined, "?project=bank");
  add(null, "GET /jobs/{id}", [run.owner]);
  add(no, "GET /jobs/{id}", [other.owner, bankJob]);
  add(null, "GET /jobs/{id}/logs", [run.owner]);
  add(no, "GET /jobs/{id}/logs", [other.owner, bankJob]);
  add(no, "POST /jobs/wait", [""], { ids: [bankJob], ...now });
  for (const verb of ["cancel", "suspend", "resume"])
    add(no, `POST /jobs/{id}/${verb}`, [run.owner, other.owner], {});
  add(no, "POST /jobs/{id}/seen", [run.owner, other.owner], { how: "dropped" });
  add(no, "DELETE /jobs/{id}", [run.owner]);

  add(no, "GET /agents");
  add(null, "GET /agents/{id}", [run.agent]);
  add(no, "GET /agents/{id}", [other.agent]);
  add(no, "POST /agents/{id}/signal", [other.agent], { signal: "done" });
  add(no, "POST /agents/{id}/send", [run.agent, other.agent], { text: "Approve it." });
  add(no, "POST /agents/{id}/kill", [other.agent], {});
  for (const part of ["screen", "screens", "logs", "attach"])
    add(no, `GET /agents/{id}/${part}`, [other.agent]);

  add(null, "GET /health");
  add(null, "GET /status");
  add(no, "GET /status", [""], undefined, "?project=bank");
  const folder = `?cwd=${encodeURIComponent(bank)}`;
  add(null, "GET /commands", [""], undefined, folder);
  add(null, "GET /templates", [""], undefined, folder);
  add(no, "POST /runbooks/check", [""], { cwd: bank });
  add(no, "POST /run", [""], { cwd: bank, project: "bank", command: "pay" });
  add(no, "GET /decisions/{id}/events", [own, others]);
  add(no, "GET /jobs/{id}/events", [run.owner, bankJob]);
  add(no, "GET /events", [""], undefined, "?after=0");
  add(no, "POST /daemon/stop", [""], {});
  add(no, "GET /mcp/tokens");
  add(no, "POST /mcp/tokens", [""], { name: "me", project: "bank", cwd: bank });
  add(no, "DELETE /mcp/tokens/{name}", ["desktop"]);
  add(no, "POST /mail", [""], {});
  add(no, "POST /web/links", [""], {});
  add(no, "GET /web/logins");
  add(no, "DELETE /web/logins");
  add(no, "DELETE /web/logins/{id}", ["any"]);
  add(no, "GET /push/subscriptions");
  add(no, "POST /push/subscriptions", [""], { endpoint: "https://push.example.com/x", keys: {} });
  add(no, "DELETE /push/subscriptions/{id}", ["any"]);
  add(no, "POST /hooks/session", [""], {});
  add(no, "GET /inject");
  add(no, "POST /inject", [""], { project: "shop", session: "s", kind: "message", text: "x" });
  add(no, "POST /inject/drain", [""], { project: "shop", session: "s", drain_id: "d", limit: 1 });

  add(null, "POST /decisions/{id}/cancel", [own], {});
  add(null, "POST /decisions", [""], requestBody(bank, {}));
  add(null, "POST /agents/{id}/signal", [run.agent], { signal: "escalate", message: null });
  return all;
}
