/** The contract of reading agents' files, kept on the disk and by the fake, and what can only happen on a disk. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { sourceReader } from "../../src/adapters/files/read-source.ts";
import { fakeReadSource } from "../fakes/fake-read-source.ts";
import { readSourceContract } from "./read-source.contract.ts";
import { tempFolder } from "./temp.ts";

async function onDisk() {
  const dir = await tempFolder();
  const [folder, beside] = [path.join(dir, "shop"), path.join(dir, "shop-2")] as const;
  for (const it of [folder, beside]) fs.mkdirSync(it);
  return {
    readSource: sourceReader(),
    folder,
    beside,
    write: (file: string, text: string) => fs.writeFileSync(file, text),
  };
}

readSourceContract("on the disk", onDisk);

readSourceContract("the fake", async () => {
  const readSource = fakeReadSource();
  const write = (file: string, text: string) => void readSource.sources.set(file, text);
  return { readSource, folder: "/shop", beside: "/shop-2", write };
});

describe("reading an agent's file on the disk", () => {
  it("follows links, but not out of the folder", async () => {
    const { readSource, folder, beside, write } = await onDisk();
    const at = { cwd: folder, roots: [folder] };
    write(path.join(folder, "a"), "in");
    write(path.join(beside, "b"), "out");
    fs.symlinkSync("a", path.join(folder, "to-a"));
    fs.symlinkSync(path.join(beside, "b"), path.join(folder, "to-b"));
    fs.symlinkSync(beside, path.join(folder, "to-folder"));
    fs.symlinkSync("nothing", path.join(folder, "to-nothing"));
    fs.symlinkSync("loop", path.join(folder, "loop"));
    const outside = { unread: "the file is outside the agent's folder" };
    assert.deepEqual(await readSource("to-a", at), { text: "in" });
    assert.deepEqual(await readSource("to-b", at), outside);
    assert.deepEqual(await readSource("to-folder/b", at), outside);
    assert.deepEqual(await readSource("to-folder/new", at), outside);
    assert.deepEqual(await readSource("to-nothing", at), { unread: "the file is a broken link" });
    assert.deepEqual(await readSource("loop", at), { unread: "the file could not be read" });
  });

  it("opens no pipe, no device and no folder", async () => {
    const { readSource, folder } = await onDisk();
    execFileSync("mkfifo", [path.join(folder, "pipe")]);
    const unread = { unread: "it is not a regular file" };
    assert.deepEqual(await readSource("pipe", { cwd: folder, roots: [folder] }), unread);
    assert.deepEqual(await readSource(".", { cwd: folder, roots: [folder] }), unread);
    assert.deepEqual(await readSource("/dev/zero", { cwd: folder, roots: ["/dev"] }), unread);
  });

  it("reads no file that is too large, not UTF-8 or not named properly", async () => {
    const { readSource, folder } = await onDisk();
    const at = { cwd: folder, roots: [folder] };
    fs.writeFileSync(path.join(folder, "large"), "x".repeat(600_000));
    fs.writeFileSync(path.join(folder, "latin"), Buffer.from([0xe9, 0x0a]));
    assert.deepEqual(await readSource("large", at), { unread: "the file is too large" });
    assert.deepEqual(await readSource("latin", at), { unread: "the file is not text" });
    const failed = { unread: "the file could not be read" };
    assert.deepEqual(await readSource("a\0b", at), failed);
    assert.deepEqual(await readSource("x".repeat(5000), at), failed);
    assert.deepEqual(await readSource("a/b", { cwd: path.join(folder, "large"), roots: [folder] }), failed);
  });
});
