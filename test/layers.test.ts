/** The layer test: the map in ARCHITECTURE.md as a table, checked against every import in src/. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { describe, it } from "vitest";

interface Layer {
  /** Other layers it may import; its own files it always may. */
  ours: string[];
  /** May it import `node:`? A list means: only these files may. */
  node: boolean | string[];
  /** npm packages it may import. */
  packages: string[] | "any";
  /** Files that may import more of ours than the rest of their layer. */
  except?: Record<string, string[]>;
}

const http = ["hono", "@hono/node-server", "@hono/zod-openapi", "zod"];

/** A path ending in "/" is a folder of src/, otherwise a file. The longest match counts. */
const layers: Record<string, Layer> = {
  "core/": { ours: [], node: false, packages: [] },
  "runbook/": { ours: ["core/"], node: ["runbook/load.ts"], packages: [] },
  "agents/": { ours: ["core/"], node: false, packages: [] },
  "agent/": { ours: [], node: true, packages: [] },
  "api/": { ours: ["core/"], node: false, packages: ["@hono/zod-openapi"] },
  "api.ts": { ours: ["core/", "api/"], node: false, packages: [] },
  "daemon/": {
    ours: ["core/", "runbook/", "agents/", "mcp/", "api/", "api.ts", "config.ts", "client-settings.ts"],
    node: true,
    packages: http,
    except: { "daemon/main.ts": ["adapters/"] },
  },
  "adapters/": { ours: ["core/", "daemon/ports.ts"], node: true, packages: "any" },
  "client/": { ours: ["core/", "api.ts"], node: true, packages: [] },
  "mcp/": {
    ours: ["client/", "api.ts", "core/"],
    node: true,
    packages: ["zod", "@modelcontextprotocol/server"],
  },
  "cli/": {
    ours: [
      "client/",
      "mcp/",
      "api.ts",
      "config.ts",
      "client-settings.ts",
      "agents/client-settings.ts",
      "agents/setup.ts",
      "agents/known/setups.ts",
      "core/",
      "inbox/",
    ],
    node: true,
    packages: ["get-east-asian-width"],
    except: { "cli/decision/watch.ts": ["tui/"] },
  },
  "sdk/": { ours: ["client/", "api.ts", "config.ts", "core/"], node: true, packages: [] },
  "inbox/": { ours: ["api.ts", "core/"], node: false, packages: [] },
  "tui/": { ours: ["client/", "api.ts", "core/", "inbox/", "cli/"], node: true, packages: [] },
  "cli/safe.ts": { ours: [], node: false, packages: [] },
  "cli/decision/words.ts": {
    ours: ["core/", "api.ts", "cli/safe.ts"],
    node: false,
    packages: [],
  },
  "web/": {
    ours: ["client/", "api.ts", "core/", "inbox/", "cli/safe.ts", "cli/decision/words.ts"],
    node: false,
    packages: ["preact", "marked"],
  },
  "client-settings.ts": { ours: ["agents/client-settings.ts"], node: true, packages: [] },
  "config.ts": { ours: ["core/", "agents/known/setups.ts"], node: true, packages: ["smol-toml"] },
  "version.ts": { ours: [], node: false, packages: [] },
  "main.ts": { ours: [""], node: true, packages: [] },
};

const builtins = new Set(builtinModules);
const everyoneMayImport = ["version.ts"];

/** config.ts reads the environment; the mains pass it on: `loadConfig(process.env, cwd)`. */
const mayReadEnv = ["config.ts", "main.ts", "daemon/main.ts", "agent/main.ts", "sdk/main.ts"];

/** What the binary must never load on its way to a command, because it is slow to import. */
const slowToLoad = /^(zod|hono|@hono\/.+)$/;

const maxLines = 350;
const maxLinesOfBusyFiles = 250;
const busyFiles = /^(daemon\/engine\.ts|daemon\/server\.ts|main\.ts|cli\/.+)$/;

describe("the source", () => {
  const src = readFiles("src");

  it("imports only what each layer may", () => assert.deepEqual(layerProblems(src), []));
  it("reads the environment in one place", () => assert.deepEqual(envProblems(src), []));
  it("keeps slow packages off the binary's path", () => assert.deepEqual(startupProblems(src), []));
  it("makes facts in core alone", () => assert.deepEqual(factProblems(src), []));
  it("has only files that can be read in one go", () => assert.deepEqual(sizeProblems(src), []));
});

describe("the specs", () => {
  it("know only the CLI: nothing from src, not even through a helper", () =>
    assert.deepEqual(specProblems(readFiles("test")), []));
});

