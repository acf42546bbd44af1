/** Somebody who left, and whoever has their name next, as channels meet them. */
import assert from "node:assert/strict";
import { it } from "vitest";
import { noSecrets } from "../../../test/fakes/no-secrets.ts";
import { people, reachOf, reachWorld, slackAndMail } from "../../../test/fakes/reach.ts";
import type { MachineName } from "../../core/model/ids.ts";
import { removePerson } from "../../core/remove-person.ts";
import { invitePerson } from "../../core/rights/people.ts";
import { defaults } from "../../settings.ts";
import { makeDoor } from "./door.ts";
import { isHere } from "./due.ts";

const config = reachOf({ ...people, route: [{ notify: ["ana", "ben"], via: ["slack"] }] });

async function stage() {
  const services = slackAndMail();
  const world = await reachWorld({ config, services });
  const { engine } = world;
  return {
    ...world,
    services,
    remove: () =>
      engine.run((state, moment) => removePerson(state, { name: "ana", by: "root", config }, moment)),
    /** Somebody else, whom the settings mean from now on. */
    invite: () => engine.run((state) => invitePerson(state, { name: "ana", by: "root", doors: true })),
  };
}

it("is no longer named to others as one of those whom it is for", async () => {
  const { ask, remove, services, reach } = await stage();
  const id = await ask("bot");
  assert.deepEqual(await reach.door.addressees(id, "slack"), ["ana", "ben"]);
  assert.deepEqual(await reach.door.addressees(id, "mail"), []);
  await remove();
  const refused = async (who: string) => {
    const answered = await services.slack.answer(id, who, 1);
    return answered.type === "refused" && answered.words;
  };
  assert.equal(await refused("ana"), "This message was for somebody who left.");
  assert.equal(await refused("mallory"), "This one is for ben.");
  assert.deepEqual(await reach.door.addressees(id, "slack"), ["ben"]);
  assert.deepEqual(await reach.door.addressees("dec-none", "slack"), []);
});

it("accepts no rule, also if they leave while it is worked out", async () => {
  const { ask, remove, engine, ports } = await stage();
  const id = await ask("bot");
  let accepted = 0;
  const door = makeDoor({
    engine,
    ports,
    settings: { undo: defaults.undo },
    hider: noSecrets,
    self: null,
    config: () => config,
    instead: () => null,
    rules: {
      offer: () => assert.fail("not asked for"),
      async remember({ permit }) {
        if (accepted > 0) await remove();
        await engine.run((state) => {
          permit(state);
          accepted++;
          return [];
        });
      },
    },
  });
  const given = { id, person: "ana", via: "slack", hash: "00", scope: "project", sawAll: true } as const;
  assert.equal((await door.remember(given)).type, "taken");
  const { type, words } = (await door.remember(given)) as { type: string; words: string };
  assert.deepEqual([type, words, accepted], ["refused", "This message was for somebody who left.", 1]);
});

it("holds up nothing of whoever has the name next: a digest has what is theirs, and only that", async () => {
  const { ask, remove, invite, pass, view, services } = await stage();
  for (let n = 1; n <= 5; n++) await ask(`early${n}`);
  const before = await ask("before");
  await remove();
  await pass(1);
  await invite();
  const after = await ask("after");
  await pass(15_000);
  const anas = async (id: typeof before) => (await view(id)).notices.filter((it) => it.to === "ana");
  for (const { state, error } of await anas(before)) assert.deepEqual([state, error], ["failed", "ana left"]);
  assert.deepEqual(
    (await anas(after)).map((it) => [it.state, it.error]),
    [["sent", null]],
  );
  const digests = services.slack.messages().filter((it) => it.all.includes(before));
  assert.equal(digests.length, 1, "ben's");
});

it("is whoever is not in the settings any more, too: nothing is sent to them, and nothing of theirs is taken", async () => {
  const { ask, answer, view, reach, services, setConfig } = await stage();
  const id = await ask("bot");
  const { ana: _, ...others } = people.person;
  setConfig(reachOf({ ...people, person: others, route: [{ notify: ["ben"], via: ["slack"] }] }));
  assert.equal(await reach.door.decision(id, "ana"), null, "a link of theirs leads nowhere");
  const refused = await services.slack.answer(id, "ana", 1);
  assert.deepEqual(refused, { type: "refused", words: "This one is for ben.", decision: null });
  await answer(id);
  const states = (await view(id)).notices.map((it) => [it.to, it.state]);
  assert.deepEqual(states, [
    ["ana", "failed"],
    ["ben", "changed"],
  ]);
});

it("is nobody whom another machine asks: they stand in the settings there", async () => {
  const { ask, decision, engine } = await stage();
  const asked = await decision(await ask("bot"));
  const settings = { config: reachOf({}), self: "anvil" as MachineName };
  for (const [machine, here] of [
    ["forge", true],
    ["anvil", false],
  ] as const) {
    const about = { ...asked, machine: machine as MachineName };
    assert.equal(await engine.read((state) => isHere(state, settings, about, "ana")), here);
  }
});
