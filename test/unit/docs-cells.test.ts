/** The table of answers in docs/agents.md is what the tests with the real client saw. `OJ_SAVE_CELLS=1` prints it again. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { printed } from "../claude/cell-table.ts";

const PAGE = path.join(import.meta.dirname, "../../docs/agents.md");
const PART = /(<!-- cells -->\n)[\s\S]*?(\n<!-- \/cells -->)/;

it("docs/agents.md has the table of reports exactly as the tests with the real client saw them", () => {
  const page = fs.readFileSync(PAGE, "utf8");
  assert.match(page, PART);
  const anew = page.replace(PART, (_, begin: string, end: string) => `${begin}${printed()}${end}`);
  if (process.env.OJ_SAVE_CELLS) fs.writeFileSync(PAGE, anew);
  else assert.equal(page, anew);
});
