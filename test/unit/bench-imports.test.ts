/** `npm run bench -- --only policy` must not install programs of others: what installs them is loaded when it is wanted. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";

const TEST = path.join(import.meta.dirname, "..");

/** Every file that is loaded with this one. */
function loadedWith(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const text = fs.readFileSync(file, "utf8");
  for (const [, type, name = ""] of text.matchAll(/^(?:import|export)( type)?\b[^;]*? from "(\.[^"]+)";/gms))
    if (type === undefined) loadedWith(path.resolve(path.dirname(file), name), known);
  return known;
}

it("the benchmarks install a program only for those that measure it", () => {
  const all = loadedWith(path.join(TEST, "bench/main.ts"));
  assert.ok(all.has(path.join(TEST, "bench/policy.ts")));
  assert.deepEqual(
    [...all].filter((it) => path.basename(it) === "install.ts").map((it) => path.relative(TEST, it)),
    [],
  );
  const clients = loadedWith(path.join(TEST, "bench/clients.ts"));
  assert.ok(clients.has(path.join(TEST, "codex/install.ts")), "that is how an installer would be found");
  const peers = loadedWith(path.join(TEST, "bench/peers/peers.ts"));
  assert.ok(peers.has(path.join(TEST, "bench/peers/install.ts")));
});
