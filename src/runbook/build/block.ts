/**
 * Reads one block by its spec: its name, its attributes, its inner blocks. Putting blocks together is up to build.ts.
 */

import { suggest } from "../../core/text/suggest.ts";
import type { Report } from "../hcl/source.ts";
import type { Block, Value } from "../hcl/syntax.ts";
import type { Fields, Given, Read } from "./fields.ts";
import { meant, readFields } from "./fields.ts";
import type { BlockSpec } from "./schema.ts";
import { insteadOf, NAME } from "./shape.ts";

export interface ReadBlock<F extends Fields> {
  /** Null if the block has no name, or one that can't be read. */
  name: string | null;
  /** The block as messages write it: `step "build"`. */
  what: string;
  values: Read<F>;
  inner: { kind: string; block: Block }[];
  /** Whether this attribute or block is there, even misspelled or unreadable. */
  has(name: string): boolean;
}

export function readBlock<F extends Fields>(spec: BlockSpec<F>, block: Block, report: Report): ReadBlock<F> {
  const name = readName(spec, block, report);
  const what = name === null ? spec.kind : `${spec.kind} "${name}"`;
  const known = [...Object.keys(spec.attributes), ...Object.keys(spec.blocks)];
  const mentioned = new Set(
    block.items.map((it) => meant(it.type === "attribute" ? it.name : it.kind, known)),
  );
  const given = new Map<string, Given>();
  const inner: ReadBlock<F>["inner"] = [];
  for (const item of block.items) {
    if (item.type === "attribute") {
      if (Object.hasOwn(spec.blocks, item.name)) {
        report(item.at, `${item.name} is a block`, `write ${item.name} { … } without =`);
      } else give({ name: item.name, at: item.at, value: item.value });
    } else if (spec.asBlock.includes(item.kind)) {
      give({ name: item.kind, at: item.at, value: asObject(item, report) });
    } else {
      const kind = innerKind(spec, what, item, report);
      if (kind !== null) inner.push({ kind, block: item });
    }
  }
  const holder = { what, at: block.at, broken: block.broken, mentioned };
  const values = readFields(spec.attributes, [...given.values()], holder, report);
  return { name, what, values, inner, has: (it) => block.broken || mentioned.has(it) };

  function give(one: Given): void {
    if (given.has(one.name)) report(one.at, `"${one.name}" is set twice`);
    else given.set(one.name, one);
  }
}

function readName(spec: BlockSpec, block: Block, report: Report): string | null {
  const [label, another] = block.labels;
  if (!spec.named) {
    if (label) report(label.at, `${spec.kind} takes no name`, `write ${spec.kind} { … }`);
    return null;
  }
  if (another) report(another.at, `${spec.kind} takes only one name`);
  if (!label) report(block.at, `${spec.kind} needs a name`, `write ${spec.kind} "name" { … }`);
  if (!label) return null;
  if (NAME.test(label.text)) return label.text;
  if (spec.named === "any text" && label.text.trim() !== "") return label.text;
  if (spec.named === "in words") {
    if (/^[^\p{C}"\\]{1,80}$/u.test(label.text) && label.text.trim() === label.text) return label.text;
    report(
      label.at,
      `"${label.text}" is not a valid name for ${spec.kind}`,
      "up to 80 characters, no quotes",
    );
    return null;
  }
  report(
    label.at,
    `"${label.text}" is not a valid name for ${spec.kind}`,
    spec.named === "any text" ? "it is empty" : "a name has letters, digits, _ and -",
  );
  return null;
}

/** The kind of an inner block. A misspelled one is read as what was meant, so that more problems are found at once. */
function innerKind(spec: BlockSpec, what: string, block: Block, report: Report): string | null {
  if (Object.hasOwn(spec.blocks, block.kind)) return block.kind;
  if (Object.hasOwn(spec.attributes, block.kind)) {
    report(block.at, `${block.kind} is an attribute`, `write ${block.kind} = …`);
    return null;
  }
  const kinds = [...Object.keys(spec.blocks), ...spec.asBlock];
  report(block.at, `${what} has no block "${block.kind}"`, insteadOf(block.kind, kinds));
  return suggest(block.kind, Object.keys(spec.blocks));
}

/** `notify { … }` means `notify = { … }`. */
function asObject(block: Block, report: Report): Value {
  const [label] = block.labels;
  if (label) report(label.at, `${block.kind} takes no name`, `write ${block.kind} { … }`);
  const entries = block.items.flatMap((item) => {
    if (item.type === "attribute") return [{ key: item.name, at: item.at, value: item.value }];
    report(item.at, `${block.kind} can't contain blocks`, `write ${item.kind} = …`);
    return [];
  });
  return { type: "object", entries, at: block.at };
}
