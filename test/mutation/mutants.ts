/** The small mistakes that could be made in a source file: each is a place in it, and what would be written there. */
import { parseSync } from "oxc-parser";

export interface Mutant {
  id: number;
  file: string;
  line: number;
  start: number;
  end: number;
  /** What kind of mistake it is. */
  kind: string;
  /** What is written there instead. */
  text: string;
  /** A whole statement, not a value. */
  isStatement: boolean;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [name: string]: unknown;
}

type Found = Pick<Mutant, "kind" | "text"> & { at?: Node; isStatement?: boolean };

const FLIPPED: Record<string, readonly string[]> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
};
/** Calls that narrow or order what they are called on. */
const NARROWING = new Set(["filter", "sort", "reverse", "slice", "trim", "trimEnd", "toLowerCase"]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export function mutantsOf(file: string, source: string): Omit<Mutant, "id">[] {
  const { program, errors } = parseSync(file, source, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Omit<Mutant, "id">[] = [];
  const textOf = ({ start, end }: Node) => source.slice(start, end);

  function walk(node: Node, parent: Node | null, inFunction: boolean): void {
    if (node.type.startsWith("TS") && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return;
    if (inFunction)
      for (const { at = node, isStatement = false, ...more } of mistakes(node, parent, textOf))
        found.push({
          file,
          line: source.slice(0, at.start).split("\n").length,
          start: at.start,
          end: at.end,
          isStatement,
          ...more,
        });
    const isFunction = inFunction || FUNCTIONS.has(node.type);
    for (const [name, value] of Object.entries(node))
      for (const child of name === "parent" ? [] : [value].flat())
        if (isNode(child)) walk(child, node, isFunction);
  }

  walk(program as unknown as Node, null, false);
  return found;
}

function mistakes(node: Node, parent: Node | null, textOf: (node: Node) => string): Found[] {
  const part = (name: string) => node[name] as Node;
  switch (node.type) {
    case "BinaryExpression": {
      const [left, right] = [textOf(part("left")), textOf(part("right"))];
      return (FLIPPED[String(node.operator)] ?? []).map((it) => ({
        kind: `${node.operator} is ${it}`,
        text: `(${left}) ${it} (${right})`,
      }));
    }
    case "LogicalExpression": {
      const [left, right] = [textOf(part("left")), textOf(part("right"))];
      if (node.operator === "??") return [{ kind: "?? is left out", text: left }];
      const other = node.operator === "&&" ? "||" : "&&";
      return [{ kind: `${node.operator} is ${other}`, text: `(${left}) ${other} (${right})` }];
    }
    case "UnaryExpression":
      return node.operator === "!" ? [{ kind: "! is left out", text: textOf(part("argument")) }] : [];
    case "ConditionalExpression": {
      const [test, yes, no] = ["test", "consequent", "alternate"].map((it) => textOf(part(it)));
      return [{ kind: "the branches are swapped", text: `(${test}) ? (${no}) : (${yes})` }];
    }
    case "IfStatement":
      return ["true", "false"].map((it) => ({ kind: `if is ${it}`, text: it, at: part("test") }));
    case "ExpressionStatement":
      return node.directive ? [] : [{ kind: "a statement is left out", text: "", isStatement: true }];
    case "ThrowStatement":
    case "ContinueStatement":
      return [{ kind: "a statement is left out", text: "", isStatement: true }];
    case "ReturnStatement": {
      const value = node.argument as Node | null;
      if (value === null) return [{ kind: "a statement is left out", text: "", isStatement: true }];
      return [constantFor(value)].map((text) => ({ kind: `returns ${text}`, text, at: value }));
    }
    case "ArrowFunctionExpression": {
      const body = part("body");
      if (body.type === "BlockStatement") return [];
      return [{ kind: `returns ${constantFor(body)}`, text: constantFor(body), at: body }];
    }
    case "Literal":
      if (typeof node.value !== "number" || parent?.type === "Property") return [];
      return [-1, 1].map((by) => ({ kind: "is off by one", text: String((node.value as number) + by) }));
    case "ArrayExpression": {
      const elements = (node.elements as (Node | null)[]).filter(isNode);
      return elements.map((gone) => ({
        kind: "an element is left out",
        text: `[${elements
          .filter((it) => it !== gone)
          .map(textOf)
          .join(", ")}]`,
      }));
    }
    case "CallExpression": {
      const callee = part("callee");
      const name = (callee.property as Node | undefined)?.name;
      if (callee.type !== "MemberExpression" || !NARROWING.has(String(name)) || isInChain(node, parent))
        return [];
      return [{ kind: `.${name}() is left out`, text: textOf(callee.object as Node) }];
    }
    default:
      return [];
  }
}

/** Something of the same sort where that can be told, or its like would be found by any test at all. */
function constantFor(value: Node): string {
  if (value.type === "ArrayExpression") return "[]";
  if (value.type === "UnaryExpression" && value.operator === "!") return "true";
  if (value.type === "BinaryExpression" && /[=<>]/.test(String(value.operator))) return "true";
  return value.type === "Literal" && value.value === null ? "undefined" : "null";
}

/** Part of `a?.b.c()`: only the whole may be replaced. */
function isInChain(node: Node, parent: Node | null): boolean {
  return parent?.type === "ChainExpression" || node.optional === true || hasOptional(node);
}

function hasOptional(node: Node): boolean {
  const inner = (node.callee ?? node.object) as Node | undefined;
  return inner !== undefined && (inner.optional === true || hasOptional(inner));
}

function isNode(it: unknown): it is Node {
  return typeof it === "object" && it !== null && typeof (it as Node).type === "string";
}
