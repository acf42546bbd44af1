/** Every source file that the documentation names exists. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");
/** Names in the pages that stand for any file, or for one of a reader's project. */
const EXAMPLES = [
  "src/core/x.test.ts",
  "test/specs/x.test.ts",
  "src/errors.ts",
  "release.mjs",
  "two-steps.mjs",
  "watch.mjs",
];
const files = ["src", "test", "scripts"].flatMap((it) => filesIn(it));

describe("every file exists that is named in", () => {
  for (const page of pages()) {
    it(page, () => assert.deepEqual(missingIn(fs.readFileSync(path.join(ROOT, page), "utf8"), page), []));
  }
});

function missingIn(text: string, page: string): string[] {
  // the diagrams of ARCHITECTURE.md are in fences; elsewhere those hold files of a reader's project
  const prose = page === "ARCHITECTURE.md" ? text : text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const named = [...prose.matchAll(/(?<![\w./*-])[\w./*-]+\.(?:tsx?|mjs)\b/g)].map((it) => it[0]);
  return [...new Set(named)].filter((it) => !EXAMPLES.includes(it) && !exists(it));
}

function exists(name: string): boolean {
  const pattern = name.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
  const end = new RegExp(`(?:^|/)${pattern}$`);
  return files.some((it) => end.test(it));
}

function pages(): string[] {
  return [...fs.readdirSync(ROOT), ...filesIn("docs")].filter((it) => it.endsWith(".md"));
}

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((it) => path.posix.join(folder, it));
}
