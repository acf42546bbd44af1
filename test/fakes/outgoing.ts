/** Messages about decisions, and what channels are made from, for the tests of channels. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { DecisionView } from "../../src/api/api.ts";
import { redacted } from "../../src/channels/redacted.ts";
import type { ChannelKind } from "../../src/core/model/reach-types.ts";
import { publicDoors } from "../../src/daemon/http/public-door.ts";
import type { Channel, Given, MakeChannel, Outgoing } from "../../src/daemon/reach/channel.ts";
import { describe } from "../../src/inbox/card/describe.ts";
import { decision, NOW } from "./fake-client.ts";
import { fakeDoor, person } from "./fake-door.ts";
import { fakePorts } from "./ports.ts";

/** As it leaves the machine: without secrets. */
export function outgoing(view: DecisionView = decision(), more: Partial<Outgoing> = {}): Outgoing {
  const shown = redacted({ decision: view, card: describe(view, NOW) });
  return {
    key: `${view.id}-1`,
    reason: "asked",
    decision: shown.decision,
    card: shown.card,
    isWhole: shown.showsAll,
    person: person("ana"),
    names: ["ana"],
    address: "ana",
    url: `http://127.0.0.1:1/#/decision/${view.id}`,
    link: async (option) => `https://oj.example.com/a/${option ?? "any"}`,
    claim: async () => (view.claimed ? null : "https://oj.example.com/a/claim"),
    earlier: null,
    others: [],
    stands: async () => true,
    now: NOW,
    ...more,
  };
}

/** What a channel is made from. Files are texts in `files`, by their path. */
export function given(
  kind: ChannelKind,
  settings: Record<string, unknown>,
  more: Partial<Given> & { files?: Record<string, string>; name?: string } = {},
): Given {
  const { files = {}, name = kind, ...rest } = more;
  const dir = rest.dir ?? fs.mkdtempSync(path.join(os.tmpdir(), `oj-${kind}-`));
  if (rest.dir === undefined) onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return {
    config: { name, kind, settings },
    door: fakeDoor([decision()]),
    ports: fakePorts(),
    secret: async (file) => {
      const text = files[file];
      if (text === undefined) throw new Error(`there is no file ${file}`);
      return text;
    },
    isQuiet: () => false,
    base: () => "http://127.0.0.1:1",
    doors: publicDoors(),
    link: () => null,
    ...rest,
    dir,
  };
}

/** The channel, closed when the test ends. */
export async function opened(make: MakeChannel, from: Given): Promise<Channel> {
  const channel = await make(from);
  onTestFinished(() => channel.close());
  return channel;
}
