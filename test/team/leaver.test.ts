/** Somebody who left, with two machines: what is said at one shuts the doors of the other within a second. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { DOORS, doorsAt } from "../specs/support/leaver.ts";
import type { Project } from "../specs/support/project.ts";
import { personWith } from "../specs/support/served.ts";
import { kill, machine, pidOf, sharedServer, timed, up, whyNot, within } from "./support.ts";

const server = sharedServer();
const open = (all: Record<string, boolean>) => Object.keys(all).filter((it) => all[it]);

function settings({ home }: Project): void {
  fs.mkdirSync(path.join(home, ".config/oj"), { recursive: true });
  fs.writeFileSync(path.join(home, ".config/oj/config.toml"), DOORS);
}

describe.skipIf(whyNot !== null)("a person who is removed", () => {
  it("is shut out at every door of every machine, with what they have open there, also after it was killed", async () => {
    const url = await server().database();
    const [a, b] = [await machine(url, "a", {}, settings), await machine(url, "b", {}, settings)];
    const { token } = await personWith(a, "ana", ["approver"], "answer");
    await b.until(
      async () => (await b.json<{ tokens: number }[]>("person"))[0]?.tokens === 1,
      "the person on the other machine",
    );
    const walks = [await doorsAt(a, "ana", token), await doorsAt(b, "ana", token)];
    for (const it of walks) {
      const doors = await it.doors();
      assert.deepEqual(open(doors), Object.keys(doors));
    }
    const streams = (await Promise.all(walks.map((it) => it.streams()))).flat();
    await a.json("person", "remove", "ana");
    const took: number[] = [];
    const last = await timed(took, () => Promise.all(streams.map((it) => it.ended)));
    assert.deepEqual(last, Array(6).fill("login.required"));
    within(1000, took, "open streams on both machines end");
    for (const it of walks) assert.deepEqual(open(await it.doors()), []);
    for (const it of [a, b]) {
      await kill(it, await pidOf(it));
      await up(it);
    }
    for (const it of walks) assert.deepEqual(open(await it.doors()), []);
    assert.equal(server().sql(url, "SELECT min_reader, min_writer FROM meta"), "6|6");
  });
});
