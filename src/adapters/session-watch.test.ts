import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import type { AgentId } from "../core/ids.ts";
import type { SessionExit } from "../daemon/ports.ts";
import type { SessionOutput } from "./session-output.ts";
import { sessionWatch } from "./session-watch.ts";
import type { Pane, Panes } from "./tmux-panes.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const paneOf = (agent_id: AgentId, exit: SessionExit | null = null): Pane => ({
  agent_id,
  pane: "%1",
  server: "1",
  pid: 2,
  exit,
  unnoticed: false,
});
const panesOf = (...panes: Pane[]): Panes => new Map(panes.map((it) => [it.agent_id, it]));

function watchOf() {
  const prints = new Map<AgentId, () => void>();
  const counted = { looks: 0 };
  const output = {
    watch(agent_id: AgentId, printed: () => void) {
      prints.set(agent_id, printed);
      return () => prints.delete(agent_id);
    },
  } as Partial<SessionOutput> as SessionOutput;
  const journal = { debug() {}, info() {}, warn() {}, error() {} };
  const lookAgain = () => void counted.looks++;
  const watch = sessionWatch({ output, killAfterMs: 0, journal, lookAgain });
  return { watch, counted, print: (id: AgentId) => prints.get(id)?.() };
}

describe("terminals are looked at again", () => {
  it("when a program has fallen silent, and never while nothing happens", () => {
    const { watch, counted, print } = watchOf();
    watch.onLook(panesOf(paneOf("agt-1"), paneOf("agt-2")), []);
    vi.advanceTimersByTime(1000);
    assert.equal(counted.looks, 2);
    for (let n = 0; n < 10; n++) {
      print("agt-1");
      vi.advanceTimersByTime(900);
    }
    assert.equal(counted.looks, 2);
    vi.advanceTimersByTime(100);
    assert.equal(counted.looks, 3);
    assert.equal(vi.getTimerCount(), 0);
  });

  it("after an exit, once for all that ended meanwhile", () => {
    const { watch, counted } = watchOf();
    watch.onLook(panesOf(paneOf("agt-1"), paneOf("agt-2")), []);
    vi.advanceTimersByTime(1000);
    const exit = { code: 0, signal: null };
    const end = (id: AgentId) => [{ was: paneOf(id), exit }];
    watch.onLook(panesOf(paneOf("agt-1", exit), paneOf("agt-2")), end("agt-1"));
    vi.advanceTimersByTime(100);
    watch.onLook(panesOf(paneOf("agt-1", exit), paneOf("agt-2", exit)), end("agt-2"));
    vi.advanceTimersByTime(499);
    assert.equal(counted.looks, 2);
    vi.advanceTimersByTime(1);
    assert.equal(counted.looks, 3);
    assert.equal(vi.getTimerCount(), 0);
  });

  it("not for those that are gone, and not after the end", async () => {
    const { watch, counted } = watchOf();
    const exit = { code: 0, signal: null };
    watch.onLook(panesOf(paneOf("agt-1"), paneOf("agt-2")), []);
    watch.onLook(panesOf(paneOf("agt-2")), [{ was: paneOf("agt-1"), exit }]);
    await watch.close();
    assert.equal(vi.getTimerCount(), 0);
    assert.equal(counted.looks, 0);
  });
});
