/** What everything that reads agents' files keeps to. */
import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "vitest";
import type { ReadSource } from "../../src/ports.ts";

export interface SourceUnderTest {
  readSource: ReadSource;
  /** A folder, and another one beside it. */
  folder: string;
  beside: string;
  write(file: string, text: string): void;
}

export function readSourceContract(name: string, make: () => Promise<SourceUnderTest>): void {
  describe(`reading an agent's file, ${name}`, () => {
    it("finds its text, by an absolute path or from the agent's folder", async () => {
      const { readSource, folder, write } = await make();
      const at = { cwd: folder, roots: [folder] };
      write(path.join(folder, "a.ts"), "const é = 1;\r\n");
      assert.deepEqual(await readSource("a.ts", at), { text: "const é = 1;\r\n" });
      assert.deepEqual(await readSource(path.join(folder, "a.ts"), at), { text: "const é = 1;\r\n" });
      write(path.join(folder, "a.ts"), "");
      assert.deepEqual(await readSource("./x/../a.ts", at), { text: "" });
    });

    it("finds no text where there is no file, or not even a folder", async () => {
      const { readSource, folder } = await make();
      const at = { cwd: folder, roots: [folder] };
      assert.deepEqual(await readSource("b.ts", at), { text: null });
      assert.deepEqual(await readSource("no/such/folder/b.ts", at), { text: null });
    });

    it("does not look outside the folders that it was given", async () => {
      const { readSource, folder, beside, write } = await make();
      write(path.join(beside, "secret"), "s3cret");
      const unread = { unread: "the file is outside the agent's folder" };
      for (const file of [path.join(beside, "secret"), `../${path.basename(beside)}/secret`, "../nothing"])
        assert.deepEqual(await readSource(file, { cwd: folder, roots: [folder] }), unread, file);
      const both = { cwd: folder, roots: [folder, beside] };
      assert.deepEqual(await readSource(path.join(beside, "secret"), both), { text: "s3cret" });
    });

    it("reads nothing but text", async () => {
      const { readSource, folder, write } = await make();
      write(path.join(folder, "a.bin"), "PNG\0\0");
      assert.deepEqual(await readSource("a.bin", { cwd: folder, roots: [folder] }), {
        unread: "the file is not text",
      });
    });
  });
}
