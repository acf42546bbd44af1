/**
 * Writes the types of a module that others import as one self-contained file: what its exports reach, and nothing else.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { parseSync } from "oxc-parser";
import { workOutTypes } from "./zod-types.mjs";

/**
 * @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node
 * @typedef {{ file: string, name: string }} Symbol
 * @typedef {object} Declaration
 * @property {string} text        without `export`, its comment before it
 * @property {{ name: string, start: number, end: number }[]} names   places in the text that may refer to a declaration
 *
 * @typedef {object} Module
 * @property {Map<string, Declaration>} declarations
 * @property {Map<string, Symbol>} imports
 * @property {Map<string, Symbol>} exports
 */

/** @param {string} root  @param {string} source  @returns {Promise<string>} */
export async function flattenTypes(root, source) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oddjobs-types-"));
  try {
    await emit(root, source, folder);
    return flatten(path.join(folder, path.relative("src", source)));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} root  @param {string} source  @param {string} folder */
async function emit(root, source, folder) {
  const config = path.join(folder, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true, // another stage does that
    outDir: folder,
    rootDir: path.join(root, "src"),
    typeRoots: [path.join(root, "node_modules/@types")],
  };
  const files = [path.join(root, source)];
  const text = { extends: path.join(root, "tsconfig.json"), compilerOptions, files, include: [] };
  fs.writeFileSync(config, JSON.stringify(text));
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-p", config]);
  workOutTypes(path.join(folder, "api"), path.join(root, "src/api"));
}

/** @param {string} entry */
function flatten(entry) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  /** @param {string} file */
  const moduleOf = (file) => {
    const known = modules.get(file) ?? readModule(file);
    modules.set(file, known);
    return known;
  };
  /** @type {Map<string, string>} each declaration's name in the one file */
  const given = new Map();
  const taken = new Set();
  /** @type {string[]} */
  const texts = [];

  /**
   * The declaration's name in the one file; the first time, adds it with everything it refers to.
   * @param {Symbol} symbol @returns {string}
   */
  function include({ file, name }) {
    const key = `${file} ${name}`;
    const known = given.get(key);
    if (known !== undefined) return known;
    const module = moduleOf(file);
    const passedOn = module.declarations.has(name) ? undefined : module.exports.get(name);
    const elsewhere = module.imports.get(name) ?? passedOn;
    if (elsewhere) return include(elsewhere);
    const declaration = module.declarations.get(name);
    if (!declaration) throw new Error(`${file} declares no ${name}`);
    let own = name;
    for (let n = 1; taken.has(own); n++) own = `${name}$${n}`;
    taken.add(own);
    given.set(key, own);
    let text = "";
    let at = 0;
    for (const place of declaration.names) {
      const isOurs = module.declarations.has(place.name) || module.imports.has(place.name);
      text += declaration.text.slice(at, place.start);
      text += isOurs ? include({ file, name: place.name }) : place.name;
      at = place.end;
    }
    texts.push(text + declaration.text.slice(at));
    return own;
  }

  const module = moduleOf(entry);
  const exported = [...module.exports].map(([name, symbol]) => {
    const own = include(symbol);
    return own === name ? name : `${own} as ${name}`;
  });
  return `${texts.join("\n")}\nexport { ${exported.join(", ")} };\n`;
}

/** @param {string} path_  @returns {Module} */
function readModule(path_) {
  const file = path_.replace(/\.ts$/, ".d.ts");
  const text = fs.readFileSync(file, "utf8");
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  /** @type {Module} */
  const module = { declarations: new Map(), imports: new Map(), exports: new Map() };
  /** @param {Node} source */
  const target = (source) => {
    if (!source.value.startsWith("."))
      throw new Error(`${file}: types may not need a package (${source.value})`);
    return path.join(path.dirname(path_), source.value);
  };
  for (const node of /** @type {Node[]} */ (/** @type {unknown} */ (program.body))) {
    if (node.type === "ImportDeclaration") {
      for (const it of node.specifiers)
        module.imports.set(it.local.name, { file: target(node.source), name: it.imported.name });
    } else if (node.type === "ExportNamedDeclaration" && node.declaration === null) {
      for (const it of node.specifiers) {
        const from = node.source ? target(node.source) : path_;
        module.exports.set(it.exported.name, { file: from, name: it.local.name });
      }
    } else {
      const isExported = node.type === "ExportNamedDeclaration";
      const it = isExported ? node.declaration : node;
      const name = (it.id ?? it.declarations[0].id).name;
      if (isExported) module.exports.set(name, { file: path_, name });
      module.declarations.set(name, declarationOf(text, node.start, it));
    }
  }
  return module;
}

/** @param {string} text  @param {number} start  @param {Node} node  @returns {Declaration} */
function declarationOf(text, start, node) {
  const found = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(text.slice(0, start));
  const comment = found && found.index > 0 ? found[0] : ""; // the first comment is about the file
  const own = text.slice(node.start, node.end);
  const prefix = comment + (/^(declare|interface|type)\b/.test(own) ? "" : "declare ");
  const shift = prefix.length - node.start;
  /** @type {Declaration["names"]} */
  const names = [];
  walk(node, (it) =>
    names.push({ name: it.name, start: it.start + shift, end: it.start + it.name.length + shift }),
  );
  return { text: prefix + own, names: names.sort((a, b) => a.start - b.start) };
}

/**
 * Visits identifiers, except those that only name a member.
 * @param {any} value  @param {(identifier: Node) => void} see
 */
function walk(value, see) {
  if (Array.isArray(value)) for (const item of value) walk(item, see);
  if (typeof value?.type !== "string") return;
  if (value.type === "TSImportType")
    throw new Error("types may not be written as import(): import them by name");
  if (value.type === "Identifier") see(value);
  for (const [field, item] of Object.entries(value)) {
    const isMember = (field === "key" || field === "property") && !value.computed;
    if (typeof item === "object" && !isMember) walk(item, see);
  }
}
