import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Process } from "./tree.ts";
import { groupsOf } from "./tree.ts";

const daemon: Process = { pid: 10, parent: 1, group: 10, session: 10 };
const leader: Process = { pid: 100, parent: 50, group: 100, session: 100 };

describe("the process tree of a program", () => {
  it("includes the groups of its session, of its descendants, and of the sessions they opened", () => {
    const all: Process[] = [
      daemon,
      leader,
      { pid: 101, parent: 100, group: 101, session: 100 },
      { pid: 102, parent: 1, group: 102, session: 100 }, // its parent is gone
      { pid: 103, parent: 101, group: 103, session: 103 }, // opened a session
      { pid: 104, parent: 1, group: 104, session: 103 }, // and left a child in it
      { pid: 200, parent: 1, group: 200, session: 200 }, // a stranger
    ];
    const terminals = new Set([100]);
    assert.deepEqual(
      groupsOf(all, terminals, 10).sort((a, b) => a - b),
      [100, 101, 102, 103, 104],
    );
    assert.deepEqual([...terminals], [100, 103]);
  });

  it("excludes a daemon that it started, and whatever that daemon started", () => {
    const all: Process[] = [
      leader,
      { pid: 101, parent: 100, group: 100, session: 100 }, // the CLI that waits
      { pid: 10, parent: 101, group: 10, session: 10 }, // the daemon
      { pid: 11, parent: 10, group: 10, session: 10 },
      { pid: 12, parent: 10, group: 12, session: 12 }, // a step that the daemon runs
    ];
    assert.deepEqual(groupsOf(all, new Set([100]), 10), [100]);
  });

  it("is empty if nothing of it runs", () => {
    assert.deepEqual(groupsOf([daemon], new Set([100]), 10), []);
  });
});
