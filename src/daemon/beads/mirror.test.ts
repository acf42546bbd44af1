import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { tempFolder } from "../../../test/contracts/temp.ts";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { noSecrets } from "../../../test/fakes/no-secrets.ts";
import type { FakePorts } from "../../../test/fakes/ports.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { BeadsTrouble } from "../../beads-port.ts";
import { cancelDecision } from "../../core/decision/decision.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { emptyState, replay } from "../../core/model/state/state.ts";
import { requestDecision } from "../../core/request/request.ts";
import { startChores } from "../engine/chores.ts";
import { startEngine } from "../engine/engine.ts";
import { performer } from "../engine/perform.ts";
import { startMirroring } from "./mirror.ts";

const ON = "[beads]\nmirror = true\n";

async function project(settings = ON): Promise<string> {
  const root = path.join(await tempFolder(), "shop");
  fs.mkdirSync(path.join(root, ".oj"), { recursive: true });
  fs.mkdirSync(path.join(root, ".beads"));
  fs.writeFileSync(path.join(root, ".oj/config.toml"), settings);
  return root;
}

/** A daemon's engine, chores and mirror; with `before`, the next one over the same log and the same beads. */
async function daemon(root: string, before?: FakePorts) {
  const ports = fakePorts(before && { log: before.log, beads: before.beads, clock: before.clock });
  const engine = startEngine(ports, replay(ports.log.committed(), emptyState()));
  const mirroring = startMirroring(engine, ports, {
    env: { HOME: path.dirname(root) },
    machine: null,
    hider: noSecrets,
  });
  const never = async () => {};
  const { perform } = performer(ports, {}, never, async () => null, never, mirroring.perform);
  const chores = startChores(engine, ports, perform);
  await mirroring.lookAgain();
  await chores.begin();
  let asked = 0;
  return {
    ports,
    engine,
    mirroring,
    issues: ports.beads.store.issues,
    async ask(more: Parameters<typeof requestInput>[0] = {}): Promise<DecisionId> {
      const home = await mirroring.look(root);
      const place = { root, mirrored: home?.isOn ?? false };
      const requester = asker(`bot ${++asked} of ${ports.log.committed().length}`);
      const [fact] = await engine.run((state, moment) =>
        requestDecision(state, requestInput({ requester, ...place, ...more }), moment),
      );
      return (fact as { id: DecisionId }).id;
    },
    answer: (id: DecisionId) =>
      engine.run((state, moment) =>
        resolveDecision(
          state,
          { id, choices: [[2]], text: null, message: "it is small", by: "ana", via: "cli" },
          moment,
        ),
      ),
    stop() {
      mirroring.stop();
      return chores.stop();
    },
  };
}

const done = () => settled(300);

