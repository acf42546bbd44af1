/** Builds the browser's inbox, src/web → dist/web, if its inputs have changed. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** What affects the result besides the files that end up in it. */
const FIXED = ["package.json", "package-lock.json", "scripts/web.mjs"];

/** @param {string} root */
const stampOf = (root) => path.join(root, "node_modules/.cache/oddjobs/web.json");

/** Whether dist/web is what would be built now. @param {string} root */
export function isWebFresh(root) {
  if (!fs.existsSync(path.join(root, "src/web/index.html"))) return true;
  if (!fs.existsSync(path.join(root, "dist/web/index.html")) || !fs.existsSync(stampOf(root))) return false;
  /** @type {{ inputs: string[], outputs: string[], hash: string }} */
  const { inputs, outputs, hash } = JSON.parse(fs.readFileSync(stampOf(root), "utf8"));
  return (
    outputs.every((name) => fs.existsSync(path.join(root, "dist/web", name))) && hashOf(root, inputs) === hash
  );
}

/** @param {string} root */
export async function buildWeb(root) {
  const startedAt = Date.now();
  const { build } = await import("vite");
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const made = await Promise.all(
    [{}, workerOf(root)].map(async (more) => {
      const result = await build({
        configFile: false,
        root: path.join(root, "src/web"),
        logLevel: "warn",
        define: { __VERSION__: JSON.stringify(version) },
        oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
        build: {
          write: false,
          target: "es2022",
          assetsInlineLimit: 0, // the page may load from its own origin only
          modulePreload: { polyfill: false },
          ...more,
        },
      });
      if (!("output" in result)) throw new Error("vite gave no output");
      return result.output;
    }),
  );
  const output = [...made.flat(), ...fixedFiles(root)];
  publish(path.join(root, "dist/web"), output);
  const inputs = inputsOf(root, output);
  const outputs = output.map((it) => it.fileName);
  const isOlder = (/** @type {string} */ name) => fs.statSync(path.join(root, name)).mtimeMs < startedAt;
  if (!inputs.every(isOlder)) return; // changed during the build: built again next time
  fs.mkdirSync(path.dirname(stampOf(root)), { recursive: true });
  const packages = modulesOf(root, output).filter((it) => it.includes("node_modules/"));
  const fresh = `${stampOf(root)}.${process.pid}`;
  fs.writeFileSync(fresh, JSON.stringify({ inputs, outputs, packages, hash: hashOf(root, inputs) }));
  fs.renameSync(fresh, stampOf(root));
}

/** The package files in the newest build. @param {string} root  @returns {string[]} */
export function webPackages(root) {
  if (!fs.existsSync(stampOf(root))) return [];
  return JSON.parse(fs.readFileSync(stampOf(root), "utf8")).packages ?? [];
}

/** The service worker: one file at a fixed address, where browsers look for a newer one. @param {string} root */
function workerOf(root) {
  return {
    rollupOptions: {
      input: path.join(root, "src/web/worker/main.ts"),
      output: { entryFileNames: "sw.js", format: /** @type {const} */ ("iife") },
    },
  };
}

/**
 * @typedef {{ type: "chunk", fileName: string, code: string, moduleIds: string[] }} Chunk
 * @typedef {{ type: "asset", fileName: string, source: string | Uint8Array, originalFileNames: string[] }} Asset
 * @typedef {(Chunk | Asset)[]} Output
 */

/** The manifest and its icons, as they are. @param {string} root  @returns {Asset[]} */
function fixedFiles(root) {
  const folder = path.join(root, "src/web/public");
  return filesIn(folder).map((fileName) => ({
    type: /** @type {const} */ ("asset"),
    fileName,
    source: fs.readFileSync(path.join(folder, fileName)),
    originalFileNames: [],
  }));
}

/**
 * Writes assets first, then the page that names them, then removes those that no page names any more.
 * @param {string} folder  @param {Output} output
 */
function publish(folder, output) {
  fs.mkdirSync(folder, { recursive: true });
  const pageLast = [...output].sort((a, b) => Number(isPage(a.fileName)) - Number(isPage(b.fileName)));
  for (const it of pageLast) {
    const file = path.join(folder, it.fileName);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    fs.writeFileSync(temporary, it.type === "chunk" ? it.code : it.source);
    fs.renameSync(temporary, file);
  }
  const current = new Set(output.map((it) => it.fileName));
  for (const name of filesIn(folder))
    if (!current.has(name)) fs.rmSync(path.join(folder, name), { force: true });
}

/** @param {string} name */
function isPage(name) {
  return name.endsWith(".html");
}

/**
 * Our own files that it was made of: a change to any other file needs no new build.
 * @param {string} root  @param {Output} output
 */
function inputsOf(root, output) {
  const ours = modulesOf(root, output).filter(
    (it) => it.startsWith("src/") && fs.existsSync(path.join(root, it)),
  );
  // All of the page's own files, since styles leave no trace in a chunk.
  const web = filesIn(path.join(root, "src/web")).map((it) => path.join("src/web", it));
  return [...new Set([...FIXED, ...web, ...ours])].sort();
}

/** @param {string} root  @param {Output} output */
function modulesOf(root, output) {
  return output
    .flatMap((it) => (it.type === "chunk" ? it.moduleIds : it.originalFileNames))
    .map((id) => path.relative(root, path.resolve(root, "src/web", id.split("?")[0] ?? "")));
}

/** @param {string} folder  @returns {string[]} */
function filesIn(folder) {
  const names = fs.readdirSync(folder, { encoding: "utf8", recursive: true });
  return names.filter((it) => fs.statSync(path.join(folder, it), { throwIfNoEntry: false })?.isFile());
}

/** @param {string} root  @param {string[]} files */
function hashOf(root, files) {
  const hash = createHash("sha256");
  for (const name of files) {
    const file = path.join(root, name);
    hash
      .update(`${name}\0`)
      .update(fs.existsSync(file) ? fs.readFileSync(file) : "")
      .update("\0");
  }
  return hash.digest("hex");
}
