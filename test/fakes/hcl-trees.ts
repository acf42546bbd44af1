/** Generates syntax trees, and prints them as HCL in the strictest or the loosest form. */

import fc from "fast-check";
import { parseHcl } from "../../src/runbook/hcl/hcl.ts";
import type { Finding } from "../../src/runbook/hcl/source.ts";
import { sourceOf } from "../../src/runbook/hcl/source.ts";
import type { Item, Value } from "../../src/runbook/hcl/syntax.ts";

/** A tree without positions. */
export type Tree = Node[];
export type Node = { name: string; value: Plain } | { kind: string; labels: string[]; items: Tree };
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

const letter = fc.constantFrom(..."abcdefgh \t\n\r\"\\$%é日😀\u0007'#/<>");
const template = fc.constantFrom(
  "${var.x}",
  '${file("a}.md")}',
  '${x["k"]}',
  "$${raw}",
  "%%{raw}",
  " {x} ",
  "}",
);
const text = fc
  .array(fc.oneof({ weight: 5, arbitrary: letter }, { weight: 1, arbitrary: template }), { maxLength: 12 })
  .map((it) => it.join(""));
const number = fc.oneof(
  fc.integer(),
  fc.integer({ min: -99, max: 99 }).map((it) => it / 4),
);

const { value } = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b-c", "d e", "true", "1", "é"), tie("value"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

/**
 * Attributes begin with a, blocks with b, so that nobody confuses them. Blocks of one kind have the same number of
 * labels.
 */
export const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.uniqueArray(
    fc.oneof(
      { maxDepth: 4 },
      fc
        .tuple(fc.constantFrom("a", "a1", "a-2", "a_3", "aé"), value)
        .map(([name, of]) => ({ name, value: of })),
      fc
        .tuple(
          fc.constantFrom(0, 1, 2),
          fc.array(fc.constantFrom("x", "y-z", "two words"), { minLength: 2, maxLength: 2 }),
          tie("tree"),
        )
        .map(([count, labels, items]) => ({
          kind: `b${count}`,
          labels: labels.slice(0, count),
          items,
        })),
    ),
    { maxLength: 4, selector: (it) => ("name" in it ? it.name : Symbol()) },
  ),
})).tree;

export function parseTree(content: string): { tree: Tree; findings: Finding[] } {
  const findings: Finding[] = [];
  const items = parseHcl(sourceOf("x.hcl", content), (at, message, hint) =>
    findings.push({ at, message, hint }),
  );
  return { tree: items.map(plainItem), findings };
}

/** One item per line, which every HCL parser accepts. */
export function printStrict(tree: Tree, indent = ""): string {
  return tree
    .map((node) => {
      if ("name" in node) return `${indent}${node.name} = ${printValue(node.value)}\n`;
      const head = [node.kind, ...node.labels.map((it) => JSON.stringify(it))].join(" ");
      return `${indent}${head} {\n${printStrict(node.items, `${indent}  `)}${indent}}\n`;
    })
    .join("");
}

/** Everything on one line. */
export function printLoose(tree: Tree): string {
  return tree
    .map((node) => {
      if ("name" in node) return `${node.name}=${printValue(node.value)}`;
      const head = [
        node.kind,
        ...node.labels.map((it) => (/^[\w-]+$/.test(it) ? it : JSON.stringify(it))),
      ].join(" ");
      return `${head}{${printLoose(node.items)}}`;
    })
    .join(" ");
}

function printValue(of: Plain): string {
  if (typeof of === "string") return `"${printText(of)}"`;
  if (Array.isArray(of)) return `[${of.map(printValue).join(", ")}]`;
  if (of === null || typeof of !== "object") return String(of);
  return `{ ${Object.entries(of)
    .map(([key, it]) => `${/^[a-z-]+$/.test(key) ? key : JSON.stringify(key)} = ${printValue(it)}`)
    .join(", ")} }`;
}

/** Escapes everything outside `${…}`. */
function printText(of: string): string {
  return of.replaceAll(/\$\$\{|\$\{(?:"[^"]*"|[^"}])*\}|["\\\n\r]/g, (it) =>
    it.length > 1 ? it : JSON.stringify(it).slice(1, -1),
  );
}

function plainItem(item: Item): Node {
  if (item.type === "attribute") return { name: item.name, value: plainValue(item.value) };
  return { kind: item.kind, labels: item.labels.map((it) => it.text), items: item.items.map(plainItem) };
}

function plainValue(of: Value): Plain {
  switch (of.type) {
    case "list":
      return of.items.map(plainValue);
    case "object":
      return Object.fromEntries(of.entries.map((it) => [it.key, plainValue(it.value)]));
    case "null":
    case "bad":
      return null;
    case "call":
      return `\${${of.name}("${of.argument.value}")}`;
    default:
      return of.value;
  }
}
