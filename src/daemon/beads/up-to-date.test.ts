import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { FakeBeads } from "../../../test/fakes/fake-beads.ts";
import { fakeBeads } from "../../../test/fakes/fake-beads.ts";
import { BeadsTrouble } from "../../beads-port.ts";
import type { WantedBead } from "../../core/mirror/bead.ts";
import type { DecisionState } from "../../core/model/decision-types.ts";
import { bringUpToDate } from "./up-to-date.ts";

const at = { dir: "/repo/.beads", abort: new AbortController().signal };
const trackerOf = (beads: FakeBeads) => ({ beads, at, prefix: "shop" });
const ID = "shop-dec-a";

function wanted(state: DecisionState, more: Partial<WantedBead> = {}): WantedBead {
  return {
    decision_id: "dec-a",
    state,
    labels: ["gt:decision", `decision:${state}`, "urgency:high"],
    reason: state === "pending" ? null : `${state}: because`,
    made: { title: "Ship?", body: "…", priority: 1 },
    blocks: [],
    parent: null,
    superseded_by: null,
    ...more,
  };
}

/** Work, an epic and a later decision, which the links go to. */
async function withWork(): Promise<FakeBeads> {
  const beads = fakeBeads();
  for (const id of ["shop-work", "shop-epic", "shop-dec-b"])
    await beads.create(at, {
      id,
      title: id,
      body: "",
      priority: 2,
      labels: [],
      external_ref: "",
      metadata: {},
    });
  beads.calls.length = 0;
  return beads;
}

/** Labels have no order. */
const inOrder = ({ store }: FakeBeads) =>
  Object.values(store.issues)
    .map((it) => ({ ...it, labels: [...it.labels].sort() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

const links = { blocks: ["shop-work", "shop-none"], parent: "shop-epic" };

/** How a bead may have been left, and how it has to be. */
const WAYS: readonly (readonly WantedBead[])[] = [
  [wanted("pending", links)],
  [wanted("resolved", links)],
  [wanted("pending", links), wanted("resolved", links)],
  [wanted("pending", links), wanted("dismissed", links)],
  [wanted("pending", links), wanted("expired", links)],
  [wanted("pending", links), wanted("withdrawn", links)],
  [wanted("pending", links), wanted("superseded", { ...links, superseded_by: "dec-b" })],
  [wanted("resolved"), wanted("pending")],
  [wanted("resolved"), wanted("resolved", { reason: "resolved: another answer" })],
  [wanted("pending", { blocks: ["shop-work"], parent: "shop-work" })],
  [wanted("pending"), wanted("withdrawn", { made: null })],
  [wanted("withdrawn", { made: null })],
];

describe("a bead", () => {
  for (const way of WAYS) {
    const name = way.map((it) => it.state).join(", then ");
    it(`ends the same wherever it was cut off: ${name}${way[0]?.made ? "" : ", deleted"}`, async () => {
      const whole = await withWork();
      for (const it of way) await bringUpToDate(trackerOf(whole), it);
      const last = way.at(-1) as WantedBead;
      for (let cut = 1; cut <= whole.calls.length; cut++)
        for (const when of ["before", "after"] as const) {
          const beads = await withWork();
          let left = cut;
          beads[when] = () => {
            if (--left === 0) throw new BeadsTrouble("locked", "killed");
          };
          for (const it of way) await bringUpToDate(trackerOf(beads), it).catch(() => {});
          await bringUpToDate(trackerOf(beads), last);
          if (last.made === null && !beads.store.issues[ID]) continue; // there was nothing to make it from
          assert.deepEqual(inOrder(beads), inOrder(whole), `cut ${when} call ${cut}`);
        }
      const before = whole.calls.length;
      await bringUpToDate(trackerOf(whole), last);
      const writes = whole.calls.slice(before).filter((it) => it !== "show");
      assert.ok(
        writes.every((it) => it === "link"),
        `it was right already: ${writes}`,
      );
    });
  }

  it("is not work while it is pending, and closes before its labels change", async () => {
    const beads = await withWork();
    await bringUpToDate(trackerOf(beads), wanted("pending", links));
    assert.equal(beads.store.issues[ID]?.status, "blocked");
    assert.deepEqual(beads.store.issues["shop-work"]?.dependencies, [{ type: "blocks", id: ID }]);
    beads.calls.length = 0;
    await bringUpToDate(trackerOf(beads), wanted("resolved", links));
    assert.deepEqual(
      beads.calls.filter((it) => it !== "show"),
      ["close", "update"],
    );
    assert.equal(beads.store.issues[ID]?.close_reason, "resolved: because");
  });

  it("that somebody closed or relabelled by hand is put right", async () => {
    const beads = await withWork();
    await bringUpToDate(trackerOf(beads), wanted("pending"));
    const before = structuredClone(beads.store);
    Object.assign(beads.store.issues[ID] ?? {}, {
      status: "closed",
      close_reason: "mine",
      labels: ["decision:resolved"],
    });
    await bringUpToDate(trackerOf(beads), wanted("pending"));
    const sorted = (store: typeof before) => [...(store.issues[ID]?.labels ?? [])].sort();
    assert.deepEqual(sorted(beads.store), sorted(before));
    assert.equal(beads.store.issues[ID]?.status, "blocked");
  });
});
