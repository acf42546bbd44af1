/** `oj decision review` in a test: a script presses its keys or writes its lines, and a fake client takes the answers. */
import type { Key, Keyboard } from "../../src/cli/base/keys.ts";
import { keysOf } from "../../src/cli/base/keys.ts";
import { plain } from "../../src/cli/base/output.ts";
import { keyDialog, lineDialog } from "../../src/cli/review/dialog.ts";
import type { Settled } from "../../src/cli/review/settled.ts";
import type { Suggested } from "../../src/cli/review/walk.ts";
import { summaryLine, walk } from "../../src/cli/review/walk.ts";
import type { FakeClient } from "./fake-client.ts";
import { decision, fakeClient, fakeContext } from "./fake-client.ts";

export const [A, B, C] = ["dec-aaaaaaaaaa", "dec-bbbbbbbbbb", "dec-cccccccccc"] as const;
export const three = () => fakeClient(decision({ id: A }), decision({ id: B }), decision({ id: C }));

/** Presses the next keys whenever a card or a question waits for one; a function among them does something first. */
function keyboard(...script: (string | (() => void))[]): Keyboard {
  const keys: Key[] = [];
  return {
    async next(abort) {
      for (;;) {
        abort.throwIfAborted();
        const key = keys.shift();
        if (key) return key;
        const next = script.shift();
        if (next === undefined) return { type: "end" };
        if (typeof next === "string") keys.push(...keysOf(next).keys);
        else next();
      }
    },
    forget: () => void keys.splice(0),
    close: () => {},
  };
}

export function settledBy(): Settled & { settle(id: string): void } {
  const all = new Map<string, AbortController>();
  const at = (id: string) => {
    const it = all.get(id) ?? new AbortController();
    all.set(id, it);
    return it;
  };
  return { of: (id) => at(id).signal, settle: (id) => at(id).abort(), close: () => {} };
}

export async function review(
  client: FakeClient,
  script: (string | (() => void))[],
  settled = settledBy(),
  found: Suggested = { all: [] },
) {
  let shown = "";
  const write = (text: string) => {
    shown += text;
  };
  const context = fakeContext(client);
  const hasSuggestion = () => found.all.length > 0;
  const dialog = keyDialog(keyboard(...script), { style: plain, width: 80, write, hasSuggestion });
  const summary = await walk(
    context,
    dialog,
    settled,
    () => client.decisions(),
    (text) => write(`${text}\n`),
    found,
  );
  return { shown, summary, resolved: client.calls.filter((it) => "resolve" in (it as object)) };
}

export async function byLines(client: FakeClient, ...lines: string[]) {
  async function* input() {
    yield* lines;
  }
  let shown = "";
  const dialog = lineDialog(input(), {
    style: plain,
    width: 80,
    write: (text) => {
      shown += text;
    },
  });
  const summary = await walk(
    fakeContext(client),
    dialog,
    settledBy(),
    () => client.decisions(),
    () => {},
  );
  return {
    summary: summaryLine(summary),
    shown,
    resolved: client.calls.filter((it) => "resolve" in (it as object)),
  };
}
