import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { fleetOf, liveAgent, runningJob } from "../../../test/fakes/fleet.ts";
import { hostileTexts, RAW } from "../../../test/fakes/hostile-texts.ts";
import { brief } from "../../../test/fakes/inbox.ts";
import type { ProjectFleet } from "../../api/api.ts";
import { uncoloured, widthOf } from "../../text/layout.ts";
import type { Key } from "../base/keys.ts";
import { colours, plain } from "../base/output.ts";
import type { DeskEffect } from "../watch/desk.ts";
import { makeDesk } from "../watch/desk.ts";

const ASKED = decision({ title: "Hung: no output and no report for 10 minutes", source: "idle" });
const HUNG = runningJob({ id: "job-hunghunghu", pending_decision: ASKED.id, status: "waiting" });
const BUSY = runningJob({ id: "job-busybusybu", name: "docs" });

/** One job hangs and asks, another one works, a third has failed. */
function fleet(text = "● Writing"): ProjectFleet {
  const owner = (job: typeof BUSY) => ({ kind: "job", id: job.id, name: job.name, step: "ship" }) as const;
  return fleetOf({
    jobs: [BUSY, HUNG],
    pending: [brief(ASKED)],
    agents: [
      liveAgent({ id: "agt-busybusybu", owner: owner(BUSY), last_line: text }),
      liveAgent({
        ...{ id: "agt-hunghunghu", owner: owner(HUNG), hung_since_ms: NOW - 780_000 },
        decision_id: ASKED.id,
      }),
    ],
    failed: [
      {
        ...{ id: "job-failfailfa", project: "shop", name: "nightly", step: "build", error: text },
        ...{ exit_code: 2, tail: text, agent_id: null, by: "ana" },
        ...{ created_at_ms: NOW - 300_000, failed_at_ms: NOW - 180_000 },
      },
    ],
  });
}

const keyOf = (name: string): Key =>
  name === "enter" || name === "escape" || name === "interrupt"
    ? { type: name }
    : { type: "text", text: name };

function terminal(size = { columns: 80, rows: 24 }, style = plain) {
  let now = NOW;
  const desk = makeDesk(() => now, style);
  const effects: DeskEffect[] = [];
  desk.put({ type: "listed", briefs: [brief(ASKED)] });
  desk.put({ type: "loaded", decision: ASKED });
  const draw = () => desk.draw({ ...size, peeked: [] });
  draw();
  return {
    desk,
    effects,
    draw,
    text: () => draw().join("\n"),
    later: (ms: number) => {
      now += ms;
    },
    press(...keys: string[]): void {
      for (const name of keys) {
        effects.push(...desk.press(keyOf(name)));
        draw();
      }
    },
    /** The fleet, opened and loaded. */
    open(...fleets: ProjectFleet[]) {
      this.press("f");
      desk.showFleet(fleets.length > 0 ? fleets : [fleet()]);
      effects.length = 0;
      draw();
      return this;
    },
  };
}

/** Every text at every size, in `npm run test:long`. Otherwise each text is shown at two sizes. */
const IS_FULL = process.env.OJ_WALK === "full";

const SIZES = [
  [30, 8],
  [40, 10],
  [50, 14],
  [80, 24],
  [120, 40],
  [200, 50],
] as const;