describe("the layer test itself", () => {
  it("accepts what the table allows", () => {
    const files = {
      "core/job.ts": `import type { JobId } from "./ids.ts"; import { version } from "../version.ts";`,
      "runbook/load.ts": `import fs from "node:fs"; import { Job } from "../core/job.ts";`,
      "daemon/main.ts": `import { sqliteLog } from "../adapters/sqlite-log.ts"; start(process.env);`,
      "adapters/sqlite-log.ts": `import { DatabaseSync } from "@photostructure/sqlite"; import type { Log } from "../daemon/ports.ts";`,
      "cli/run.ts": `import type { Job } from "../core/job.ts"; import { connect } from "../client/connect.ts";`,
      "core/job.test.ts": `import { it } from "vitest"; import assert from "node:assert";`,
    };
    assert.deepEqual([...layerProblems(files), ...envProblems(files), ...startupProblems(files)], []);
  });

  for (const [name, file, text, problem] of [
    ["a core file that reads files", "core/a.ts", `import fs from "node:fs";`, "core/a.ts imports node:fs"],
    ["a bare node module", "core/a.ts", `import fs from "fs";`, "core/a.ts imports node:fs"],
    ["a package in core", "core/a.ts", `import { z } from "zod";`, "core/a.ts imports zod"],
    [
      "a type from a higher layer",
      "core/a.ts",
      `import type { E } from "../daemon/e.ts";`,
      "core/a.ts imports daemon/e.ts",
    ],
    [
      "a type written as import()",
      "core/a.ts",
      `type E = import("../daemon/e.ts").E;`,
      "core/a.ts imports daemon/e.ts",
    ],
    [
      "a dynamic import",
      "core/a.ts",
      `const e = await import("../daemon/e.ts");`,
      "core/a.ts imports daemon/e.ts",
    ],
    ["a re-export", "core/a.ts", `export * from "../daemon/e.ts";`, "core/a.ts imports daemon/e.ts"],
    [
      "a built-in by call",
      "core/a.ts",
      `process.getBuiltinModule("node:net");`,
      "core/a.ts imports node:net",
    ],
    [
      "node: outside load.ts",
      "runbook/parse.ts",
      `import fs from "node:fs";`,
      "runbook/parse.ts imports node:fs",
    ],
    [
      "an adapter in the engine",
      "daemon/engine.ts",
      `import { a } from "../adapters/a.ts";`,
      "daemon/engine.ts imports adapters/a.ts",
    ],
    [
      "an adapter that knows the engine",
      "adapters/a.ts",
      `import { e } from "../daemon/engine.ts";`,
      "adapters/a.ts imports daemon/engine.ts",
    ],
    [
      "a command that reaches into the daemon",
      "cli/a.ts",
      `import { e } from "../daemon/engine.ts";`,
      "cli/a.ts imports daemon/engine.ts",
    ],
    [
      "a test helper in the source",
      "daemon/a.ts",
      `import { f } from "../../test/fakes/f.ts";`,
      "daemon/a.ts imports ../test/fakes/f.ts",
    ],
    [
      "a test file in the source",
      "daemon/a.ts",
      `import { f } from "./b.test.ts";`,
      "daemon/a.ts imports daemon/b.test.ts",
    ],
    ["an import nobody can follow", "cli/a.ts", "await import(name);", "cli/a.ts imports something computed"],
    ["a folder without a layer", "utils/a.ts", "", "utils/a.ts belongs to no layer"],
  ] as const) {
    it(`catches ${name}`, () => assert.deepEqual(layerProblems({ [file]: text }), [problem]));
  }

  it("catches the environment being read elsewhere, in each spelling", () => {
    for (const text of [
      "const home = process.env.HOME;",
      `const home = process["env"].HOME;`,
      "const { env } = process;",
      `import { env } from "node:process";`,
    ])
      assert.deepEqual(envProblems({ "cli/a.ts": text }), ["cli/a.ts reads the environment"]);
    assert.deepEqual(envProblems({ "cli/a.ts": `say("process.env"); // process.env` }), []);
  });

  it("catches a slow package behind several imports, and shows the path", () => {
    const files = {
      "main.ts": `import "./cli/run.ts";`,
      "cli/run.ts": `import { call } from "../client/call.ts";`,
      "client/call.ts": `import { schema } from "../api.ts";`,
      "api.ts": `import { z } from "zod";`,
    };
    assert.deepEqual(startupProblems(files), ["main.ts → cli/run.ts → client/call.ts → api.ts → zod"]);
    assert.deepEqual(
      startupProblems({ ...files, "client/call.ts": `import type { S } from "../api.ts";` }),
      [],
    );
    assert.deepEqual(startupProblems({ ...files, "cli/run.ts": `await import("../client/call.ts");` }), []);
  });

  it("catches a fact that is written, or a draft that is begun, outside core", () => {
    const files = {
      "core/agent.ts": `import { draftOn } from "./draft.ts"; const fact = { type: "agent:idle", id };`,
      "daemon/a.ts": `import { draftOn } from "../core/draft.ts";`,
      "daemon/b.ts": `run(() => [{ type: "agent:keyed", id }]);`,
      "daemon/c.ts": `type Created = Extract<Event, { type: "job:created" }>; if (event.type === "agent:idle") go();`,
    };
    assert.deepEqual(factProblems(files), ["daemon/a.ts begins a draft", "daemon/b.ts writes agent:keyed"]);
  });

  it("catches long files", () => {
    const lines = (count: number) => "\n".repeat(count);
    const files = {
      "core/a.ts": lines(351),
      "core/b.ts": lines(350),
      "cli/a.ts": lines(251),
      "core/a.test.ts": lines(999),
    };
    assert.deepEqual(sizeProblems(files), [
      "core/a.ts has 351 lines, at most 350",
      "cli/a.ts has 251 lines, at most 250",
    ]);
  });

  it("catches a spec that reaches into src through a helper", () => {
    const files = {
      "specs/a.test.ts": `import { until } from "../fakes/until.ts";`,
      "specs/b.test.ts": `import { fakePorts } from "../fakes/ports.ts";`,
      "fakes/until.ts": "",
      "fakes/ports.ts": `import type { Ports } from "../../src/daemon/ports.ts";`,
    };
    assert.deepEqual(specProblems(files), ["specs/b.test.ts → fakes/ports.ts → ../src/daemon/ports.ts"]);
  });
});

