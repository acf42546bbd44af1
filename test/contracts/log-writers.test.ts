/** A log that a newer oj has written something into which an older one would not heed: the older one is kept out. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { refuseNewer } from "../../src/adapters/sqlite/database.ts";
import type { Via } from "../../src/core/model/decision-types.ts";
import { VIAS } from "../../src/core/model/decision-types.ts";
import type { Event } from "../../src/core/model/events.ts";
import { textKnows, writerKnows } from "../../src/core/rights/writers.ts";
import { writeLog } from "../fakes/write-log.ts";
import { asked, copyOf, placeAt, resolved, tempDir, threadedLog } from "./log-support.ts";

const OLDER = 2;
const ruled = (seq: number): Event => ({ ...asked(seq), rule: { min: 2 } }) as Event;
const rotated = (seq: number): Event => ({
  ...{ seq, at_ms: 1, type: "person:rotated", id: "ana", project: "" },
  ...{ token: "t1", replaced_by: "t2", expires_at_ms: 2, by: "root" },
});

const passkey = { id: "c1", label: "phone", key: "k", alg: -7, rp_id: "localhost", counter: 0 } as const;
const keyed = (seq: number): Event => ({
  ...{ seq, at_ms: 1, type: "person:keyed", id: "ana", project: "", passkey, by: "root" },
});
const approved = (seq: number): Event => ({
  ...{ seq, at_ms: 1, type: "person:trusted", id: "ana", project: "", token: "t2", sha256: "h" },
  ...{ scopes: ["read"], expires_at_ms: 2, parent: "t1", by: "ana" },
});

const removed = (seq: number): Event => ({
  ...{ seq, at_ms: 1, type: "person:removed", id: "ana", project: "", by: "root" },
  ended: { roles: [], tokens: [], passkeys: [], services: [] },
});

for (const [name, event, format = 3] of [
  ["a rule", ruled(2)],
  ["a rotated token", rotated(2)],
  ["a passkey", keyed(2)],
  ["a token that rests on another", approved(2)],
  ["somebody who left", removed(2), 5],
] as const)
  it(`an older oj is refused from the first event with ${name}, even if whoever wrote it was killed`, async () => {
    const dir = tempDir();
    const log = await threadedLog(dir);
    await log.open();
    await writeLog(log, [asked(1)]);
    refuseNewer(await placeAt(copyOf(dir)), OLDER); // does nothing
    await writeLog(log, [event]);
    const killed = copyOf(dir); // the files as they are, with nothing closed
    await log.close();
    for (const it of [killed, copyOf(dir)]) {
      const place = await placeAt(it);
      const message = new RegExp(`log format ${format}`);
      assert.throws(() => refuseNewer(place, OLDER), { code: "store.newer", message });
      assert.throws(() => refuseNewer(place, format - 1), { code: "store.newer", message });
      const again = await threadedLog(it);
      assert.equal((await again.open()).tip, 2);
      await writeLog(again, [asked(3)]);
      await again.close();
    }
    assert.ok(fs.existsSync(path.join(dir, "events.db")));
  });

/** Whether a person gave the answer; a new door has to be put on one side or the other. */
const BY_PERSON: Readonly<Record<Via, boolean>> = {
  ...{ cli: true, tui: true, web: true, slack: true, mail: true, push: true, ntfy: true, telegram: true },
  ...{ api: true, hook: true, terminal: true, ssh: true, proxy: true, tailscale: true },
  ...{ policy: false, escalation: false },
};
/** These were there before anybody had to be kept out. */
const FROM_THE_FIRST: readonly Via[] = ["policy", "escalation"];

it("an older oj that would take an answer for a person's is kept out; one that only can't name the door is not", () => {
  for (const via of VIAS) {
    const isNews = !BY_PERSON[via] && !FROM_THE_FIRST.includes(via);
    assert.equal(writerKnows(resolved(1, "dec-1", via)) > 0, isNews, via);
  }
  assert.equal(writerKnows(resolved(1, "dec-1", "the next one")), 0);
});

it("what is told from the text is never less than what is told from the event", () => {
  for (const event of [ruled(1), rotated(1), keyed(1), approved(1), removed(1), asked(1)])
    assert.equal(textKnows(JSON.stringify(event)), writerKnows(event), event.type);
});
