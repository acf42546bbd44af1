import assert from "node:assert/strict";
import { it } from "vitest";
import { fakeService } from "../../../test/fakes/fake-channel.ts";
import { ANA, BEN, reachOf, reachWorld } from "../../../test/fakes/reach.ts";
import type { Channel } from "./channel.ts";
import { outgoing } from "./outgoing.ts";

it("names the first message to the same address: what is sent later belongs to it, also after a restart", async () => {
  const config = reachOf({
    person: { ana: ANA, ben: BEN },
    channel: { mail: {} },
    route: [{ notify: ["ana", "ben"], via: ["mail"] }],
  });
  const world = await reachWorld({ config, services: { mail: fakeService("mail") } });
  const decision = await world.decision(await world.ask("bot"));
  const [toAna, toBen] = decision.reach?.notices ?? [];
  assert.ok(toAna?.ref && toBen?.ref);
  const channel = { kind: "mail", isLocal: false } as Channel;
  const addresses = { base: () => "", link: () => "" };
  const earlier = (notice: typeof toAna) =>
    outgoing({ notice, decisions: [decision], channel, hide: (it) => it, now: 0 }, config, addresses).earlier;
  assert.equal(earlier(toAna), null, "it is the first");
  assert.equal(earlier({ ...toAna, key: "later" }), toAna.ref);
  assert.equal(earlier({ ...toBen, key: "later" }), toBen.ref);
  assert.equal(earlier({ ...toAna, key: "later", to: "elsewhere" }), null);
});
