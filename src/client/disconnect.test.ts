import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Refusal } from "../core/model/errors.ts";
import { FORBIDDEN, isDisconnect, refusalOf } from "./disconnect.ts";

const failed = (code: string, syscall = "connect") => Object.assign(new Error(code), { code, syscall });

describe("a daemon that went away", () => {
  it("is worth another try; one that may not be asked, or that refused, is not", () => {
    const lost = ["ECONNRESET", "EPIPE", "ECONNREFUSED", "ENOENT"].map((it) => failed(it));
    for (const it of [...lost, new Refusal("daemon.stopping", "…"), new Refusal("daemon.unreachable", "…")])
      assert.equal(isDisconnect(it), true, it.message);
    const forbidden = new Refusal("daemon.unreachable", "…", null, { reason: FORBIDDEN });
    for (const it of [failed("ENOENT", "open"), failed("EACCES"), forbidden, new Refusal("usage", "…"), null])
      assert.equal(isDisconnect(it), false, String(it));
  });
});

describe("what a person is told of a call that failed", () => {
  it("is the refusal, that the daemon went away, or else the error itself", () => {
    const refusal = new Refusal("usage", "no such thing");
    assert.equal(refusalOf(refusal), refusal);
    assert.match(refusalOf(failed("ECONNRESET", "read")).message, /^the daemon went away/);
    assert.equal(refusalOf(new Error("the disk is full")).message, "the disk is full");
  });
});
