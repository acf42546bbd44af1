import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { openSubscriptions } from "../reach/push/subscriptions.ts";
import { openVapid } from "../reach/push/vapid.ts";
import { usedLinks } from "../reach/used-links.ts";
import { keptJson } from "./kept-json.ts";
import { startLogins } from "./logins.ts";

function place(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-kept-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return path.join(dir, "kept.json");
}

const none = { cookie: "", key: "" };

/** Each opens its file, uses it, and opens it again as the next daemon does. */
const opened: [
  what: string,
  open: (file: string, ports: ReturnType<typeof fakePorts>) => Promise<unknown>,
][] = [
  [
    "logins",
    async (file, ports) => {
      const logins = await startLogins(file, ports);
      assert.deepEqual(logins.list(), []);
      await logins.enter(logins.makeCode("ana").code, "a browser", none);
      assert.equal((await startLogins(file, ports)).list().length, 1);
    },
  ],
  [
    "used links",
    async (file, { journal }) => {
      await (await usedLinks(file, journal)).add("one");
      assert.equal((await usedLinks(file, journal)).has("one"), true);
    },
  ],
  [
    "the key for push messages",
    async (file, { journal }) => {
      const { publicKey } = await openVapid(file, "mailto:a@example.com", journal);
      assert.equal((await openVapid(file, "mailto:a@example.com", journal)).publicKey, publicKey);
    },
  ],
  [
    "browsers that get push messages",
    async (file, ports) => assert.deepEqual((await openSubscriptions(file, "key", ports)).list(), []),
  ],
];

describe("a small file of the state folder that is damaged", () => {
  for (const [what, open] of opened)
    for (const text of ["", '{"a', "\0\0\0", '"x"', "7", '{"a":1}', '[{"a":1}]', '{"subscriptions":[7]}'])
      it(`is set aside: ${what}, ${JSON.stringify(text)}`, async () => {
        const [file, ports] = [place(), fakePorts()];
        fs.writeFileSync(file, text);
        await open(file, ports);
        if (what === "browsers that get push messages" && text === '{"a":1}') return; // it says nothing of browsers
        assert.equal(fs.readFileSync(`${file}.damaged`, "utf8"), text);
      });

  it("is refused by its name if nothing can take its place", async () => {
    const file = place();
    fs.writeFileSync(file, '{"id":');
    await assert.rejects(keptJson(file, null).read(), {
      code: "store.failed",
      message: `${file} is damaged: it is not the JSON that was written there`,
    });
    assert.equal(fs.readFileSync(file, "utf8"), '{"id":');
  });

  it("counts as not there yet if it is not there", async () => {
    assert.equal(await keptJson(place(), null).read(), null);
  });
});
