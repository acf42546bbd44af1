/** What every channel keeps to, whatever service is behind it. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { DecisionView } from "../../src/api/api.ts";
import type { Person } from "../../src/core/reach/config-types.ts";
import type { Channel, ChannelError, Outgoing } from "../../src/daemon/reach/channel.ts";
import { describe as describeCard } from "../../src/inbox/card/describe.ts";
import { decision, NOW } from "../fakes/fake-client.ts";

export interface ChannelUnderTest {
  channel: Channel;
  /** Somebody whom it reaches; null where it asks for nobody's address. */
  person: Person | null;
  /** The messages as people see them now: what they say, and whether they offer an answer. */
  seen(): Promise<{ text: string; isOpen: boolean }[]>;
  /** From now on the service fails like this. Absent where it can't. */
  fail?(how: "busy" | "away" | "for-good"): Promise<void>;
  /** The service does not say when it wants to be asked again. */
  isVague?: boolean;
}

const STRANGER: Person = { name: "nobody", addresses: {}, hours: null, digest: null };

export function channelContract(name: string, make: () => Promise<ChannelUnderTest>): void {
  describe(`the channel ${name}`, () => {
    const message = (
      { channel, person }: ChannelUnderTest,
      view = decision(),
      more: Partial<Outgoing> = {},
    ): Outgoing => ({
      key: "n1",
      reason: "asked",
      decision: view,
      card: describeCard(view, NOW),
      isWhole: true,
      person: channel.room ? null : person,
      names: person ? [person.name] : [],
      address: channel.room ?? (person ? channel.addressOf(person) : null) ?? channel.name,
      url: `http://127.0.0.1:1/#/decision/${view.id}`,
      link: async (option) => `http://127.0.0.1:1/a/${option ?? "all"}`,
      claim: async () => "http://127.0.0.1:1/a/claim",
      earlier: null,
      others: [],
      stands: async () => true,
      now: NOW,
      ...more,
    });
    const rejected = async (call: Promise<unknown>) => {
      const error = await call.then(
        () => assert.fail("it did not fail"),
        (it: ChannelError) => it,
      );
      assert.notEqual(error.message, "");
      return error;
    };

    it("knows whom it reaches", async () => {
      const { channel, person } = await make();
      if (person) assert.notEqual(channel.addressOf(person), null);
      if (person && !channel.room) assert.equal(channel.addressOf(STRANGER), null);
      await channel.close();
    });

    it("shows what is asked, and has nothing to complain about", async () => {
      const made = await make();
      const { ref } = await made.channel.send(message(made));
      assert.equal(await made.channel.check(), null);
      if (!made.channel.change) assert.equal(ref, null, "what can't be changed has no ref");
      assert.match((await made.seen()).map((it) => it.text).join("\n"), /Ship 1\.0\?/);
      await made.channel.close();
    });

    it("shows who answered once somebody has, and offers nothing more", async () => {
      const made = await make();
      const { channel } = made;
      const { ref } = await channel.send(message(made));
      if (ref !== null) await channel.change?.(message(made, answered(decision(), "Ben")), ref);
      const seen = await made.seen();
      if (ref !== null && channel.change) {
        assert.equal(seen.filter((it) => it.isOpen).length, 0);
        assert.match(seen.map((it) => it.text).join("\n"), /Ben/);
      }
      await channel.close();
    });

    it("sends a digest of several decisions", async () => {
      const made = await make();
      const second = decision({ id: "dec-2222222222", title: "Delete it?" });
      const { decision: view, card } = message(made, second);
      await made.channel.send(
        message(made, decision(), { reason: "digest", others: [{ decision: view, card }] }),
      );
      const text = (await made.seen()).map((it) => it.text).join("\n");
      if (!made.channel.hearsAll) assert.match(text, /Ship 1\.0\?[\s\S]*Delete it\?/);
      await made.channel.close();
    });

    it("says of a digest what became of it once all of it is settled", async () => {
      const made = await make();
      const { channel } = made;
      const second = decision({ id: "dec-2222222222", title: "Delete it?" });
      const digest = (settled: (it: DecisionView) => DecisionView) => {
        const { decision: view, card } = message(made, settled(second));
        return message(made, settled(decision()), { reason: "digest", others: [{ decision: view, card }] });
      };
      const { ref } = await channel.send(digest((it) => it));
      if (ref !== null && !channel.hearsAll) {
        await channel.change?.(
          digest((it) => answered(it, "Ben")),
          ref,
        );
        const seen = await made.seen();
        assert.equal(seen.filter((it) => it.isOpen).length, 0);
        assert.match(seen.map((it) => it.text).join("\n"), /Ben[\s\S]*Ben/);
      }
      await channel.close();
    });

    it("says of a failure whether it passes, and when the service wants to be asked again", async () => {
      for (const how of ["busy", "away", "for-good"] as const) {
        const made = await make();
        if (!made.fail) return made.channel.close();
        await made.fail(how);
        const error = await rejected(made.channel.send(message(made)));
        assert.equal(error.isFinal ?? false, how === "for-good", how);
        if (how === "busy" && !made.isVague)
          assert.ok((error.retryAfterMs ?? 0) > 0, "it says when to come back");
        await made.channel.close();
      }
    });
  });
}

/** The same decision after somebody has answered it. */
function answered(view: DecisionView, by: string): DecisionView {
  const labels = [view.options[0]?.label ?? ""];
  const words = { text: null, message: null, by, via: "cli" as const, resolved_at_ms: NOW };
  return {
    ...view,
    state: "resolved",
    outcome: "answered",
    answer: { chosen: 1, choices: [[1]], labels, ...words },
    delivery: { state: "acknowledged", attempts: 1, error: null, at_ms: NOW },
  };
}
