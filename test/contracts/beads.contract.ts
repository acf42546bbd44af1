/** What every `Beads` keeps to: the fake, and `bd` itself, be it the double or the real one. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Bead, Beads, BeadsPlace, CreateBead } from "../../src/beads-port.ts";

export interface BeadsUnderTest {
  beads: Beads;
  at: BeadsPlace;
  /** What the bead says, as it was stored. */
  texts(id: string): Promise<{ title: string; body: string; type: string; priority: number; ref: string }>;
  /** The ids in `bd ready`. */
  ready(): Promise<string[]>;
  /** The ids of beads that are not closed and have this label. */
  labelled(label: string): Promise<string[]>;
  /** Keeps the database locked until it is released, for beads that don't wait long; null where there is no lock. */
  lock: (() => Promise<{ beads: Beads; release(): void }>) | null;
}

const BEAD: CreateBead = {
  id: "shop-dec-aaaaaaaaaa",
  title: "Which database?",
  body: "Postgres or SQLite",
  priority: 1,
  labels: ["gt:decision", "decision:pending", "urgency:high"],
  external_ref: "dec-aaaaaaaaaa",
  metadata: { decision_id: "dec-aaaaaaaaaa", outcome: "pending" },
};

const HOSTILE: readonly (readonly [name: string, given: Partial<CreateBead>])[] = [
  ["a title that looks like a flag", { title: "--help --json" }],
  ["a title of quotes and dollars", { title: `"'\`$(id)\`'" \\ %s {{.}} ;&|` }],
  ["a title of emoji", { title: "🧨".repeat(120) }],
  ["a text of flags and quotes", { body: `--force\n-x\n"'$(id)\`\n@/etc/passwd` }],
  ["a text with a NUL", { body: "before\0after" }],
  ["a megabyte", { body: `${"line of text é\n".repeat(70_000)}end` }],
];

export function beadsContract(name: string, make: () => Promise<BeadsUnderTest>): void {
  describe(`beads, ${name}`, () => {
    it("say their version and the prefix of their ids", async () => {
      const { beads, at } = await make();
      assert.match(await beads.version(at), /^1\.\d+\.\d+/);
      assert.equal(await beads.prefix(at), "shop");
    });

    it("are found by their whole id only", async () => {
      const { beads, at } = await make();
      assert.equal(await beads.show(at, BEAD.id), null);
      await beads.create(at, BEAD);
      const { id, status, labels, reason, metadata } = (await beads.show(at, BEAD.id)) as Bead;
      assert.deepEqual({ id, status, reason }, { id: BEAD.id, status: "open", reason: "" });
      assert.deepEqual([...labels].sort(), [...BEAD.labels].sort());
      assert.equal(metadata.decision_id, BEAD.external_ref);
      assert.equal(await beads.show(at, "shop-dec-aaaa"), null);
    });

    it("keep every text as it is, whatever it looks like", async () => {
      const { beads, at, texts } = await make();
      for (const [n, [what, given]] of HOSTILE.entries()) {
        const bead = { ...BEAD, ...given, id: `shop-dec-h${n}` };
        await beads.create(at, bead);
        const { title, body, ...rest } = await texts(bead.id);
        assert.equal(title, bead.title, what);
        assert.ok(body === bead.body, `${what}: the text has changed`);
        assert.deepEqual(rest, { type: "decision", priority: 1, ref: BEAD.external_ref }, what);
      }
    });

    it("are closed for a reason, and opened again", async () => {
      const { beads, at } = await make();
      await beads.create(at, BEAD);
      const reason = 'resolved: option 2, "Postgres", by ana (cli)\n\n--because it $(is) there';
      await beads.close(at, BEAD.id, reason);
      const closed = await beads.show(at, BEAD.id);
      assert.deepEqual([closed?.status, closed?.reason.trim()], ["closed", reason]);
      await beads.reopen(at, BEAD.id);
      await beads.reopen(at, BEAD.id);
      assert.deepEqual([(await beads.show(at, BEAD.id))?.status], ["open"]);
      await beads.close(at, BEAD.id, "withdrawn");
      assert.equal((await beads.show(at, BEAD.id))?.reason.trim(), "withdrawn");
    });

    it("change their labels, their metadata and their status, again and again", async () => {
      const { beads, at } = await make();
      await beads.create(at, BEAD);
      const change = {
        add: ["decision:resolved"],
        remove: ["decision:pending"],
        metadata: { outcome: "resolved" },
      };
      for (let n = 0; n < 2; n++) await beads.update(at, BEAD.id, change);
      const bead = await beads.show(at, BEAD.id);
      assert.deepEqual([...(bead?.labels ?? [])].sort(), [
        "decision:resolved",
        "gt:decision",
        "urgency:high",
      ]);
      assert.deepEqual(bead?.metadata, { decision_id: "dec-aaaaaaaaaa", outcome: "resolved" });
      await assert.rejects(beads.update(at, "shop-none", change), { kind: "refused" });
    });

    it("hold up what waits for them, without being work themselves", async () => {
      const { beads, at, ready, labelled } = await make();
      await beads.create(at, { ...BEAD, id: "shop-work", labels: ["work"] });
      await beads.create(at, BEAD);
      assert.deepEqual((await ready()).sort(), [BEAD.id, "shop-work"]);
      await beads.update(at, BEAD.id, { add: [], remove: [], metadata: {}, status: "blocked" });
      assert.deepEqual(await ready(), ["shop-work"]);
      for (let n = 0; n < 2; n++) await beads.link(at, "shop-work", "blocks", BEAD.id);
      assert.deepEqual(await ready(), []);
      assert.deepEqual(await labelled("decision:pending"), [BEAD.id]);
      assert.deepEqual((await beads.show(at, "shop-work"))?.links, [{ type: "blocks", id: BEAD.id }]);
      await beads.close(at, BEAD.id, "resolved");
      assert.deepEqual(await ready(), ["shop-work"]);
      assert.deepEqual(await labelled("decision:pending"), []);
    });

    it("refuse links that make no sense, and take the others", async () => {
      const { beads, at } = await make();
      await beads.create(at, BEAD);
      await beads.create(at, { ...BEAD, id: "shop-work" });
      await beads.create(at, { ...BEAD, id: "shop-next" });
      await assert.rejects(beads.link(at, "shop-work", "blocks", "shop-none"), { kind: "refused" });
      await beads.link(at, "shop-work", "blocks", BEAD.id);
      await assert.rejects(beads.link(at, BEAD.id, "blocks", "shop-work"), { kind: "refused" });
      await beads.link(at, BEAD.id, "supersedes", "shop-next");
      assert.ok((await beads.show(at, BEAD.id))?.links.some((it) => it.type === "supersedes"));
    });

    it("say that they are locked, and work again once they are not", async ({ skip }) => {
      const { beads, at, lock } = await make();
      if (!lock) return skip("there is nothing to lock");
      await beads.create(at, BEAD);
      const locked = await lock();
      await assert.rejects(locked.beads.show(at, BEAD.id), { kind: "locked" });
      locked.release();
      assert.equal((await beads.show(at, BEAD.id))?.id, BEAD.id);
    });
  });
}