describe("the mirror", () => {
  it("makes a bead for each decision and closes it with the answer", async () => {
    const { ask, answer, issues, ports } = await daemon(await project());
    const id = await ask({ prompt: "Which database?", urgency: "high" });
    await done();
    const bead = issues[`shop-${id}`];
    assert.deepEqual([bead?.title, bead?.issue_type, bead?.priority], ["Which database?", "decision", 1]);
    assert.deepEqual(bead?.labels, ["gt:decision", "decision:pending", "urgency:high"]);
    assert.equal(bead?.external_ref, id);
    await answer(id);
    await done();
    assert.equal(bead?.status, "closed");
    assert.equal(bead?.close_reason, "resolved: option 2, SQLite by ana (cli)\n\nit is small");
    assert.ok(bead?.labels.includes("decision:resolved") && !bead.labels.includes("decision:pending"));
    assert.equal(ports.log.committed().filter((it) => it.type === "decision:mirrored").length, 2);
  });

  it("leaves projects alone that don't ask for it", async () => {
    const { ask, issues, ports } = await daemon(await project(""));
    await ask();
    await done();
    assert.deepEqual([Object.keys(issues), ports.beads.calls], [[], []]);
  });

  it("follows the settings when they change", async () => {
    const root = await project("");
    const { ask, issues, mirroring } = await daemon(root);
    const first = await ask();
    fs.writeFileSync(path.join(root, ".oj/config.toml"), ON);
    const second = await ask();
    await done();
    assert.deepEqual(Object.keys(issues), [`shop-${first}`, `shop-${second}`]);
    fs.writeFileSync(path.join(root, ".oj/config.toml"), "");
    await mirroring.lookAgain();
    await ask();
    await done();
    assert.equal(Object.keys(issues).length, 2);
    fs.writeFileSync(path.join(root, ".oj/config.toml"), "[beads\n");
    assert.equal(await mirroring.look(root), null);
  });

  for (const kind of ["absent", "old", "no-database", "locked", "failing"] as const)
    it(`says that bd is ${kind}, tries again later each time, and catches up`, async () => {
      const { ask, answer, issues, mirroring, ports } = await daemon(await project());
      ports.beads.trouble = new BeadsTrouble(kind, "no luck");
      const [first, second] = [await ask(), await ask()];
      await answer(first);
      await done();
      const [state] = await mirroring.states();
      assert.deepEqual([state?.state, state?.trouble, state?.owed], [kind, "no luck", 2]);
      const tries = () => ports.journal.lines.filter((it) => /can't be mirrored/.test(it.message)).length;
      for (const pause of [1000, 2000, 4000, 8000]) {
        const before = tries();
        ports.clock.pass(pause - 1);
        await done();
        assert.equal(tries(), before, `not before ${pause} ms`);
        ports.clock.pass(1);
        await done();
        assert.equal(tries(), before + 1);
      }
      assert.equal(ports.log.committed().filter((it) => it.type === "effect:failed").length, 0);
      ports.beads.trouble = null;
      ports.clock.pass(300_000);
      await done();
      assert.equal(issues[`shop-${first}`]?.status, "closed");
      assert.equal(issues[`shop-${second}`]?.status, "blocked");
      assert.deepEqual(
        (await mirroring.states()).map((it) => [it.state, it.owed]),
        [["ok", 0]],
      );
    });

  it("has no folder .beads to write to, says so, and makes none", async () => {
    const root = await project();
    fs.rmSync(path.join(root, ".beads"), { recursive: true });
    const { ask, mirroring, ports } = await daemon(root);
    await ask();
    await done();
    assert.deepEqual(
      (await mirroring.states()).map((it) => it.state),
      ["no-database"],
    );
    assert.deepEqual(ports.beads.calls, []);
  });

  it("does the others while bd refuses one", async () => {
    const { ask, issues, mirroring, ports } = await daemon(await project());
    ports.beads.before = (name) => {
      if (name === "create" && Object.keys(issues).length === 0 && refusals-- > 0)
        throw new BeadsTrouble("refused", "bd create: not like this");
    };
    let refusals = 2;
    const [first, second] = [await ask(), await ask()];
    await done();
    const failed = ports.log.committed().filter((it) => it.type === "effect:failed");
    assert.deepEqual(
      failed.map((it) => it.error),
      Array(failed.length).fill("bd create: not like this"),
    );
    for (let n = 0; n < 5; n++) {
      ports.clock.pass(10_000);
      await done();
    }
    assert.deepEqual(Object.keys(issues).sort(), [`shop-${first}`, `shop-${second}`].sort());
    assert.equal((await mirroring.states())[0]?.owed, 0);
  });

  it("ends right when the daemon was killed between bd and the record", async () => {
    const root = await project();
    for (let cut = 1; cut <= 12; cut++) {
      let left = cut;
      const first = await daemon(root);
      let id: DecisionId | null = null;
      first.ports.beads.after = () => {
        if (--left === 0) first.ports.beads.trouble = new BeadsTrouble("locked", "killed"); // no more of this daemon
      };
      id = await first.ask();
      await done();
      await first.answer(id);
      await done();
      await first.stop();
      first.ports.beads.trouble = null;
      first.ports.beads.after = () => {};
      const next = await daemon(root, first.ports);
      await done();
      assert.equal(next.issues[`shop-${id}`]?.status, "closed", `cut after call ${cut}`);
      assert.deepEqual(
        next.issues[`shop-${id}`]?.labels.filter((it) => it.startsWith("decision:")),
        ["decision:resolved"],
      );
      assert.equal((await next.mirroring.states())[0]?.owed, 0);
      await next.stop();
    }
  });

  it("makes what replaces a decision before that one gives way, with the work that waits", async () => {
    const { engine, issues, ports, mirroring } = await daemon(await project());
    const root = (await project()) as string;
    await mirroring.look(root);
    const at = { dir: "", abort: new AbortController().signal };
    const work = { title: "work", body: "", priority: 2, labels: [], external_ref: "", metadata: {} };
    for (const id of ["shop-7", "shop-9"]) await ports.beads.create(at, { ...work, id });
    ports.beads.trouble = new BeadsTrouble("locked", "not yet");
    const request = (more: object) =>
      engine.run((state, moment) =>
        requestDecision(state, requestInput({ root, mirrored: true, ...more }), moment),
      );
    const [first] = await request({ blocks: ["shop-7"], parent: "shop-9" });
    const [second] = await request({});
    await done();
    ports.beads.trouble = null;
    ports.clock.pass(10_000);
    await done();
    const [old, next] = [first, second].map((it) => `shop-${(it as { id: string }).id}`) as [string, string];
    assert.ok(issues[old]?.labels.includes("decision:superseded"));
    assert.deepEqual(issues[old]?.dependencies, [
      { type: "parent-child", id: "shop-9" },
      { type: "supersedes", id: next },
    ]);
    const waits = issues["shop-7"]?.dependencies.map((it) => it.id).sort();
    assert.deepEqual(waits, [old, next].sort());
    assert.equal(issues[next]?.status, "blocked");
  });

  it("compares everything when asked to, and repairs what somebody changed", async () => {
    const root = await project();
    const { ask, answer, issues, mirroring, engine, ports } = await daemon(root);
    const ids = [await ask(), await ask(), await ask()] as const;
    await answer(ids[0]);
    await engine.run((state, moment) =>
      cancelDecision(state, { id: ids[1], by: "bot", reason: "no" }, moment),
    );
    await done();
    const before = structuredClone(issues);
    delete issues[`shop-${ids[0]}`];
    delete issues[`shop-${ids[2]}`];
    Object.assign(issues[`shop-${ids[1]}`] ?? {}, { status: "open", labels: [] });
    const { checked, beads } = await mirroring.sync(root);
    assert.deepEqual([checked, beads.owed, beads.state], [3, 0, "ok"]);
    const plain = (all: typeof before) =>
      Object.values(all)
        .map((it) => [it.id, it.status, it.close_reason, [...it.labels].sort()])
        .sort();
    assert.deepEqual(plain(issues), plain(before));
    ports.beads.trouble = new BeadsTrouble("absent", "bd is gone");
    const stuck = await mirroring.sync(root);
    assert.deepEqual([stuck.checked, stuck.beads.owed, stuck.beads.trouble], [3, 3, "bd is gone"]);
  });

  it("tries at once what bd refused, when asked to compare", async () => {
    const root = await project();
    const { ask, issues, mirroring, ports } = await daemon(root);
    ports.beads.before = (name) => {
      if (name === "create") throw new BeadsTrouble("refused", "bd create: not like this");
    };
    const id = await ask();
    await done();
    const stuck = await mirroring.sync(root);
    assert.deepEqual([stuck.checked, stuck.beads.owed], [1, 1]);
    ports.beads.before = () => {};
    const { beads } = await mirroring.sync(root);
    assert.deepEqual([beads.owed, Object.keys(issues)], [0, [`shop-${id}`]]);
  });

  it("uses nothing while nothing is owed", async () => {
    const { ask, ports } = await daemon(await project());
    await ask();
    await done();
    const calls = ports.beads.calls.length;
    ports.clock.pass(86_400_000);
    await done();
    assert.equal(ports.beads.calls.length, calls);
  });
});
