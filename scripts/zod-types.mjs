/** Replaces types inferred from zod schemas in a declaration file with plain types, so that its readers need no zod. */
import fs from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";

/** @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node */
/** What a schema returns, or what it accepts. @typedef {"output" | "input"} Side */

/**
 * Changes every file of a folder in place.
 * @param {string} folder  @param {string} sources  where the schemas are, with their comments
 */
export function workOutTypes(folder, sources) {
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const file = path.join(folder, name);
    const source = fs.readFileSync(path.join(sources, name.replace(/\.d\.ts$/, ".ts")), "utf8");
    fs.writeFileSync(file, plainTypes(fs.readFileSync(file, "utf8"), source));
  }
}

/**
 * Replaces `export type View = z.infer<typeof view>` with the type itself. Schemas are dropped, and so is a type
 * derived from one in another way.
 * @param {string} declarations  what tsc made of the source  @param {string} source  @returns {string}
 */
export function plainTypes(declarations, source) {
  const comments = commentsOf(source);
  const nodes = parse("a.d.ts", declarations);
  const slice = (/** @type {Node} */ node) => declarations.slice(node.start, node.end);
  /** @type {Map<string, Node>} */
  const schemas = new Map();
  for (const node of nodes)
    if (isSchema(node)) {
      const [{ id }] = declaredBy(node).declarations;
      if (id.typeAnnotation) schemas.set(id.name, madeBy(id.typeAnnotation.typeAnnotation));
    }

  /** The names of exported types, by their text. @type {Map<string, string>} */
  const names = new Map();
  for (const node of nodes) {
    const found = inferredBy(node);
    const schema = found && schemas.get(found.schema);
    if (schema) names.set(bare(typeOf(schema, found.side, 0, true)), found.name);
  }

  /** @param {Node} node  @param {Side} side  @param {number} depth  @param {boolean} isOutermost  @returns {string} */
  function typeOf(node, side, depth, isOutermost = false) {
    if (node.type === "TSTypeOperator") return typeOf(node.typeAnnotation, side, depth);
    if (node.type === "TSTupleType")
      return node.elementTypes.map((/** @type {Node} */ it) => typeOf(it, side, depth)).join(" | ");
    const [first, second] = node.typeArguments?.params ?? [];
    const inner = () => typeOf(first, side, depth);
    const kind = node.typeName?.right?.name;
    switch (kind) {
      case "ZodString":
        return "string";
      case "ZodNumber":
      case "ZodCoercedNumber":
        return "number";
      case "ZodBoolean":
        return "boolean";
      case "ZodUnknown":
        return "unknown";
      case "ZodLiteral":
        return slice(first);
      case "ZodEnum":
        return first.members
          .map((/** @type {Node} */ it) => slice(it.typeAnnotation.typeAnnotation))
          .join(" | ");
      case "ZodNullable":
        return `${inner()} | null`;
      case "ZodOptional":
        return either(inner(), "undefined");
      case "ZodExactOptional":
        return inner();
      case "ZodDefault":
        return side === "input" ? either(inner(), "undefined") : inner();
      case "ZodArray":
        return inner().includes(" | ") && !inner().endsWith("}") ? `(${inner()})[]` : `${inner()}[]`;
      case "ZodRecord":
        return `Record<string, ${typeOf(second, side, depth)}>`;
      case "ZodUnion":
      case "ZodDiscriminatedUnion":
        return inner();
      case "ZodPipe":
        return side === "input" ? inner() : typeOf(second, side, depth);
      case "ZodTransform":
        return slice(first);
      case "ZodType":
        return slice(side === "input" ? second : first);
      case "ZodObject": {
        const text = objectOf(first, side, depth);
        return (!isOutermost && names.get(bare(text))) || text;
      }
      default:
        throw new Error(`what ${kind ?? node.type} is in TypeScript is not known here`);
    }
  }

  /** @param {Node} node  @param {Side} side  @param {number} depth */
  function objectOf(node, side, depth) {
    const said = comments.get(keysOf(node.members)) ?? new Map();
    const lines = node.members.map((/** @type {Node} */ member) => {
      const name = member.key.name;
      const schema = member.typeAnnotation.typeAnnotation;
      const comment = said.has(name) ? [said.get(name)] : [];
      const mark = mayBeLeftOut(schema, side) ? "?" : "";
      return [...comment, `${name}${mark}: ${typeOf(schema, side, depth + 1)};`]
        .map((line) => `${"    ".repeat(depth + 1)}${line}\n`)
        .join("");
    });
    return `{\n${lines.join("")}${"    ".repeat(depth)}}`;
  }

  const kept = nodes.flatMap((node) => {
    if (isSchema(node) || isZod(node)) return [];
    const found = inferredBy(node);
    if (!found) return / z\.|<z\./.test(slice(node)) ? [] : [slice(node)];
    const schema = schemas.get(found.schema);
    if (!schema) return [];
    const text = typeOf(schema, found.side, 0, true);
    const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(declarations.slice(0, node.start))?.[0] ?? "";
    const isObject = schema.typeName.right.name === "ZodObject";
    return [
      `${comment}export ${isObject ? `interface ${found.name} ${text}` : `type ${found.name} = ${text};`}`,
    ];
  });
  return `/** Worked out from schemas. */\n${kept.join("\n")}\n`;
}

