import { it } from "vitest";
import { given, opened } from "../../../../test/fakes/outgoing.ts";
import type { ChannelKind } from "../../../core/model/reach-types.ts";
import { makers } from "./known.ts";

const ANSWERED: Partial<Record<ChannelKind, object>> = {
  mail: { smtp: "smtp://127.0.0.1", from: "oj@example.com" },
  push: {},
  ntfy: {},
  telegram: { bot_token_file: "token" },
};

for (const [kind, settings] of Object.entries(ANSWERED) as [ChannelKind, object][])
  it(`${kind} may have an undo window of its own`, async () => {
    await opened(makers[kind], given(kind, { ...settings, undo: 5 }));
  });
