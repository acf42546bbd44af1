/** The push channel with browsers and a push service of the test's own. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { DecisionView } from "../../src/api/api.ts";
import type { Channel, Given, Outgoing } from "../../src/daemon/reach/channel.ts";
import { make } from "../../src/daemon/reach/channels/push.ts";
import { describe } from "../../src/inbox/card/describe.ts";
import { decision, NOW } from "./fake-client.ts";
import { fakeClock } from "./fake-clock.ts";
import { fakePorts } from "./ports.ts";
import type { PushService } from "./servers/push.ts";
import { pushService } from "./servers/push.ts";

export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0";

interface Stage {
  service: PushService;
  channel: Channel;
  dir: string;
  clock: ReturnType<typeof fakeClock>;
  failed: { key: string; error: string }[];
  restart(): Promise<Channel>;
  /** A browser of ana's, or of somebody else's. */
  joined(person?: string, login?: string | null): Promise<ReturnType<PushService["browser"]>>;
}

export async function pushStage(
  settings: Record<string, unknown> = { subject: "mailto:ana@example.com" },
): Promise<Stage> {
  const service = await pushService();
  const dir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "oj-push-")), "push");
  const clock = Object.assign(fakeClock(), { now: () => Date.now() }); // the service checks dates by the real one
  const failed: Stage["failed"] = [];
  const given = {
    config: { name: "push", kind: "push", settings },
    ports: fakePorts({ clock }),
    door: { failed: async (it: Stage["failed"][number]) => void failed.push(it) },
    secret: async () => "",
    dir,
  } as unknown as Given;
  const opened: Channel[] = [];
  const restart = async () => {
    const channel = await make(given);
    opened.push(channel);
    return channel;
  };
  onTestFinished(async () => {
    await Promise.all(opened.map((it) => it.close()));
    await service.close();
    fs.rmSync(path.dirname(dir), { recursive: true });
  });
  const channel = await restart();
  const joined: Stage["joined"] = async (person = "ana", login = null) => {
    const browser = service.browser(channel.browsers?.publicKey);
    const body = { endpoint: browser.endpoint, keys: browser.keys };
    await channel.browsers?.add({ person, login, browser: FIREFOX, body });
    return browser;
  };
  return { service, channel, dir, clock, failed, restart, joined };
}

/** The message that a channel is to send. */
export function outgoing(view: DecisionView = decision(), more: Partial<Outgoing> = {}): Outgoing {
  return {
    key: `${view.id} ana push`,
    reason: "asked",
    decision: view,
    card: describe(view, NOW),
    isWhole: true,
    person: null,
    names: ["ana"],
    address: "ana",
    url: "http://127.0.0.1:1/#/decision/x",
    link: async (option) => `https://inbox.example.com/a/${option}-token`,
    claim: async () => (view.claimed ? null : "https://inbox.example.com/a/claim-token"),
    earlier: null,
    others: [],
    stands: async () => true,
    now: NOW,
    ...more,
  };
}