/** @param {string} type  @param {string} other */
function either(type, other) {
  return type === "unknown" ? type : `${type} | ${other}`;
}

/** @param {Node} node  @param {Side} side  @returns {boolean} */
function mayBeLeftOut(node, side) {
  const kind = node.typeName.right.name;
  if (kind === "ZodOptional" || kind === "ZodExactOptional") return true;
  if (side === "output") return false;
  return kind === "ZodDefault" || (kind === "ZodPipe" && mayBeLeftOut(node.typeArguments.params[0], side));
}

/** @param {Node} node  @returns {{ name: string, schema: string, side: Side } | null} */
function inferredBy(node) {
  const it = declaredBy(node);
  if (it?.type !== "TSTypeAliasDeclaration" || it.typeAnnotation.type !== "TSTypeReference") return null;
  const { typeName, typeArguments } = it.typeAnnotation;
  const [given] = typeArguments?.params ?? [];
  const schema = given?.typeName?.name === "ReturnType" ? given.typeArguments.params[0] : given;
  if (typeName.left?.name !== "z" || schema?.type !== "TSTypeQuery") return null;
  const side = typeName.right.name === "input" ? "input" : "output";
  return { name: it.id.name, schema: schema.exprName.name, side };
}

/** The type of a schema, also of one that is made when it is asked for. @param {Node} type  @returns {Node} */
function madeBy(type) {
  return type.type === "TSFunctionType" ? type.returnType.typeAnnotation : type;
}

/** @param {Node} node  @returns {Node} */
function declaredBy(node) {
  return node.type === "ExportNamedDeclaration" ? node.declaration : node;
}

/** @param {Node} node */
function isSchema(node) {
  return declaredBy(node)?.type === "VariableDeclaration";
}

/** @param {Node} node */
function isZod(node) {
  return node.type === "ImportDeclaration" && node.source.value === "@hono/zod-openapi";
}

/**
 * The comments of each object in the source, by its keys: tsc drops them from types that it infers.
 * @param {string} source
 */
function commentsOf(source) {
  /** @type {Map<string, Map<string, string>>} */
  const found = new Map();
  /** @param {any} value */
  const visit = (value) => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (typeof value?.type !== "string") return;
    if (value.type === "ObjectExpression") {
      const members = value.properties.filter((/** @type {Node} */ it) => it.type === "Property");
      const said = members.flatMap((/** @type {Node} */ it) => {
        const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(0, it.start))?.[0];
        return comment ? [[it.key.name, comment.trim()]] : [];
      });
      if (said.length > 0) found.set(keysOf(members), new Map(said));
    }
    for (const item of Object.values(value)) if (typeof item === "object") visit(item);
  };
  visit(parse("a.ts", source));
  return found;
}

/** @param {Node[]} members */
function keysOf(members) {
  return members
    .map((it) => it.key.name)
    .sort()
    .join();
}

/** The text without comments and layout. @param {string} text */
function bare(text) {
  return text.replace(/\/\*\*(?:(?!\*\/)[\s\S])*\*\//g, "").replace(/\s+/g, " ");
}

/** @param {string} file  @param {string} text  @returns {Node[]} */
function parse(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return /** @type {Node[]} */ (/** @type {unknown} */ (program.body));
}
