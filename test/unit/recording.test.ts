/** The recording of the tour in the README: small, and safe wherever it is shown. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const svg = fs.readFileSync(path.join(root, "docs/pictures/tour.svg"), "utf8");

it("the recording is the first picture of the README", () => {
  const [, first] = /<img src="([^"]+)"/.exec(fs.readFileSync(path.join(root, "README.md"), "utf8")) ?? [];
  assert.equal(first, "docs/pictures/tour.svg");
});

it("the recording moves for 15 seconds, with a still picture for those who want no motion", () => {
  assert.match(svg, /animation:f\d+ 15s step-end infinite/);
  assert.match(svg, /@media \(prefers-reduced-motion: reduce\)\{g\{animation:none!important\}\}/);
  assert.match(svg, /<desc>[^<]*needs your yes/);
});

it("the recording shows every step of the tour", () => {
  for (const step of [1, 2, 3, 4]) assert.ok(svg.includes(`Step ${step} of 4`), `step ${step}`);
  assert.ok(svg.includes("All 4 jobs completed."));
});

it("the recording is small, and loads and runs nothing", () => {
  expect(svg.length).toBeLessThan(300_000);
  assert.doesNotMatch(svg, /<script|<foreignObject|<image|href=|url\(|@import|\son\w+=/);
});
