import assert from "node:assert/strict";
import { it } from "vitest";
import { scopesIn } from "./scopes.ts";

it("takes scopes in one list or one after the other, each once, and refuses what is none", () => {
  assert.deepEqual(scopesIn(["read,answer"]), ["read", "answer"]);
  assert.deepEqual(scopesIn(["read", "answer, ask", "read"]), ["read", "answer", "ask"]);
  assert.throws(() => scopesIn(["read", "fly"]), /"fly" is not a scope/);
});
