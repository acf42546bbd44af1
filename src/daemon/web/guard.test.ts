import assert from "node:assert/strict";
import { it } from "vitest";
import { guard, originsOf } from "./guard.ts";

const origins = originsOf(4711, "https://oj.example.com");

/** Whether a change by that page at that address is let in. */
function isIn(host: string, origin: string): boolean {
  const headers = { host, origin, "content-type": "application/json", "sec-fetch-site": "same-origin" };
  try {
    guard({ method: "POST", url: "/api/decisions", headers }, origins);
    return true;
  } catch {
    return false;
  }
}

it("lets the inbox in at its address on this machine and at web.url, each with its own origin", () => {
  for (const [host, origin] of [
    ["127.0.0.1:4711", "http://127.0.0.1:4711"],
    ["localhost:4711", "http://localhost:4711"],
    ["oj.example.com", "https://oj.example.com"],
  ] as const)
    assert.ok(isIn(host, origin), host);
});

it("keeps other names out, and other pages at a name of ours", () => {
  for (const [host, origin] of [
    ["oj.example.com", "http://oj.example.com"],
    ["oj.example.com", "https://127.0.0.1:4711"],
    ["127.0.0.1:4711", "https://oj.example.com"],
    ["oj.example.com:4711", "https://oj.example.com:4711"],
    ["evil.example", "https://evil.example"],
  ] as const)
    assert.ok(!isIn(host, origin), `${host} ${origin}`);
});

it("has the addresses of this machine alone without web.url, or with one that is none", () => {
  for (const url of [null, "nonsense", "http://127.0.0.1:4711"])
    assert.deepEqual(
      [...originsOf(4711, url)],
      [
        ["127.0.0.1:4711", "http://127.0.0.1:4711"],
        ["localhost:4711", "http://localhost:4711"],
      ],
    );
});
