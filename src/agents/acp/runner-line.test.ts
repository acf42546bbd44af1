import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { clientLine } from "../known/clients.ts";
import { behindRunner } from "./runner-line.ts";

describe("a run line behind our runner", () => {
  it("has the runner before the program, and its variables before both", () => {
    const lines: [string, string][] = [
      ["opencode", "oj-acp -s opencode -x --oj"],
      ["exec opencode --pure ", "oj-acp -s opencode --pure -x --oj"],
      [`A=1 B='x y' C="a \\" b" opencode`, `A=1 B='x y' C="a \\" b" oj-acp -s opencode -x --oj`],
      ["env A=1 npx opencode-ai", "oj-acp -s env A=1 npx opencode-ai -x --oj"],
      ["export -n x; A=1 opencode", "export -n x; A=1 oj-acp -s opencode -x --oj"],
      ['"/my tools/opencode"', 'oj-acp -s "/my tools/opencode" -x --oj'],
    ];
    for (const [line, expected] of lines) assert.equal(behindRunner(line, "-s ", " -x"), expected, line);
  });

  it("is that of a client only if the client waits for words", () => {
    const kinds: [string, string][] = [
      ["opencode", "opencode"],
      ["DEBUG=1 /opt/bin/opencode --model a/b", "opencode"],
      ["npx opencode-ai@1.18.33", "opencode"],
      ["opencode run hello", "program"],
      ["opencode serve", "program"],
      ["gemini", "gemini"],
      ["npx @google/gemini-cli --model x", "gemini"],
      ["gemini -p hello", "program"],
      ["gemini mcp list", "program"],
      ["gemini --acp", "program"],
      ["acp:gemini --acp", "acp"],
      ["acp:opencode acp", "acp"],
    ];
    for (const [line, kind] of kinds) assert.equal(clientLine(line).kind, kind, line);
  });
});
