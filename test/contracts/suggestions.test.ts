/** What people's answers suggest, through a whole daemon: when, for whom, what becomes of it, and that it costs little. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { SuggestionView } from "../../src/api/api.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { decodeState, encodeState } from "../../src/core/model/state/state-text.ts";
import { fakeDaemon } from "../fakes/daemon.ts";
import { until } from "./temp.ts";

const DAY_MS = 24 * 3_600_000;
const FILE = ".oj/runbooks/remembered.hcl";

async function stage() {
  const daemon = await fakeDaemon({ "package.json": "{}" });
  const { call, events, ports, dir } = daemon;
  let day = 0;
  ports.clock.now = () => Date.now() + day * DAY_MS;

  /** A session asks, and somebody answers; or a policy does, and nobody is asked. */
  async function asked(session: string, command: string, option: "approve" | "deny" = "approve") {
    const before = events().length;
    const hook = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
    let isOver = false;
    const reply = call("POST", "/hooks/session", { session_id: session, cwd: dir, ...hook }).finally(() => {
      isOver = true;
    });
    const news = () => events().slice(before);
    const created = () => news().find((it) => it.type === "decision:created");
    await until(() => isOver || created() !== undefined);
    const id = (created() as { id: DecisionId }).id;
    const isAnswered = () => news().some((it) => it.type === "decision:resolved" && it.id === id);
    if (!isAnswered()) await call("POST", `/decisions/${id}/resolve`, { option });
    return (await reply).text;
  }

  /** Approved five times, on two days and in two sessions. */
  async function approved(command: string) {
    for (let n = 0; n < 5; n++) {
      if (n === 3) day++;
      await asked(`s${n % 2}`, command);
    }
  }

  const list = async () => (await call("GET", "/suggestions")).json as SuggestionView[];
  const answer = (key: string, what: "accept" | "decline", body = {}, headers = {}) =>
    call("POST", `/suggestions/${key}/${what}`, body, headers);
  const one = async () => (await list())[0] ?? assert.fail("nothing is suggested");
  return { ...daemon, asked, approved, list, one, answer };
}

describe("what answers suggest", () => {
  it("has its evidence and what it would have answered, and counts once accepted", async () => {
    const { approved, asked, list, one, answer, dir, events } = await stage();
    assert.deepEqual(await list(), []);
    await approved("npm test");
    const found = await one();
    assert.equal(found.what, "npm test");
    assert.deepEqual([found.answers, found.days, found.jobs], [5, 2, 2]);
    assert.equal(found.decisions.length, 5);
    assert.ok(found.decisions.every((it) => it.by === "ana" && it.title.includes("npm test")));
    assert.deepEqual([found.tried.answered, found.tried.of, found.tried.disagreed], [5, 5, []]);

    const { key, hash } = found;
    const session = { "x-oj-session": "s1" };
    const others = [
      await answer(key, "accept", { hash: "0".repeat(64) }),
      await answer(key, "accept", { hash }, session),
      await answer(key, "decline", {}, session),
      await answer("f".repeat(16), "accept", { hash }),
      await answer(key, "accept", { hash, text: "another" }),
      await answer("../../x", "decline"),
    ];
    assert.deepEqual(
      others.filter((it) => it.status < 400),
      [],
    );
    assert.equal(fs.existsSync(path.join(dir, FILE)), false, "nothing was written");

    const twice = await Promise.all([answer(key, "accept", { hash }), answer(key, "accept", { hash })]);
    assert.deepEqual(twice.map((it) => it.status).toSorted(), [200, 404]);
    assert.ok(fs.readFileSync(path.join(dir, FILE), "utf8").endsWith(`\n${found.text}`));
    assert.equal(events().filter((it) => it.type === "policy:accepted").length, 1);
    assert.deepEqual(await list(), []);
    assert.match(await asked("s7", "npm test"), /"allow"/);
    const last = events().findLast((it) => it.type === "decision:resolved");
    assert.equal(last?.type === "decision:resolved" && last.via, "policy");
  });

  it("does not come back once declined, whatever is answered later, and in a snapshot", async () => {
    const { approved, asked, list, one, answer, events } = await stage();
    await approved("git diff src/a.ts");
    const { key, text } = await one();
    for (const _ of [1, 2]) await answer(key, "decline");
    assert.deepEqual(await list(), []);
    await asked("s3", "git diff src/b.ts"); // the rule would have other words now
    assert.deepEqual(await list(), []);
    const facts = events().filter((it) => it.type === "policy:unwanted");
    assert.deepEqual(
      facts.map((it) => [it.key, it.text, it.by]),
      [[key, text, "ana"]],
    );
    const state = decodeState(encodeState(replay([...events()])));
    assert.deepEqual(state.policies.get("shop")?.unwanted, [key]);
    await approved("npm run lint");
    assert.equal((await one()).what, "npm run lint", "others are still suggested");
  });

  it("is gone when somebody refuses it, and says why it can't be written", async () => {
    const { approved, asked, list, one, answer, dir } = await stage();
    await approved("npm test");
    const file = path.join(dir, FILE);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "# of somebody else\n");
    await asked("s9", "npm run build");
    const { key, hash, problem } = await one();
    assert.match(problem ?? "", /nobody has accepted/);
    assert.equal((await answer(key, "accept", { hash })).status, 422);
    assert.equal(fs.readFileSync(file, "utf8"), "# of somebody else\n");
    await asked("s9", "npm test", "deny");
    assert.deepEqual(await list(), []);
    assert.equal((await answer(key, "accept", { hash })).status, 404);
  });

  it("is looked for once after each answer, not with each call", async () => {
    const { approved, list, asked, ports } = await stage();
    await approved("npm test");
    let reads = 0;
    const { realPaths } = ports;
    Object.assign(ports, {
      realPaths: Object.assign((paths: readonly string[]) => {
        reads++;
        return realPaths(paths);
      }, realPaths),
    });
    await Promise.all(Array.from({ length: 20 }, list));
    assert.ok(reads <= 1, `${reads} looks at the disk`);
    await list();
    assert.ok(reads <= 1, `${reads} looks at the disk`);
    await asked("s5", "npm test");
    const before = reads;
    await Promise.all(Array.from({ length: 20 }, list));
    assert.ok(reads - before <= 1, `${reads - before} looks at the disk`);
    assert.equal((await list())[0]?.answers, 6);
  });
});
