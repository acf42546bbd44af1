/** Bundles the entry points into dist/. A file appears whole or not at all, so a build may run beside others. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { noticesOf, packagesOf } from "./notices.mjs";
import { buildWeb, isWebFresh, webPackages } from "./web.mjs";

/**
 * @typedef {object} Entry
 * @property {string} source
 * @property {string} output
 * @property {boolean} [executable]  gets a hashbang and the executable bit
 * @property {boolean} [loaded]      by src/code-cache.ts: it is a function of what a module gets
 * @property {RegExp} [forbid]       packages that must not get into this bundle
 * @property {string} [globals]      what stands for some of the platform's names in this bundle
 * @property {boolean} [module]      for other programs to import: an ES module, with its types beside it
 */

/** An entry whose source does not exist is skipped. @type {Entry[]} */
const entries = [
  { source: "src/main.ts", output: "oj.cjs", executable: true, forbid: /^(zod|hono|@hono\/.*)$/ },
  { source: "src/scripted-agent/main.ts", output: "oj-agent.cjs", executable: true, forbid: /./ },
  { source: "src/acp-runner/main.ts", output: "oj-acp.cjs", executable: true, forbid: /./ },
  { source: "src/cli/everything.ts", output: "cli.cjs", loaded: true, forbid: /^(zod|hono|@hono\/.*)$/ },
  { source: "src/cli/frequent.ts", output: "frequent.cjs", loaded: true, forbid: /^(zod|hono|@hono\/.*)$/ },
  { source: "src/sdk/main.ts", output: "client.js", module: true, forbid: /^(zod|hono|@hono\/.*)$/ },
  { source: "src/mcp/main.ts", output: "mcp.cjs", loaded: true },
  { source: "src/trial/main.ts", output: "trial.cjs", loaded: true },
  { source: "src/store/main.ts", output: "store.cjs", loaded: true },
  { source: "src/daemon-start.ts", output: "daemon.cjs", forbid: /./ },
  {
    source: "src/daemon-main.ts",
    output: "daemon-main.cjs",
    loaded: true,
    globals: "src/daemon/http/wire/globals.ts",
  },
  { source: "src/daemon/reach/channels/known.ts", output: "channels.cjs", loaded: true },
  { source: "src/adapters/slack/service.ts", output: "slack.cjs", loaded: true },
  { source: "src/adapters/smtp/smtp.ts", output: "smtp.cjs", loaded: true },
  { source: "src/adapters/imap/imap.ts", output: "imap.cjs", loaded: true },
  { source: "src/adapters/mime/read-mail.ts", output: "mime.cjs", loaded: true },
  { source: "src/adapters/postgres/log.ts", output: "postgres.cjs", loaded: true },
  { source: "src/adapters/postgres/snapshot-worker.ts", output: "postgres-snapshot-worker.cjs" },
  { source: "src/adapters/sqlite/worker.ts", output: "sqlite-worker.cjs" },
  { source: "src/adapters/sqlite/snapshot-worker.ts", output: "sqlite-snapshot-worker.cjs" },
];

/** The licences of bundled packages, next to the bundles in dist/. */
const NOTICES = "THIRD-PARTY-NOTICES.txt";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = path.join(root, "dist");
const stamp = path.join(root, "node_modules/.cache/oddjobs/built");

/** Builds if a source, the packages or this file changed since the last build. */
export async function buildIfChanged() {
  if (!isFresh()) await build();
}

/** Whether dist/ is what would be built now. */
export function isFresh() {
  const complete = present()
    .flatMap((entry) => [entry.output, ...(entry.module ? [typesFile(entry)] : [])])
    .concat(NOTICES)
    .every((name) => fs.existsSync(path.join(dist, name)));
  return (
    complete && isWebFresh(root) && fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === hashOfInputs()
  );
}

export async function build() {
  const hash = hashOfInputs(); // before anything is read: a change during the build triggers the next one
  const esbuild = await import("esbuild");
  const bundles = present().map((entry) => bundle(esbuild, entry));
  const types = present().flatMap((entry) => (entry.module ? [bundleTypes(entry)] : []));
  const web = isWebFresh(root) ? null : buildWeb(root);
  const made = await Promise.all([...bundles, ...types]);
  await web;
  const inputs = [...made.flatMap((it) => ("inputs" in it ? it.inputs : [])), ...webPackages(root)];
  const notices = { name: NOTICES, contents: noticesOf(packagesOf(root, inputs)) };
  publish([...made, notices]);
  fs.mkdirSync(path.dirname(stamp), { recursive: true });
  fs.writeFileSync(`${stamp}.${process.pid}`, hash);
  fs.renameSync(`${stamp}.${process.pid}`, stamp); // a rename, so that nobody reads half of it
}

/** Stands for a version that is filled in later. */
const ANY_VERSION = "0.0.0-any-version";

/**
 * Builds the programs under other versions, without the browser's pages: for tests in which versions meet. They are
 * bundled once; only the version differs.
 * @param {Record<string, string>} versions  by folder
 */
