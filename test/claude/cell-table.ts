/**
 * What the tests with the real client saw, cell by cell. The tests write these files themselves, with `OJ_SAVE_CELLS=1
 * npm run test:claude`; without it, a difference fails the test that saw it. The table in docs/agents.md is printed
 * from them.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Row } from "./cell-rows.ts";
import { ROWS } from "./cell-rows.ts";
import { EVERYTHING } from "./everything.ts";

export const WAYS = ["usual", "keys", "restart", "gone"] as const;
export type Way = (typeof WAYS)[number];
export type Seen = Record<string, string>;

const FOLDER = path.join(import.meta.dirname, "../fixtures/claude-cells");
const HEADS: Record<Way, string> = {
  usual: "as usual",
  keys: "by keys",
  restart: "`oj` killed right after",
  gone: "agent killed before it heard",
};

export function cellOf({ source, name }: Row): string {
  return `${source}: ${name}`;
}

function savedCells(way: Way): Seen {
  const file = path.join(FOLDER, `${way}.json`);
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as Seen) : {};
}

/** Compares what was seen with what was saved, or saves it. */
export function compare(way: Way, seen: Seen): void {
  const ordered = Object.fromEntries(ROWS.map(cellOf).flatMap((it) => (it in seen ? [[it, seen[it]]] : [])));
  assert.deepEqual(Object.keys(seen).toSorted(), Object.keys(ordered).toSorted(), "each cell is a row");
  if (process.env.OJ_SAVE_CELLS)
    fs.writeFileSync(path.join(FOLDER, `${way}.json`), `${JSON.stringify(ordered, null, 2)}\n`);
  else {
    const known = savedCells(way);
    const walked = Object.fromEntries(Object.keys(ordered).map((it) => [it, known[it]]));
    assert.deepEqual(ordered, EVERYTHING ? known : walked);
  }
}

/** The table as it is in the docs. */
export function printed(): string {
  const cells = Object.fromEntries(WAYS.map((it) => [it, savedCells(it)])) as Record<Way, Seen>;
  const lines = ROWS.map((row) => {
    const columns = WAYS.map((way) => cells[way][cellOf(row)] ?? "–");
    return `| ${[row.source, row.name, ...columns].join(" | ")} |`;
  });
  const head = ["source", "answer", ...WAYS.map((it) => HEADS[it])];
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...lines].join("\n");
}
