import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { fakePorts } from "../fakes/ports.ts";

const CONTRACTS = path.join(import.meta.dirname, "../contracts");

it("every port has a contract, and a test that runs it against the adapter and the fake", () => {
  // what channels load is tested against servers that behave as the services do: test/fakes/servers/
  const { channels: _, ...ports } = fakePorts();
  for (const port of Object.keys(ports)) {
    const name = port.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`);
    assert.ok(fs.existsSync(path.join(CONTRACTS, `${name}.contract.ts`)), `${port} has no contract`);
    const test = fs.readFileSync(path.join(CONTRACTS, `${name}.test.ts`), "utf8");
    const runs = test.match(new RegExp(`^${port}Contract\\(`, "gm")) ?? [];
    assert.ok(runs.length >= 2, `the contract of ${port} is run ${runs.length} times`);
    assert.match(test, /from "\.\.\/fakes\/fake-/, `the fake of ${port} is not under test`);
  }
});
