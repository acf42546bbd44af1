import assert from "node:assert/strict";
import fc from "fast-check";
import type { Node as Parsed } from "jsonc-parser";
import { parseTree } from "jsonc-parser";
import { describe, it } from "vitest";
import { plainJson } from "./json-comments.ts";
import type { Node } from "./json-text.ts";
import { memberOf, putIn, readJson, takeOut } from "./json-text.ts";

/** Any JSON in any spacing: blanks and comments may be wherever JSON allows blanks. */
const text = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.constantFrom(undefined, 1, 2, "\t"),
    fc.constantFrom("", " ", "\r\n", "\t \n", "\n/* , */", " // ]}\n"),
  )
  .map(([json, indent, blank]) => {
    const spaced = JSON.stringify(JSON.parse(json), null, indent);
    return blank + spaced.replaceAll("\n", blank || "\n") + blank;
  });

/** The tree in the shape of jsonc-parser's: where each thing begins and ends. */
function places(node: Node): unknown {
  const { start, end } = node;
  if (node.kind === "object")
    return { start, end, in: node.members.map((it) => ({ ...it, value: places(it.value) })) };
  return { start, end, in: node.kind === "array" ? node.items.map(places) : [] };
}

function placesIn(node: Parsed): unknown {
  const [start, end] = [node.offset, node.offset + node.length];
  const children = node.children ?? [];
  if (node.type !== "object") return { start, end, in: children.map(placesIn) };
  return {
    start,
    end,
    in: children.map(({ offset, length, children: [key, value] = [] }) => ({
      key: key?.value as string,
      value: value && placesIn(value),
      start: offset,
      end: offset + length,
    })),
  };
}

describe("JSON as the text that somebody wrote", () => {
  it("is read as jsonc-parser reads it, to the character", () => {
    fc.assert(
      fc.property(text, (json) => {
        const tree = parseTree(json);
        assert.deepEqual(places(readJson(json)), tree && placesIn(tree));
      }),
      { numRuns: 500 },
    );
  });

  it("is the same again when what was put in is taken out", () => {
    fc.assert(
      fc.property(text, fc.jsonValue(), (json, value) => {
        const root = readJson(json);
        if (root.kind === "value") return;
        const count = root.kind === "object" ? root.members.length : root.items.length;
        const more = putIn(json, root, value, 1, root.kind === "object" ? "ours" : undefined);
        assert.doesNotThrow(() => JSON.parse(plainJson(more)) as unknown);
        assert.equal(takeOut(more, readJson(more), count), json);
      }),
      { numRuns: 500 },
    );
  });

  it("has the last of two members with one name, as JSON.parse does", () => {
    const json = `{"a": 1, "a": 2}`;
    const { value } = memberOf(readJson(json), "a") ?? {};
    assert.equal(value && json.slice(value.start, value.end), "2");
  });
});
