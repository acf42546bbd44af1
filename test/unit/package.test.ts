/** What readers of the published package click on is in it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const { files } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as { files: string[] };
const LINK = /\]\((?!https?:|#|mailto:)([^)\s#]+)|src="(?!https?:)([^"]+)"/g;

function isPacked(file: string): boolean {
  return files.some((it) => file === it || file.startsWith(`${it}/`));
}

it("every link of the README and the pages in docs leads to a file of the package", () => {
  const pages = fs
    .readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((it) => it.endsWith(".md"))
    .map((it) => path.join("docs", it));
  const broken = ["README.md", "CHANGELOG.md", ...pages].flatMap((page) =>
    [...fs.readFileSync(path.join(root, page), "utf8").matchAll(LINK)]
      .map((it) => path.join(path.dirname(page), it[1] ?? it[2] ?? ""))
      .filter((to) => !isPacked(to) || !fs.existsSync(path.join(root, to)))
      .map((to) => `${page} → ${to}`),
  );
  assert.deepEqual(broken, []);
});
