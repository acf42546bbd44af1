/** Web Push, against a push service of our own. */
import { onTestFinished } from "vitest";
import { make } from "../../src/daemon/reach/channels/push.ts";
import { fakeClock } from "../fakes/fake-clock.ts";
import { person } from "../fakes/fake-door.ts";
import { given } from "../fakes/outgoing.ts";
import { fakePorts } from "../fakes/ports.ts";
import { pushService } from "../fakes/servers/push.ts";
import { channelContract } from "./channel.contract.ts";

channelContract("push", async () => {
  const service = await pushService();
  onTestFinished(() => service.close());
  const clock = Object.assign(fakeClock(), { now: () => Date.now() }); // the service checks dates by the real one
  const channel = await make(
    given("push", { subject: "mailto:ana@example.com" }, { ports: fakePorts({ clock }) }),
  );
  const { endpoint, keys, shown } = service.browser(channel.browsers?.publicKey);
  await channel.browsers?.add({ person: "ana", login: null, browser: "Firefox/", body: { endpoint, keys } });
  return {
    channel,
    person: person("ana", {}),
    // a message with the same tag takes the place of the one before
    seen: async () =>
      [...new Map(shown.map((it) => [it.tag, it])).values()].map(({ title, body, actions }) => ({
        text: `${title}\n${body}`,
        isOpen: actions.length > 0,
      })),
    fail: async (how) => {
      if (how === "away") return service.close();
      const headers = { "retry-after": "3" };
      service.answers(() => (how === "busy" ? { status: 429, headers } : { status: 403 }));
    },
  };
});