describe("the fleet's screen", () => {
  it("is asked for when it opens, and has what needs a person first, with the ids to type next", () => {
    const it = terminal({ columns: 120, rows: 40 });
    it.press("f");
    assert.deepEqual(it.effects, [{ type: "follow-fleet" }]);
    assert.match(it.text(), /looking…/);
    it.desk.showFleet([fleet()]);
    assert.match(
      it.text(),
      /The fleet: 1 hung, 1 failed, 1 working\n\n▶ ! {2}job-hung\w+ {2}hung +13m {2}dec-\w+ .*Hung: no output.*\n.*✗ {2}job-fail\w+ {2}failed.*\n.*… {2}job-busy\w+ {2}working.*● Writing/,
    );
    assert.match(it.text(), /p {6}Peek +oj agent peek agt-hung\w+\n +a {6}Attach +oj agent attach agt-hung/);
  });

  for (const [index, [columns, rows]] of SIZES.entries())
    it(`of ${columns}x${rows} is filled and nowhere wider, whatever an agent prints`, () => {
      const it = terminal({ columns, rows }, colours).open();
      for (const text of hostileTexts.filter((_, at) => IS_FULL || (at + index) % 3 === 0)) {
        const hostile = fleet(text);
        const jobs = hostile.jobs.map((job) => ({ ...job, name: text }));
        it.desk.showFleet([{ ...hostile, jobs }, fleetOf({ project: text, jobs: [BUSY] })]);
        for (const key of ["j", "x", "escape", "t", "w", "escape", "g"]) {
          it.desk.press(keyOf(key));
          const lines = it.draw();
          assert.equal(lines.length, rows);
          const harmful = lines.find((line) => widthOf(line) > columns || RAW.test(uncoloured(line)));
          if (harmful !== undefined) assert.fail(JSON.stringify([text, harmful]));
        }
      }
    });

  it("says what was said to an agent and waits: in its row, and whole where the focus is", () => {
    const waits_for = "the agent is working; it gets this when it stops";
    const owed = [{ decision_id: null, state: "owed", attempts: 0, waits_for, task: false } as const];
    const own = { kind: "job", id: BUSY.id, name: BUSY.name, step: "ship" } as const;
    const lines = terminal()
      .open(fleetOf({ jobs: [BUSY], agents: [liveAgent({ owner: own, owed })] }))
      .draw();
    assert.match(lines.join("\n"), /docs · ship +a message waits: /);
    assert.ok(lines.includes(`   a message waits: ${waits_for}`), lines.join("\n"));
    for (const it of lines) assert.ok(widthOf(it) <= 80, it);
  });

  it("says which size it takes, and then takes only what leads back", () => {
    const { desk } = terminal().open();
    const small = () => desk.draw({ columns: 30, rows: 8, peeked: [] }).join(" ");
    assert.match(small(), /too small to +show the fleet: 30x8/);
    for (const key of ["x", "enter", "p", "t", "j"]) assert.deepEqual(desk.press(keyOf(key)), []);
    assert.match(small(), /too small/);
    assert.deepEqual(desk.press(keyOf("escape")), [{ type: "leave-fleet" }]);
  });

  it("keeps the focus on its row when others arrive, and moves to the next when it is gone", () => {
    const it = terminal().open(fleetOf({ jobs: [BUSY] }));
    it.desk.showFleet([fleet()]);
    assert.match(it.text(), /▶ … {2}job-busy/);
    it.desk.showFleet([{ ...fleet(), jobs: [HUNG], agents: [] }]);
    assert.match(it.text(), /▶ [✗?] /);
    it.desk.showFleet([]);
    assert.match(it.text(), /nothing is running/);
    it.press("p", "a", "x", "t", "enter", "j", "k", "G");
    assert.deepEqual(it.effects, []);
  });

  it("shows as many rows as fit, with the one in focus", () => {
    const jobs = Array.from({ length: 60 }, (_, at) =>
      runningJob({ id: `job-${String(at).padStart(10, "0")}`, name: `n${at}` }),
    );
    const it = terminal().open(fleetOf({ jobs }));
    it.press("G");
    assert.match(it.text(), /↑ \d+ more[\s\S]*▶ … {2}job-0000000059/);
    it.press("g");
    assert.match(it.text(), /▶ … {2}job-0000000000[\s\S]*↓ \d+ more/);
  });
});

