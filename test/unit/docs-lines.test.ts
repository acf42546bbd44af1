/** The pages of the documentation are wrapped at 100 characters. Tables, code, HTML and pictures can't be. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");
const WIDTH = 100;

describe("no line is wider than 100 characters in", () => {
  for (const page of pages()) {
    it(page, () => assert.deepEqual(wideLines(fs.readFileSync(path.join(ROOT, page), "utf8")), []));
  }
});

it("a wide line is found, outside of tables and code", () => {
  const wide = "word ".repeat(30).trim();
  const text = ["fine", wide, `| ${wide} |`, "```sh", wide, "```", `- ${wide}`, `![${wide}](it.png)`].join(
    "\n",
  );
  assert.deepEqual(wideLines(text), [`2: ${wide}`, `7: - ${wide}`]);
});

function pages(): string[] {
  const inRoot = fs.readdirSync(ROOT);
  const inDocs = fs.readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  return [...inRoot, ...inDocs.map((it) => path.join("docs", it))].filter((it) => it.endsWith(".md"));
}

function wideLines(text: string): string[] {
  let isCode = false;
  return text.split("\n").flatMap((line, at) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode || /^\s*(?:\||<|!\[)/.test(line)) return [];
    return [...line].length > WIDTH ? [`${at + 1}: ${line}`] : [];
  });
}
