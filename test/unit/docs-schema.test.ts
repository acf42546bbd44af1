/** The tables of the documentation against what the code declares: blocks, values, settings, refusals, events. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { RefusalCode } from "../../src/core/model/errors.ts";
import { REFUSALS } from "../../src/core/model/errors.ts";
import { NAMESPACES } from "../../src/core/script/interpolate.ts";
import type { Fields } from "../../src/runbook/build/fields.ts";
import { BLOCKS, OBJECTS } from "../../src/runbook/build/schema.ts";
import { FIELDS } from "../../src/runbook/checks/references.ts";
import { defaults } from "../../src/settings.ts";

const ROOT = path.join(import.meta.dirname, "../..");

describe("docs/runbooks.md", () => {
  const page = readText("docs/runbooks.md");

  for (const { kind, attributes } of BLOCKS) {
    it(`has every attribute of ${kind}, with its type`, () => {
      const written = rowsUnder(page, `### ${kind}`).map(([name = "", holds]) => `${name}: ${holds}`);
      const declared = Object.entries(attributes).map(
        ([name, { required, shape }]) => `\`${name}\`${required ? " *needed*" : ""}: ${shape.expected}`,
      );
      assert.deepEqual(written, declared);
    });
  }

  it("has every object with its keys", () => {
    const keys = (fields: Fields) =>
      Object.entries(fields)
        .map(([name, { required }]) => `\`${name}\`${required ? " *needed*" : ""}`)
        .join(", ");
    const declared = Object.entries(OBJECTS).map(([name, fields]) => `${name}: ${keys(fields)}`);
    assert.deepEqual(
      rowsUnder(page, "### Objects").map(([name, all]) => `${name}: ${all}`),
      declared,
    );
  });

  it("has every namespace with its fields", () => {
    const rows = rowsUnder(page, "## Values in texts").slice(0, NAMESPACES.length);
    const names = rows.map(([name = ""]) => /^`(\w+)/.exec(name)?.[1] ?? name);
    assert.deepEqual(names.toSorted(), [...NAMESPACES].toSorted());
    for (const [namespace, fields] of Object.entries(FIELDS)) {
      const words = rows.find(([name]) => name?.startsWith(`\`${namespace}`))?.[1] ?? "";
      for (const field of fields) assert.ok(words.includes(`\`${field}\``), `${namespace}.${field}`);
    }
  });
});

describe("docs/config.md", () => {
  it("has every setting with its default", () => {
    const written = rowsUnder(readText("docs/config.md"), "## Keys").map(
      ([key, value]) => `${key} = ${value}`,
    );
    const declared = Object.entries(defaults).flatMap(([section, keys]) =>
      Object.entries(keys).map(([key, value]) => `\`${section}.${key}\` = \`${JSON.stringify(value)}\``),
    );
    assert.deepEqual(written, ["`project.name` = the folder's name", ...declared]);
  });

  it("has every variable that is read from the environment", () => {
    const read = [...readText("src/config.ts").matchAll(/\benv\.([A-Z_]+)/g)].map((it) => it[1] ?? "");
    const page = readText("docs/config.md");
    const missing = [...new Set(read)].filter((it) => !page.includes(`\`${it}\``));
    assert.deepEqual(missing, []);
  });
});

describe("the refusals in the docs", () => {
  const pages = ["decisions", "troubleshooting", "api", "cli"].map((it) => readText(`docs/${it}.md`));

  it("have the exit code and HTTP status of the code", () => {
    const rows = pages.flatMap((page) => tableRows(page));
    const problems = rows.flatMap(([codes = "", exit, http = ""]) =>
      [...codes.matchAll(/`([a-z.-]+)`/g)].flatMap(([, code = ""]) => {
        if (!isCode(code) || !/^\d$/.test(exit ?? "")) return [];
        const { exit: rightExit, http: rightHttp } = REFUSALS[code];
        const isRight = Number(exit) === rightExit && (!/^\d+$/.test(http) || Number(http) === rightHttp);
        return isRight ? [] : [`${code}: exit ${rightExit}, HTTP ${rightHttp}`];
      }),
    );
    assert.deepEqual(problems, []);
  });

  it("in api.md are listed under their status", () => {
    const named = [...(pages[2] ?? "").matchAll(/`(\d{3}) ([a-z.-]+)`/g)];
    assert.ok(named.length > 3);
    for (const [, status, code = ""] of named)
      assert.equal(isCode(code) && REFUSALS[code].http, Number(status), code);
  });

  it("include every one that the code can raise", () => {
    const source = sourceTexts().join("\n");
    const thrown = Object.keys(REFUSALS).filter((code) => source.includes(`"${code}"`));
    const text = pages.join("\n");
    assert.deepEqual(
      thrown.filter((code) => !text.includes(`${code}\``)),
      [],
    );
  });
});

describe("docs/api.md", () => {
  it("names every type of event", () => {
    const files = [
      "model/events",
      "model/agent-facts",
      "model/session-types",
      "model/queue-types",
      "model/reach-types",
      "model/policy-types",
      "model/mirror-types",
      "roles/people",
    ];
    const facts = files.map((it) => readText(`src/core/${it}.ts`)).join("\n");
    const types = [...facts.matchAll(/type: "(\w+):(\w+)"/g)];
    const rows = readText("docs/api.md").matchAll(/^\| `(\w+):` \| (.*) \|$/gm);
    const named = [...rows].flatMap(([, kind, list = ""]) =>
      [...list.matchAll(/`(\w+)`/g)].map(([, verb]) => `${kind}:${verb}`),
    );
    assert.deepEqual(named.toSorted(), types.map(([, kind, verb]) => `${kind}:${verb}`).toSorted());
  });
});

function readText(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), "utf8");
}

/** All of src except the list of refusals itself. */
function sourceTexts(): string[] {
  return fs
    .readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter(
      (it) =>
        it.endsWith(".ts") && !it.endsWith(".test.ts") && it !== path.join("core", "model", "errors.ts"),
    )
    .map((it) => readText(path.join("src", it)));
}

/** The cells of the rows in the first table below a heading. */
function rowsUnder(page: string, heading: string): string[][] {
  const [, below = ""] = page.split(`${heading}\n`);
  return tableRows(below.split(/^\|(?:-+\|)+\n/m)[1]?.split("\n\n")[0] ?? "");
}

function tableRows(text: string): string[][] {
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith("|") || line.startsWith("|--")) return [];
    return [
      line
        .slice(1, -1)
        .split("|")
        .map((it) => it.trim()),
    ];
  });
}

function isCode(text: string): text is RefusalCode {
  return Object.hasOwn(REFUSALS, text);
}
