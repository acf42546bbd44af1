/** The note that tells scripts that dist/ need not be built again. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, it } from "vitest";
import { buildIfChanged, isFresh } from "../../scripts/build.mjs";
import { also } from "../everything.ts";

const ROOT = path.join(import.meta.dirname, "../..");

also(
  "npm run build leaves the note that dist/ is fresh, and the pages as they are if their sources are",
  async () => {
    await buildIfChanged();
    const pagesAt = () => fs.statSync(path.join(ROOT, "dist/web/index.html")).mtimeMs;
    const before = pagesAt();
    fs.rmSync(path.join(ROOT, "node_modules/.cache/oddjobs/built"), { force: true });
    assert.equal(isFresh(), false);
    execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT, stdio: "ignore" });
    assert.equal(isFresh(), true);
    assert.equal(pagesAt(), before);
  },
  600_000,
);

describe("the browser's inbox", () => {
  const WEB = path.join(ROOT, "dist/web");
  const filesOf = (extension: string) =>
    fs.readdirSync(WEB, { encoding: "utf8", recursive: true }).filter((it) => it.endsWith(extension));

  beforeAll(buildIfChanged, 600_000);

  it("sends less than 150 KB of compressed script", () => {
    const sizes = filesOf(".js").map((it) => gzipSync(fs.readFileSync(path.join(WEB, it))).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(sizes.length > 0);
    assert.ok(total < 150 * 1024, `${Math.round(total / 1024)} KB`);
  });

  it("has a page without inline scripts or styles, which a strict policy would refuse", () => {
    assert.deepEqual(filesOf(".html"), ["index.html"]);
    const page = fs.readFileSync(path.join(WEB, "index.html"), "utf8");
    assert.match(page, /<script type="module"[^>]* src="\/assets\/[^"]+\.js"><\/script>/);
    assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|style=|\son\w+=|https?:/);
  });
});
