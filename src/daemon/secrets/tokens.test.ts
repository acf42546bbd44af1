import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import type { AgentId } from "../../core/model/ids.ts";
import { agentTokens } from "./tokens.ts";

const id = "agt-1" as AgentId;

function folder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-tokens-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true }));
  return dir;
}

describe("an agent's token", () => {
  it("is the same for everybody who wants it at once, and after a restart", async () => {
    const dir = folder();
    const tokens = agentTokens(dir);
    const all = await Promise.all([tokens.of(id), tokens.of(id), tokens.of(id)]);
    assert.equal(new Set(all).size, 1);
    const [token = ""] = all;
    const later = agentTokens(dir);
    await later.load([id]);
    assert.deepEqual([later.agentOf(token), await later.of(id)], [id, token]);
    assert.deepEqual(fs.readdirSync(path.join(dir, id)), ["token"]);
    assert.equal(fs.statSync(path.join(dir, id, "token")).mode & 0o777, 0o600);
  });

  it("is never empty, even if a daemon died as it wrote one: no token would make the agent a person", async () => {
    const dir = folder();
    fs.mkdirSync(path.join(dir, id));
    fs.writeFileSync(path.join(dir, id, "token"), "");
    fs.writeFileSync(path.join(dir, id, "token.new"), "half");
    const tokens = agentTokens(dir);
    await tokens.load([id]);
    assert.equal(tokens.agentOf(""), null);
    const token = await tokens.of(id);
    assert.match(token, /^[\w-]{43}$/);
    assert.equal(tokens.agentOf(token), id);
    assert.equal(tokens.agentOf(""), null);
  });

  it("counts no more once it is forgotten, here and after a restart", async () => {
    const dir = folder();
    const tokens = agentTokens(dir);
    const token = await tokens.of(id);
    await tokens.forget(id);
    await tokens.load([id]);
    assert.equal(tokens.agentOf(token), null);
    assert.notEqual(await tokens.of(id), token);
  });
});
