/** The channels in memory and on this machine; those with a service behind them have files of their own. */
import type { ChannelKind } from "../../src/core/model/reach-types.ts";
import type { Person } from "../../src/core/reach/config-types.ts";
import { publicDoors } from "../../src/daemon/http/public-door.ts";
import { ChannelError } from "../../src/daemon/reach/channel.ts";
import { make } from "../../src/daemon/reach/channels/desktop.ts";
import { fakeService } from "../fakes/fake-channel.ts";
import { fakeDoor } from "../fakes/fake-door.ts";
import { fakePorts } from "../fakes/ports.ts";
import { channelContract } from "./channel.contract.ts";

const ana: Person = { name: "ana", addresses: { slack: "U1" }, hours: null, digest: null };

channelContract("in memory", async () => {
  const service = fakeService("slack");
  const errors = {
    busy: new ChannelError("too many", { retryAfterMs: 3000 }),
    away: new ChannelError("no route to host"),
    "for-good": new ChannelError("revoked", { isFinal: true }),
  };
  return {
    channel: await service.make(givenFor("slack").given),
    person: ana,
    seen: async () => service.messages(),
    fail: async (how) => {
      service.trouble = () => errors[how];
    },
  };
});

channelContract("desktop", async () => {
  const { given, ports } = givenFor("desktop");
  return {
    channel: await make(given),
    person: ana,
    seen: async () => ports.notifier.told.map((it) => ({ text: `${it.title}\n${it.text}`, isOpen: false })),
  };
});

function givenFor(kind: ChannelKind) {
  const ports = fakePorts();
  const config = { name: kind, kind, settings: {} };
  const door = fakeDoor([]);
  const given = {
    config,
    door,
    ports,
    dir: "/none",
    secret: async () => "",
    base: () => "",
    link: () => null,
    isQuiet: () => false,
    doors: publicDoors(),
  };
  return { given, ports };
}
