import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeClock } from "../../../test/fakes/fake-clock.ts";
import { startChallenges } from "./challenges.ts";

describe("a challenge", () => {
  it("is good once, for its own purpose, for ten minutes", () => {
    const clock = fakeClock();
    const challenges = startChallenges(clock);
    const [one, two] = [challenges.make("ana", "answer:a"), challenges.make("ana", "answer:b")];
    assert.throws(() => challenges.take("answer:b", one), { code: "decision.passkey" });
    challenges.take("answer:a", one);
    assert.throws(() => challenges.take("answer:a", one), { code: "decision.passkey" });
    clock.pass(600_000);
    assert.throws(() => challenges.take("answer:b", two), { code: "decision.passkey" });
  });

  it("of one person is never pushed out by however many of another", () => {
    const challenges = startChallenges(fakeClock());
    const ben = challenges.make("ben", "invite:ben");
    const old = challenges.make("eve", "answer:old");
    const many = Array.from({ length: 5000 }, (_, n) => challenges.make("eve", `answer:${n}`));
    assert.equal(challenges.look("invite:ben", ben), true);
    assert.equal(challenges.look("answer:4999", many.at(-1) ?? ""), true);
    assert.equal(challenges.look("answer:old", old), false);
  });
});