/** Path relative to src/ (or test/) → text. */
type Files = Record<string, string>;

function layerProblems(files: Files): string[] {
  return sourcesOf(files).flatMap(([file, text]) => {
    const name = layerOf(file);
    const layer = name && layers[name];
    if (!layer) return [`${file} belongs to no layer`];
    return importsOf(file, text).flatMap((found) => {
      const problem = problemOf(found, file, name, layer);
      return problem ? [`${file} imports ${problem}`] : [];
    });
  });
}

function problemOf({ to }: Import, file: string, name: string, layer: Layer): string | undefined {
  if (to === undefined) return "something computed";
  if (to.startsWith("node:")) {
    const allowed = Array.isArray(layer.node) ? layer.node.includes(file) : layer.node;
    return allowed ? undefined : to;
  }
  if (!isOurs(to)) return layer.packages === "any" || layer.packages.includes(packageOf(to)) ? undefined : to;

  const target = to.slice("ours:".length);
  if (target.startsWith("../") || isTest(target)) return target;
  const within = (paths: string[]) =>
    paths.some((path) => target === path || (/^$|\/$/.test(path) && target.startsWith(path)));
  if (within([name, ...layer.ours, ...everyoneMayImport, ...(layer.except?.[file] ?? [])])) return undefined;
  return target;
}

function envProblems(files: Files): string[] {
  const readers = sourcesOf(files).filter(
    ([file, text]) => !mayReadEnv.includes(file) && readsEnv(file, text),
  );
  return readers.map(([file]) => `${file} reads the environment`);
}

/** Rules live in core: whoever else wants something recorded calls one. */
function factProblems(files: Files): string[] {
  return sourcesOf(files)
    .filter(([file]) => !file.startsWith("core/"))
    .flatMap(([file, text]) => {
      const drafts = importsOf(file, text).some(
        ({ to, kind }) => to === "ours:core/draft.ts" && kind !== "type",
      );
      return [...(drafts ? [`${file} begins a draft`] : []), ...factsIn(file, text)];
    });
}

function factsIn(file: string, text: string): string[] {
  const found: string[] = [];
  walk(parse(file, text), (node) => {
    if (node.type !== "Property" || nameOf(node.key) !== "type") return;
    const type = literalOf(node.value) ?? "";
    if (/^(decision|job|step|agent|crew|session|inject|effect):/.test(type))
      found.push(`${file} writes ${type}`);
  });
  return found;
}

function startupProblems(files: Files): string[] {
  return waysFrom(files, ["main.ts"], ["static"], (to) => slowToLoad.test(packageOf(to)));
}

