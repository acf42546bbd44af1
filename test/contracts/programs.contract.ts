/** What every `Programs` keeps to. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Programs } from "../../src/ports.ts";

export interface ProgramsUnderTest {
  programs: Programs;
  at: { cwd: string; env: Readonly<Record<string, string>> };
  install(name: string, version: string): void;
}

export function programsContract(name: string, make: () => Promise<ProgramsUnderTest>): void {
  describe(`programs, ${name}`, () => {
    it("say their version, and null where there is none of that name", async () => {
      const { programs, at, install } = await make();
      assert.equal(await programs.version("claude", at), null);
      install("claude", "1.2.3");
      install("other", "10.0.1");
      assert.equal(await programs.version("claude", at), "1.2.3");
      assert.equal(await programs.version("other", at), "10.0.1");
      assert.equal(await programs.version("nothing-of-that-name", at), null);
    });

    it("say the new version when they have been replaced", async () => {
      const { programs, at, install } = await make();
      install("claude", "1.2.3");
      assert.equal(await programs.version("claude", at), "1.2.3");
      install("claude", "2.0.10");
      assert.equal(await programs.version("claude", at), "2.0.10");
    });
  });
}
