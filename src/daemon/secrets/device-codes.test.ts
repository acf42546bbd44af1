import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { it } from "vitest";
import { fakePorts } from "../../../test/fakes/ports.ts";
import type { DeviceCodes, Wanted } from "./device-codes.ts";
import { deviceCodes } from "./device-codes.ts";

const MINUTE = 60_000;

function setup() {
  const { clock } = fakePorts();
  return { clock, codes: deviceCodes(clock) };
}

const secretOf = (id: string) => `ojp_${id}_secret`;
const wanted = (id: string, address = "10.0.0.1"): Wanted => ({
  id,
  sha256: createHash("sha256").update(secretOf(id)).digest("hex"),
  scopes: ["read"],
  lasts_ms: MINUTE,
  device: { label: "anvil", address },
});
const state = (codes: DeviceCodes, id: string, token = secretOf(id)) => codes.poll(id, token).state;
const refused = (code: string) => ({ code });

it("shows eight letters that nobody confuses, and takes them however they are typed", () => {
  const { codes } = setup();
  const { code } = codes.ask(wanted("a"));
  assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  for (const typed of [code, code.toLowerCase(), code.replace("-", ""), ` ${code.replace("-", " ")} `])
    assert.equal(codes.find(typed, "ana").id, "a");
});

it("tells only the holder of the secret what became of it", async () => {
  const { codes, clock } = setup();
  const { code } = codes.ask(wanted("a"));
  assert.equal(state(codes, "a"), "authorization_pending");
  for (const token of ["", code, secretOf("b"), codes.find(code, "ana").sha256])
    assert.equal(state(codes, "a", token), "expired_token");
  codes.deny(code, "ana");
  clock.pass(5000);
  assert.equal(state(codes, "a"), "access_denied");
  assert.throws(() => codes.find(code, "ana"), refused("login.refused"));
});

it("slows down whoever asks too often, five seconds more each time", () => {
  const { codes, clock } = setup();
  codes.ask(wanted("a"));
  const poll = () => codes.poll("a", secretOf("a"));
  assert.deepEqual(poll(), { state: "authorization_pending", interval_s: 5 });
  clock.pass(4999);
  assert.deepEqual(poll(), { state: "slow_down", interval_s: 10 });
  clock.pass(5000);
  assert.deepEqual(poll(), { state: "slow_down", interval_s: 15 });
  clock.pass(15_000);
  assert.deepEqual(poll(), { state: "authorization_pending", interval_s: 15 });
});

it("is good for ten minutes and for one approval, and waits again if that fails", async () => {
  const { codes, clock } = setup();
  const { code } = codes.ask(wanted("a"));
  await assert.rejects(
    codes.approve(code, "ana", () => Promise.reject(new Error("the disk is full"))),
    /full/,
  );
  let during: unknown = null;
  await codes.approve(code, "ana", async () => {
    // somebody else at the same moment
    during = await codes.approve(code, "ben", () => Promise.resolve()).catch((error: unknown) => error);
  });
  assert.equal((during as { code: string }).code, "login.refused");
  await assert.rejects(
    codes.approve(code, "cy", () => Promise.resolve()),
    refused("login.refused"),
  );
  const late = codes.ask(wanted("b"));
  clock.pass(10 * MINUTE);
  assert.throws(() => codes.find(late.code, "dan"), refused("login.refused"));
  assert.equal(state(codes, "b"), "expired_token");
});

it("looks at no more codes of somebody who gave five wrong ones, and at everybody else's", () => {
  const { codes, clock } = setup();
  const { code } = codes.ask(wanted("a"));
  for (let n = 0; n < 5; n++) assert.throws(() => codes.find("BBBB-BBBB", "eve"), refused("login.refused"));
  assert.throws(() => codes.find(code, "eve"), refused("request.too-many"));
  assert.equal(codes.find(code, "ana").id, "a");
  clock.pass(10 * MINUTE);
  const next = codes.ask(wanted("b"));
  assert.equal(codes.find(next.code, "eve").id, "b");
});

it("lets an address have ten that wait; when all are used up, the busiest address loses its oldest", () => {
  const { codes } = setup();
  const own = codes.ask(wanted("own", "10.9.9.9"));
  for (let n = 0; n < 10; n++) codes.ask(wanted(`a${n}`, "10.0.0.1"));
  assert.throws(() => codes.ask(wanted("a10", "10.0.0.1")), refused("request.too-many"));
  for (let at = 2; at < 30; at++)
    for (let n = 0; n < 10; n++) codes.ask(wanted(`n${at}-${n}`, `10.0.0.${at}`));
  assert.equal(codes.find(own.code, "ana").id, "own");
  assert.equal(state(codes, "a0"), "expired_token");
});
