/** `npm run bench` installs no programs of others unless they are named. */
import assert from "node:assert/strict";
import { it } from "vitest";
import { partsFor } from "../bench/parts.ts";

const ALL = ["latency", "cli", "peers"];

it("runs every part, except those that must be named", () => {
  assert.deepEqual(partsFor(undefined, ALL), ["latency", "cli"]);
});

it("runs what is named, in the order of the table", () => {
  assert.deepEqual(partsFor("peers", ALL), ["peers"]);
  assert.deepEqual(partsFor("cli, latency", ALL), ["latency", "cli"]);
});

it("refuses a name that no part has, and says which there are", () => {
  assert.equal(partsFor("cli,peer", ALL), "there is no part peer; there are latency, cli, peers");
});
