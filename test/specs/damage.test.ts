/** Damage to the store as a person meets it: reported at startup, in the status and by the doctor, and never silent. */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { describe, it } from "vitest";
import { call, killDaemon, question, socketOf } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Recorded {
  seq: number;
  type: string;
}

async function asked(project: Project, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 1; n <= count; n++) {
    const reply = await call(project, "POST", "/decisions", { body: question(project, `Number ${n}?`) });
    assert.equal(reply.status, 200, reply.text);
    ids.push(reply.json<{ id: string }>().id);
  }
  return ids;
}

const fileOf = (project: Project, name: string) => path.join(project.stateDir, name);

/** Changes one letter of a text where it first occurs in the file. */
function change(file: string, text: string): void {
  const bytes = fs.readFileSync(file);
  const at = bytes.indexOf(text);
  assert.ok(at >= 0, `${text} is not in ${file}`);
  bytes[at] = (bytes[at] ?? 0) ^ 0x01;
  fs.writeFileSync(file, bytes);
}

function events(project: Project, count: number): Promise<Recorded[]> {
  return new Promise((resolve, reject) => {
    const request = http.get({ socketPath: socketOf(project), path: "/events?after=0" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        const lines = text.split("\n").filter((it) => it.startsWith("data: "));
        if (lines.length < count) return;
        request.destroy();
        resolve(lines.map((it) => JSON.parse(it.slice(6)) as Recorded));
      });
      response.on("end", () => reject(new Error(`the stream ended: ${text}`)));
    });
    request.on("error", reject);
    request.setTimeout(60_000, () => reject(new Error("the stream says nothing any more")));
  });
}

describe("a write-ahead log with a changed byte, after a kill", () => {
  it("is refused with what is missing; a repair keeps the bytes and everybody is told", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const ids = await asked(project, 6);
    await killDaemon(project);
    change(fileOf(project, "events.db-wal"), "Number 4?");
    const damaged = fs.readFileSync(fileOf(project, "events.db-wal"));

    for (const words of [["daemon", "start"], ["decisions"], ["daemon", "start"]]) {
      const { code, stderr } = await project.run(...words);
      assert.equal(code, 3, stderr);
      assert.match(
        stderr,
        /events\.db is damaged at record 4: 3 events were acknowledged, but the log ends before that/,
      );
      assert.match(stderr, /oj daemon start --repair/);
    }
    const { code, stdout, stderr } = await project.run("daemon", "start", "--repair");
    assert.equal(code, 0, stderr);
    const said = /the log was damaged at event 4: 3 events were acknowledged[\s\S]*\(3 records\)/;
    assert.match((stdout + stderr).replace(/\s+/g, " "), said);
    const kept = fs.readdirSync(project.stateDir).find((it) => /^events\.db\.damaged-.*-wal$/.test(it));
    assert.ok(kept, "the damaged file is kept");
    assert.deepEqual(fs.readFileSync(fileOf(project, kept)), damaged);
    assert.match((await project.run("daemon", "status")).stdout.replace(/\s+/g, " "), said);
    assert.match((await project.run("doctor")).stdout.replace(/\s+/g, " "), /was damaged at event 4/);
    const list = (await call(project, "GET", "/decisions")).json<{ id: string }[]>();
    assert.deepEqual(list.map((it) => it.id).sort(), ids.slice(0, 3).sort());
  });
});

describe("a kill in the middle of any write", () => {
  it("does no damage: nothing is reported, and nothing acknowledged is missing", async () => {
    const project = await tempProject();
    for (let round = 0; round < 5; round++) {
      const start = await project.run("daemon", "start");
      assert.deepEqual([start.code, start.stderr], [0, ""]);
      const acknowledged: string[] = [];
      const write = async (n: number) => {
        for (;;) {
          const body = { ...question(project, `From ${n}?`), as: `w${round}-${n}-${acknowledged.length}` };
          const reply = await call(project, "POST", "/decisions", { body }).catch(() => null);
          if (reply === null) return; // the daemon is gone
          if (reply.status === 200) acknowledged.push(reply.json<{ id: string }>().id);
        }
      };
      const writers = Array.from({ length: 8 }, (_, n) => write(n));
      await project.until(() => acknowledged.length > 20, "some answers");
      await killDaemon(project);
      await Promise.all(writers);
      const { code, stderr } = await project.run("daemon", "start");
      assert.deepEqual([code, stderr], [0, ""]);
      const found = (await call(project, "GET", "/decisions?all=true")).text;
      for (const id of acknowledged) assert.ok(found.includes(id), `${id} was acknowledged`);
    }
  });
});

describe("a damaged record behind a snapshot", () => {
  it("is reported at startup; streams and timelines mark the gap and carry on", async () => {
    const project = await tempProject();
    fs.mkdirSync(path.join(project.home, ".config/oj"), { recursive: true });
    fs.writeFileSync(path.join(project.home, ".config/oj/config.toml"), "[store]\nsnapshot_every = 5\n");
    await project.run("daemon", "start");
    const ids = await asked(project, 8);
    await project.until(
      () => fs.readdirSync(project.stateDir).some((it) => /^snapshot-\d+\.json$/.test(it)),
      "a snapshot",
    );
    await project.run("daemon", "stop");
    const file = fileOf(project, "events.db");
    const text = fs.readFileSync(file, "latin1").replaceAll("Number 2?", "Number 9?"); // pages have old copies too
    fs.writeFileSync(file, text, "latin1");

    const { code, stdout, stderr } = await project.run("daemon", "start");
    assert.equal(code, 0, stderr);
    assert.match(
      (stdout + stderr).replace(/\s+/g, " "),
      /damaged at event 2: its checksum is wrong \(the snapshot of/,
    );
    assert.match((await project.run("doctor")).stdout.replace(/\s+/g, " "), /damaged at event 2/);
    const found = await events(project, 8);
    assert.deepEqual(
      found.slice(0, 8).map((it) => [it.seq, it.type === "log:lost"]),
      [1, 2, 3, 4, 5, 6, 7, 8].map((seq) => [seq, seq === 2]),
    );
    for (const [index, id] of ids.entries()) {
      const reply = await call(project, "GET", `/decisions/${id}/events`);
      assert.equal(reply.status, 200, reply.text);
      const types = reply.json<{ events: Recorded[] }>().events.map((it) => it.type);
      if (index < 2) assert.ok(types.includes("log:lost"), `${id}: ${types}`);
      if (index !== 1) assert.ok(types.includes("decision:created"), `${id}: ${types}`);
    }
  });
});