export async function buildAs(versions) {
  const esbuild = await import("esbuild");
  const programs = present().filter((entry) => !entry.module);
  const made = await Promise.all(programs.map((entry) => bundle(esbuild, entry, ANY_VERSION)));
  for (const [folder, version] of Object.entries(versions))
    publish(
      made.map((it) => ({ ...it, contents: it.contents.replaceAll(ANY_VERSION, version) })),
      folder,
    );
}

/** @param {typeof import("esbuild")} esbuild  @param {Entry} entry */
async function bundle(esbuild, entry, version = packageVersion()) {
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry.source],
    outfile: path.join(dist, entry.output),
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: entry.module ? "esm" : "cjs",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    inject: entry.globals ? [entry.globals] : [],
    external: ["@photostructure/sqlite"],
    define: { __VERSION__: JSON.stringify(version) },
    ...(entry.module ? {} : commonJs(entry, version)),
    plugins: [otherEntriesStayFiles(entry)],
    logLevel: "warning",
  });
  refuseForbidden(entry, Object.keys(result.metafile.inputs));
  const output = result.outputFiles[0];
  if (!output) throw new Error(`${entry.source} gave no output`);
  const inputs = Object.keys(result.metafile.inputs);
  return { name: entry.output, executable: entry.executable, contents: plainText(output.text), inputs };
}

/**
 * esbuild writes everything but regular expressions in ASCII, where an escape means the same. One other character makes
 * the whole text take twice the memory for as long as the program runs.
 * @param {string} text
 */
function plainText(text) {
  return text.replace(/[\u0080-\uffff]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Other entries are CommonJS too: `require` loads them without starting the ES module loader.
 * @param {Entry} entry  @param {string} version
 */
function commonJs(entry, version) {
  const hashbang = entry.executable ? "#!/usr/bin/env node\n" : "";
  const [before, after] = entry.loaded
    ? ["(function (exports, require, module, __filename, __dirname) {", "\n})"]
    : ["", ""];
  const url = `"file://"+encodeURI(__filename).replace(/[?#]/g,encodeURIComponent)`;
  return {
    supported: { "dynamic-import": false },
    define: { __VERSION__: JSON.stringify(version), "import.meta.url": "__importMetaUrl" },
    banner: { js: `${hashbang}${before}"use strict";const __importMetaUrl=${url};` },
    footer: { js: after },
  };
}

/** @param {Entry} entry */
async function bundleTypes(entry) {
  const { flattenTypes } = await import("./types.mjs");
  return { name: typesFile(entry), executable: false, contents: await flattenTypes(root, entry.source) };
}

/** @param {Entry} entry */
function typesFile(entry) {
  return entry.output.replace(/\.js$/, ".d.ts");
}

/**
 * `import("./daemon/main.ts")` in one entry loads dist/daemon.cjs at run time instead of being bundled again.
 * @param {Entry} self
 * @returns {import("esbuild").Plugin}
 */
function otherEntriesStayFiles(self) {
  const outputs = new Map(entries.map((entry) => [path.join(root, entry.source), entry.output]));
  return {
    name: "other-entries-stay-files",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path: to, resolveDir }) => {
        const output = outputs.get(path.resolve(resolveDir, to));
        if (kind !== "dynamic-import" || !output || output === self.output) return undefined;
        return { path: `./${output}`, external: true };
      });
    },
  };
}

/** @param {Entry} entry  @param {string[]} inputs */
function refuseForbidden(entry, inputs) {
  for (const input of inputs) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
    if (name && entry.forbid?.test(name))
      throw new Error(`${entry.source} must start fast, and pulls in ${name} (${input})`);
  }
}

function packageVersion() {
  return JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")).version;
}

/** @param {{ name: string, executable?: boolean | undefined, contents: Uint8Array | string }[]} results */
function publish(results, folder = dist) {
  fs.mkdirSync(folder, { recursive: true });
  const temporary = fs.mkdtempSync(path.join(folder, ".build-"));
  for (const { name, executable, contents } of results) {
    const file = path.join(temporary, name);
    fs.writeFileSync(file, contents);
    fs.chmodSync(file, executable ? 0o755 : 0o644);
    fs.renameSync(file, path.join(folder, name));
  }
  fs.rmdirSync(temporary);
}

function hashOfInputs() {
  const fixed = [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "scripts/build.mjs",
    "scripts/notices.mjs",
    "scripts/types.mjs",
    "scripts/web.mjs",
    "scripts/zod-types.mjs",
  ];
  const sources = fs.readdirSync(path.join(root, "src"), { encoding: "utf8", recursive: true }).sort();
  const hash = createHash("sha256");
  for (const name of [...fixed, ...sources.map((source) => path.join("src", source))]) {
    const file = path.join(root, name);
    if (fs.statSync(file).isFile()) hash.update(`${name}\0`).update(fs.readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function present() {
  return entries.filter((entry) => fs.existsSync(path.join(root, entry.source)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { setup } = await import("./setup.mjs");
  await setup({ build: false });
  await build();
}