function sizeProblems(files: Files): string[] {
  return sourcesOf(files).flatMap(([file, text]) => {
    const lines = text.split("\n").length - 1;
    const most = busyFiles.test(file) ? maxLinesOfBusyFiles : maxLines;
    return lines > most ? [`${file} has ${lines} lines, at most ${most}`] : [];
  });
}

function specProblems(files: Files): string[] {
  const specs = Object.keys(files).filter((file) => file.startsWith("specs/"));
  return waysFrom(files, specs, ["static", "dynamic", "type"], (to) => to.startsWith("ours:../src/"));
}

/** Follows imports of the given kinds from each start, and spells out the paths that end in something bad. */
function waysFrom(files: Files, starts: string[], kinds: Kind[], isBad: (to: string) => boolean): string[] {
  const ways: string[] = [];
  for (const start of starts) {
    const seen = new Set<string>();
    const visit = (file: string, way: string[]) => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const { to, kind } of importsOf(file, files[file] ?? "")) {
        if (to === undefined || !kinds.includes(kind)) continue;
        const target = to.replace(/^ours:/, "");
        if (isBad(to)) ways.push([...way, target].join(" → "));
        else if (isOurs(to)) visit(target, [...way, target]);
      }
    };
    visit(start, [start]);
  }
  return ways;
}

type Kind = "static" | "dynamic" | "type";

/** `to` is `node:x`, a package, `ours:` + a path relative to the root of the files, or undefined when computed. */
interface Import {
  to: string | undefined;
  kind: Kind;
}

function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (kind: Kind, source: unknown) => found.push({ kind, to: targetOf(file, literalOf(source)) });
  walk(parse(file, text), (node) => {
    const { source } = node;
    switch (node.type) {
      case "ImportDeclaration":
        add(node.importKind === "type" ? "type" : "static", source);
        break;
      case "ExportNamedDeclaration":
      case "ExportAllDeclaration":
        if (source) add(node.exportKind === "type" ? "type" : "static", source);
        break;
      case "ImportExpression":
        add("dynamic", source);
        break;
      case "TSImportType":
        add("type", source);
        break;
      case "CallExpression":
        if (isRequire(node.callee)) add("dynamic", (node.arguments as unknown[])[0]);
        break;
    }
  });
  return found;
}

function targetOf(file: string, specifier: string | undefined): string | undefined {
  if (specifier?.startsWith(".")) return `ours:${path.posix.join(path.posix.dirname(file), specifier)}`;
  return specifier && builtins.has(specifier) ? `node:${specifier}` : specifier;
}

function readsEnv(file: string, text: string): boolean {
  let found = false;
  walk(parse(file, text), (node) => {
    if (node.type === "MemberExpression" && nameOf(node.object) === "process")
      found ||= (nameOf(node.property) ?? literalOf(node.property)) === "env";
    if (node.type === "VariableDeclarator" && nameOf(node.init) === "process" && isNode(node.id))
      found ||= node.id.type === "ObjectPattern";
    if (node.type === "ImportDeclaration") found ||= /^(node:)?process$/.test(literalOf(node.source) ?? "");
  });
  return found;
}

interface Node {
  type: string;
  [field: string]: unknown;
}

function parse(file: string, text: string): unknown {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return program;
}

function walk(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, see);
  if (!isNode(value)) return;
  see(value);
  for (const field of Object.values(value)) if (typeof field === "object") walk(field, see);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function isRequire(callee: unknown): boolean {
  if (nameOf(callee) === "require") return true;
  return (
    isNode(callee) && callee.type === "MemberExpression" && nameOf(callee.property) === "getBuiltinModule"
  );
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === "Identifier" ? String(node.name) : undefined;
}

function literalOf(node: unknown): string | undefined {
  return isNode(node) && typeof node.value === "string" ? node.value : undefined;
}

function isOurs(to: string): boolean {
  return to.startsWith("ours:");
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function packageOf(to: string): string {
  return to.split("/", to.startsWith("@") ? 2 : 1).join("/");
}

function layerOf(file: string): string | undefined {
  const matches = Object.keys(layers).filter(
    (name) => file === name || (name.endsWith("/") && file.startsWith(name)),
  );
  return matches.sort((a, b) => b.length - a.length)[0];
}

/** Tests beside the source may import what they like. */
function sourcesOf(files: Files): [string, string][] {
  return Object.entries(files).filter(([file]) => !isTest(file));
}

function readFiles(folder: string): Files {
  const root = path.join(import.meta.dirname, "..", folder);
  const names = fs
    .readdirSync(root, { encoding: "utf8", recursive: true })
    .filter((name) => /\.tsx?$/.test(name));
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(root, name), "utf8")]));
}
