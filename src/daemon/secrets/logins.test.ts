import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { startLogins } from "./logins.ts";

const nobody = { cookie: "", key: "" };
const DAY = 86_400_000;

async function setup() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-logins-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true }));
  const ports = fakePorts();
  const file = path.join(dir, "web-logins.json");
  const start = () => startLogins(file, ports);
  return { clock: ports.clock, start, logins: await start() };
}

it("a login code is valid for two minutes and no longer", async () => {
  const { clock, logins } = await setup();
  const [soon, late] = [logins.makeCode("ana").code, logins.makeCode("ana").code];
  clock.pass(120_000);
  await logins.enter(soon, "", nobody);
  clock.pass(1);
  await assert.rejects(logins.enter(late, "", nobody), { code: "login.refused" });
});

it("a login lasts for 30 days after its last use, across restarts", async () => {
  const { clock, start, logins } = await setup();
  const secrets = await logins.enter(logins.makeCode("ana").code, "", nobody);
  for (let n = 0; n < 3; n++) {
    clock.pass(29 * DAY);
    assert.equal(logins.find(secrets)?.user ?? null, "ana");
  }
  await logins.enter(logins.makeCode("ben").code, "", nobody); // this waits for the saves before it
  const later = await start();
  clock.pass(30 * DAY);
  assert.equal(later.find(secrets)?.user ?? null, "ana");
  clock.pass(30 * DAY + 1);
  assert.equal(later.find(secrets)?.user ?? null, null);
  assert.deepEqual(later.list(), []);
  await later.end(null); // waits until nothing is being written
});

it("a browser that logs in again gets a new login in place of the old one", async () => {
  const { logins } = await setup();
  const first = await logins.enter(logins.makeCode("ana").code, "", nobody);
  const second = await logins.enter(logins.makeCode("ana").code, "", first);
  assert.equal(logins.list().length, 1);
  assert.deepEqual([logins.find(first)?.user ?? null, logins.find(second)?.user ?? null], [null, "ana"]);
});

it("only so many codes and logins are kept, and the oldest make way", async () => {
  const { logins } = await setup();
  const codes = Array.from({ length: 21 }, () => logins.makeCode("ana").code);
  await assert.rejects(logins.enter(codes[0]!, "", nobody), { code: "login.refused" });
  const first = await logins.enter(codes[1]!, "", nobody);
  for (let n = 0; n < 100; n++) await logins.enter(logins.makeCode("ana").code, "", nobody);
  assert.equal(logins.list().length, 100);
  assert.equal(logins.find(first)?.user ?? null, null);
});
