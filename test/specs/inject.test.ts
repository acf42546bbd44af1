import assert from "node:assert/strict";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, it } from "vitest";
import { also, EVERYTHING } from "../everything.ts";
import type { Reply } from "./support/http.ts";
import { call, killDaemon, question } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Decision {
  id: string;
  delivery: { state: string };
}

interface Drained {
  drain_id: string;
  entries: { id: string; number: number; text: string; decision_id: string | null; kind: string }[];
  left_out: number;
  waiting: number;
  text: string;
}

/** Again and again with the same body until the daemon, which may be killed meanwhile, has answered. */
async function insist(project: Project, to: string, body: object, agent: http.Agent): Promise<Reply> {
  for (;;) {
    try {
      return await call(project, "POST", to, { body, agent });
    } catch {
      await sleep(20);
    }
  }
}

describe("a queued message for a session", () => {
  it("is read exactly once and in order by many readers, even if the daemon is killed twice", async () => {
    const [WRITERS, EACH, READERS] = [4, EVERYTHING ? 500 : 150, 4];
    const project = await tempProject();
    await project.run("daemon", "start");
    const agent = new http.Agent({ keepAlive: true });
    const to = { project: "shop", session: "s1" };
    let written = 0;

    const write = async (writer: number) => {
      for (let n = 0; n < EACH; n++) {
        const body = { ...to, id: `${writer}-${n}`, text: `${writer} ${n}` };
        const { status, text } = await insist(project, "/inject", body, agent);
        assert.equal(status, 200, text);
        written += 1;
        if (n % 50 === 7) await insist(project, "/inject", body, agent); // a writer that is not sure
      }
    };
    let read = 0;
    const drain = async (reader: number) => {
      const got: Drained["entries"] = [];
      for (let n = 0; read < WRITERS * EACH; n++) {
        const body = { ...to, drain_id: `${reader}-${n}`, limit: 1 + ((reader + n) % 7) };
        const taken = (await insist(project, "/inject/drain", body, agent)).json<Drained>();
        if (n % 10 === 3) {
          const again = (await insist(project, "/inject/drain", body, agent)).json<Drained>();
          if (taken.entries.length > 0) assert.deepEqual(again.entries, taken.entries);
          else taken.entries = again.entries; // nothing was waiting at first: then nothing was taken
        }
        got.push(...taken.entries);
        read += taken.entries.length;
        if (taken.entries.length === 0) await sleep(5);
      }
      return got;
    };
    const kill = async () => {
      for (const part of [0.3, 0.65]) {
        const at = WRITERS * EACH * part;
        await project.until(() => written >= at, `${at} entries`);
        await killDaemon(project);
        assert.equal((await project.run("daemon", "start")).code, 0);
      }
    };
    const readers = Array.from({ length: READERS }, (_, n) => drain(n));
    const writers = Array.from({ length: WRITERS }, (_, n) => write(n));
    await Promise.all([kill(), ...writers]);
    const got = await Promise.all(readers);
    agent.destroy();

    const all = got.flat();
    assert.equal(all.length, WRITERS * EACH);
    assert.equal(new Set(all.map((it) => it.id)).size, WRITERS * EACH);
    assert.ok(got.filter((it) => it.length > 0).length > 1, "several readers had some");
    for (const one of got)
      assert.deepEqual(
        one.map((it) => it.number),
        one.map((it) => it.number).toSorted((a, b) => a - b),
      );
    const inOrder = all.toSorted((a, b) => a.number - b.number);
    for (let writer = 0; writer < WRITERS; writer++)
      assert.deepEqual(
        inOrder.map((it) => it.text).filter((it) => it.startsWith(`${writer} `)),
        Array.from({ length: EACH }, (_, n) => `${writer} ${n}`),
      );
  });

  also("is added, shown and taken out with the command line", async () => {
    const project = await tempProject();
    assert.equal((await project.run("inject", "status")).stdout, "nothing is waiting\n");
    for (const words of [
      ["--session", "s1", "the build", "is red"],
      ["--as", "bot", "--reminder", "look"],
    ])
      assert.equal((await project.run("inject", "add", ...words)).stdout, "1 message waiting for it\n");
    assert.match((await project.run("inject", "status")).stdout, /session:s1 +1 .*\nname:shop\/bot +1 /);
    const text = "A message from oj (oddjobs):\n\n[message from ana] the build is red\n";
    assert.equal((await project.run("inject", "drain", "--session", "s1")).stdout, text);
    assert.equal((await project.run("inject", "drain", "--session", "s1")).stdout, "");
    const [one, two] = [
      await project.json<Drained>("inject", "drain", "--as", "bot", "--drain-id", "a"),
      await project.json<Drained>("inject", "drain", "--as", "bot", "--drain-id", "a"),
    ];
    assert.equal(one.entries[0]?.text, "look");
    assert.deepEqual(two, one);
    for (const wrong of [
      ["drain"],
      ["add", "hello"],
      ["add", "--session", "s1"],
      ["drain", "--session", "a", "--as", "b"],
      ["drain", "--session", "a", "--limit", "0"],
    ])
      assert.equal((await project.run("inject", ...wrong)).code, 2, wrong.join(" "));
  });

  also("ends with one line that says how much is left for next time", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    for (let n = 0; n < 3; n++)
      await call(project, "POST", "/inject", {
        body: { project: "shop", session: "s1", text: "x".repeat(3500) },
      });
    const { stdout } = await project.run("inject", "drain", "--session", "s1");
    assert.match(stdout, /^2 messages from oj[\s\S]*\n\n\(1 more comes with your next step\)\n$/);
  });

  also("can be the answer for a name that asked and does not wait; taking it is the receipt", async () => {
    const project = await tempProject();
    const ask = ["decision", "request", "--as", "bot", "--option", "A", "--option", "B", "--prompt"];
    const asked = await project.json<Decision>(...ask, "Which?");
    await project.run("decision", "resolve", asked.id, "2", "-m", "but soon");
    assert.equal((await project.json<Decision>("decision", "show", asked.id)).delivery.state, "owed");
    const { entries } = await project.json<Drained>("inject", "drain", "--as", "bot");
    assert.deepEqual(
      entries.map((it) => [it.kind, it.decision_id, it.text]),
      [["answer", asked.id, `${asked.id} (Which?) was answered by ana: B. They say: but soon`]],
    );
    assert.equal((await project.json<Decision>("decision", "show", asked.id)).delivery.state, "acknowledged");

    const awaited = await project.json<Decision>(...ask, "And now?");
    const waiting = project.start("decision", "await", awaited.id);
    await project.run("decision", "resolve", awaited.id, "1");
    assert.equal((await waiting.ended).code, 0);
    assert.deepEqual((await project.json<Drained>("inject", "drain", "--as", "bot")).entries, []);
  });

  also("is never made for a person, who has no queue", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const { id } = (
      await call(project, "POST", "/decisions", { body: question(project, "Ship?") })
    ).json<Decision>();
    await project.run("decision", "resolve", id, "1");
    assert.deepEqual(await project.json("inject", "status", "--all"), []);
  });
});