describe("the fleet's keys", () => {
  it("open the decision in the inbox, where no key that was pressed too often reaches it", () => {
    const it = terminal();
    it.press("1");
    it.open();
    it.press("enter", "enter", "enter");
    assert.deepEqual(it.effects, [{ type: "leave-fleet" }]);
    assert.equal(it.desk.inbox().selected, ASKED.id);
    assert.match(it.text(), /1 waiting for you[\s\S]*1 ● Ship it/);
  });

  it("open a failed job as the item of the inbox that it is", () => {
    const it = terminal();
    it.desk.put({ type: "failed", runs: fleet().failed });
    it.open().press("j", "enter");
    assert.equal(it.desk.inbox().selected, "job-failfailfa");
  });

  it("say so if what it asked is settled", () => {
    const it = terminal().open();
    it.desk.put({ type: "listed", briefs: [] });
    it.press("enter");
    assert.match(it.text(), /The fleet[\s\S]*dec-\w+ no longer waits for you/);
  });

  it("look into the agent's terminal, and come back to the fleet", () => {
    const it = terminal().open();
    it.press("p");
    assert.deepEqual(it.desk.inbox().mode, { type: "peek", agent_id: "agt-hunghunghu" });
    assert.match(it.text(), /agt-hunghunghu: its terminal, live/);
    it.press("y", "escape");
    assert.match(it.text(), /The fleet/);
    assert.deepEqual(it.effects, []);
  });

  it("cancel after asking, what was asked about and nothing else", () => {
    const it = terminal().open();
    it.press("x");
    assert.match(
      it.text(),
      /Cancel job-hunghunghu\?[\s\S]*release\/1\.0 · ship[\s\S]*Enter cancel it {2}Esc no/,
    );
    it.press("j", "x", "y", "q", "escape");
    assert.match(it.text(), /The fleet/);
    it.press("x");
    it.desk.showFleet([fleetOf({ jobs: [BUSY] })]);
    it.press("enter");
    assert.deepEqual(it.effects, [{ type: "fleet", request: { type: "cancel", run_id: "job-hunghunghu" } }]);
  });

  it("send words to the agent, but not none", () => {
    const it = terminal().open();
    it.press("t", "enter", "t", "g", "o", " ", "q");
    assert.match(it.text(), /to agt-hunghunghu: go q▏/);
    it.effects.push(...it.desk.press({ type: "paste", text: "!" }));
    it.press("enter");
    const request = { type: "send", agent_id: "agt-hunghunghu", text: "go q!" };
    assert.deepEqual(it.effects, [{ type: "fleet", request }]);
  });

  it("attach, and lead back", () => {
    const it = terminal().open();
    it.press("a", "f", "f", "q", "f", "escape");
    assert.deepEqual(
      it.effects.map((one) => one.type),
      ["fleet", "leave-fleet", "follow-fleet", "leave-fleet", "follow-fleet", "leave-fleet"],
    );
    it.press("f", "interrupt");
    assert.equal(it.effects.at(-1)?.type, "quit");
  });

  it("say what is not possible, until the next move", () => {
    const it = terminal().open();
    it.press("j", "x");
    assert.match(it.text(), /it has failed already; Enter opens it/);
    it.press("p");
    assert.match(it.text(), /it has no terminal of ours/);
    it.later(1);
    it.press("j");
    assert.doesNotMatch(it.text(), /of ours/);
    it.press("enter");
    assert.match(it.text(), /it asks nothing/);
  });

  it("never answer anything", () => {
    const keys = fc.array(
      fc.constantFrom(..."123456789jkgGpatxdurmM!eEso/? f".split(""), "enter", "escape"),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(keys, (all) => {
        const it = terminal().open();
        for (const key of all) {
          const isInFleet = /The fleet|Cancel job-|its terminal, live/.test(it.text());
          it.press(key);
          if (!isInFleet) return;
          for (const { type } of it.effects)
            assert.ok(["fleet", "follow-fleet", "leave-fleet", "load"].includes(type), `${key}: ${type}`);
        }
      }),
      { numRuns: IS_FULL ? 300 : 100 },
    );
  });
});
