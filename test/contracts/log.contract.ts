/** What every `Log` guarantees, whatever it writes to. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "vitest";
import type { Event } from "../../src/core/model/events.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { decodeState, encodeState } from "../../src/core/model/state/state-text.ts";
import { auditView } from "../../src/daemon/views/audit-view.ts";
import type { Log } from "../../src/ports.ts";
import { Behind } from "../../src/ports.ts";
import { writeLog } from "../fakes/write-log.ts";
import { asked, askedRange, resolved, stateOf, withdrawn } from "./log-support.ts";

export interface LogUnderTest {
  log: Log;
  /** Closes the log and returns the one that the next start would use, not opened yet. */
  restart(): Promise<Log>;
}

export function logContract(name: string, make: () => Promise<LogUnderTest>): void {
  describe(`${name} as a log`, () => {
    let log: Log;
    let restart: () => Promise<Log>;

    beforeEach(async () => {
      const made = await make();
      log = made.log;
      restart = async () => {
        log = await made.restart();
        return log;
      };
    });
    afterEach(() => log.close());

    it("is empty at first", async () => {
      const { machine: _, ...opened } = await log.open();
      assert.deepEqual(opened, { snapshot: null, tip: 0, first: 1, damage: null, skipped: [] });
      assert.deepEqual(await log.read(0, 10), []);
    });

    it("returns what was appended, also after a restart", async () => {
      await log.open();
      await writeLog(log, [asked(1), asked(2)]);
      await writeLog(log, [withdrawn(3, "dec-1")]);
      const events = [asked(1), asked(2), withdrawn(3, "dec-1")];
      assert.deepEqual(await log.read(0, 10), events);
      const { machine: _, ...opened } = await (await restart()).open();
      assert.deepEqual(opened, { snapshot: null, tip: 3, first: 1, damage: null, skipped: [] });
      assert.deepEqual(await log.read(0, 10), events);
    });

    it("reads on from any event, as many as asked for", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 1700));
      assert.deepEqual(await log.read(0, 1), [asked(1)]);
      assert.deepEqual(await log.read(3, 2), [asked(4), asked(5)]);
      assert.deepEqual(await log.read(100, 1234), askedRange(101, 1334));
      assert.deepEqual(await log.read(0, 5000), askedRange(1, 1700));
      assert.deepEqual(await log.read(1699, 10), [asked(1700)]);
      assert.deepEqual(await log.read(1700, 10), []);
      assert.deepEqual(await log.read(9999, 10), []);
    });

    it("finds the events that name an id, slice by slice", async () => {
      await log.open();
      await writeLog(log, [...askedRange(1, 1500), withdrawn(1501, "dec-700")]);
      const id = "dec-700";
      assert.deepEqual(await log.find(0, 600, [id]), { events: [], last: 600 });
      assert.deepEqual(await log.find(600, 600, [id]), { events: [asked(700)], last: 1200 });
      assert.deepEqual(await log.find(1200, 600, [id]), { events: [withdrawn(1501, "dec-700")], last: null });
      assert.deepEqual(await log.find(0, 5000, [id.slice(1)]), { events: [], last: null });
      assert.deepEqual(await log.find(9999, 10, [id]), { events: [], last: null });
    });

    it("keeps any text unchanged", async () => {
      await log.open();
      const texts = ["\0\n\r\t'\"\\ ", "ünï→😀\u2028\u202e", "\ud800 lone", "x".repeat(300_000)];
      const events = texts.map((text, i) => asked(i + 1, `dec-${i}`, text));
      await writeLog(log, events);
      await (await restart()).open();
      assert.deepEqual(await log.read(0, 10), events);
    });

    it("keeps an answer by a door that only a newer oj knows, in the events and in what follows from them", async () => {
      await log.open();
      const events = [asked(1), resolved(2, "dec-1", "pigeon")];
      await writeLog(log, events);
      await (await restart()).open();
      const read = await log.read(0, 10);
      assert.deepEqual(read, events);
      const state = decodeState(encodeState(replay(read)));
      const decision = state.decisions.get("dec-1") ?? assert.fail();
      assert.equal(decision.answer?.via, "pigeon");
      assert.equal(auditView(decision, read).via, "pigeon");
      assert.equal(state.decisions.gist("dec-1")?.via, "pigeon");
    });

    it("writes nothing if there are no events", async () => {
      await log.open();
      await log.turn(0, () => []);
      assert.deepEqual(await log.read(0, 10), []);
    });

    it("hands over what the caller has not seen, and then writes", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 3));
      const handed: Event[] = [];
      await log.turn(1, (news) => {
        handed.push(...news);
        return [withdrawn(4, "dec-3")];
      });
      assert.deepEqual(handed, [asked(2), asked(3)]);
      assert.deepEqual(await log.read(3, 10), [withdrawn(4, "dec-3")]);
    });

    it("hands it over even if nothing is written then", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 3));
      let handed: readonly Event[] = [];
      await log.turn(2, (news) => {
        handed = news;
        return [];
      });
      assert.deepEqual(handed, [asked(3)]);
      assert.deepEqual(await log.read(0, 10), askedRange(1, 3));
    });

    it("passes on what the decision throws, writes nothing then, and goes on", async () => {
      await log.open();
      const bug = new TypeError("a bug");
      const doomed = log.turn(0, () => {
        throw bug;
      });
      await assert.rejects(doomed, (error) => error === bug);
      await writeLog(log, [asked(1)]);
      assert.deepEqual(await log.read(0, 10), [asked(1)]);
    });

    it("refuses events that don't follow the last one", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 2));
      await assert.rejects(
        log.turn(2, () => [asked(2, "dec-x")]),
        /event 2 was decided, but 3 is the next/,
      );
      await assert.rejects(
        log.turn(2, () => [asked(4, "dec-x")]),
        /event 4 was decided/,
      );
      await assert.rejects(
        log.turn(2, () => [asked(3), asked(5, "dec-x")]),
        /event 5 was decided/,
      );
      assert.deepEqual(await log.read(0, 10), askedRange(1, 2));
      await writeLog(log, [asked(3)]);
    });

    it("lets many callers decide at once, each on what those before it wrote", async () => {
      await log.open();
      const turns = Array.from({ length: 200 }, () => {
        let seen = 0;
        return log.turn(0, (news) => {
          seen = news.at(-1)?.seq ?? seen;
          return [asked(seen + 1)];
        });
      });
      await Promise.all(turns);
      assert.deepEqual(await log.read(0, 1000), askedRange(1, 200));
    });

    it("returns the state of a snapshot, byte for byte that of a replay", async () => {
      await log.open();
      await writeLog(log, [...askedRange(1, 50), withdrawn(51, "dec-7")]);
      await log.snapshot(40);
      await log.snapshot(45);
      const opened = await (await restart()).open();
      assert.equal(opened.snapshot?.seq, 45);
      assert.equal(opened.snapshot?.state, encodeState(replay(askedRange(1, 45))));
      assert.equal(opened.tip, 51);
      assert.equal(
        await stateOf(log, opened),
        encodeState(replay([...askedRange(1, 50), withdrawn(51, "dec-7")])),
      );
    });

    it("makes a snapshot of the last event if asked for a later one", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 3));
      await log.snapshot(99);
      assert.equal((await (await restart()).open()).snapshot?.seq, 3);
    });

    it("makes snapshots while events are appended", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 20));
      await Promise.all([
        log.snapshot(10),
        ...askedRange(21, 60).map((event) => writeLog(log, [event])),
        log.snapshot(15),
      ]);
      const opened = await (await restart()).open();
      assert.equal(opened.snapshot?.seq, 15);
      assert.equal(await stateOf(log, opened), encodeState(replay(askedRange(1, 60))));
    });

    it("forgets events only as far as a snapshot covers them", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 30));
      assert.equal(await log.compact(30), 0);
      await log.snapshot(20);
      assert.equal(await log.compact(5), 5);
      assert.equal(await log.compact(30), 15);
      assert.equal(await log.compact(30), 0);
      assert.deepEqual(await log.read(0, 100), askedRange(21, 30));
      const opened = await (await restart()).open();
      assert.deepEqual(
        { ...opened, snapshot: null },
        { snapshot: null, tip: 30, first: 21, damage: null, skipped: [], machine: opened.machine },
      );
      assert.equal(await stateOf(log, opened), encodeState(replay(askedRange(1, 30))));
    });

    it("continues where it was even if every event has been forgotten", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 3));
      await log.snapshot(3);
      assert.equal(await log.compact(3), 3);
      const opened = await (await restart()).open();
      assert.deepEqual([opened.first, opened.tip], [4, 3]);
      await writeLog(log, [asked(4)]);
      await log.snapshot(4);
      const again = await (await restart()).open();
      assert.equal(again.snapshot?.state, encodeState(replay(askedRange(1, 4))));
    });

    it("says that a caller is behind who has not seen what was forgotten", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 3));
      await log.snapshot(3);
      await log.compact(3);
      await assert.rejects(
        log.turn(1, () => [asked(4)]),
        Behind,
      );
      await writeLog(log, [asked(4)]);
    });

    it("can be opened again while it is open", async () => {
      await log.open();
      await writeLog(log, askedRange(1, 3));
      assert.equal((await log.open()).tip, 3);
      await writeLog(log, [asked(4)]);
      assert.deepEqual(await log.read(3, 10), [asked(4)]);
    });
  });
}
