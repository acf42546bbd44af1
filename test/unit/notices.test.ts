/** The notices of bundled packages, found here in a different way than the build finds them. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, it } from "vitest";
import { buildIfChanged } from "../../scripts/build.mjs";

const ROOT = path.join(import.meta.dirname, "../..");
const ENTRIES = [
  "src/main.ts",
  "src/cli/everything.ts",
  "src/daemon-main.ts",
  "src/mcp/main.ts",
  "src/sdk/main.ts",
];

describe("the notices in the package", () => {
  beforeAll(buildIfChanged, 120_000);
  const notices = () => fs.readFileSync(path.join(ROOT, "dist/THIRD-PARTY-NOTICES.txt"), "utf8");

  it("name every bundled package, with its version and the text of its licence", async () => {
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: ENTRIES,
      outdir: "nowhere",
      bundle: true,
      write: false,
      metafile: true,
      platform: "node",
      external: ["@photostructure/sqlite"],
      logLevel: "silent",
    });
    const used = Object.values(metafile.outputs).flatMap((it) =>
      Object.entries(it.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    );
    const folders = used.flatMap((it) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(it)?.[0] ?? []);
    const web = ["preact", "marked"].map((name) => `node_modules/${name}`);
    const names = [...new Set([...folders, ...web])];
    assert.ok(names.length > 5, names.join(" "));
    const parts = notices()
      .split(/^-{80}\n/m)
      .slice(1);
    for (const folder of names) {
      const about = JSON.parse(fs.readFileSync(path.join(ROOT, folder, "package.json"), "utf8")) as {
        name: string;
        version: string;
      };
      const part = parts.find((it) => it.startsWith(`${about.name} ${about.version}\n`));
      assert.ok(part, `${about.name} ${about.version} has no notice`);
      assert.match(
        part,
        /Permission is hereby granted|Redistribution and use|Apache License|Permission to use/,
      );
    }
  });

  it("name every package that the web inbox imports", () => {
    const web = path.join(ROOT, "src/web");
    const sources = fs
      .readdirSync(web, { encoding: "utf8", recursive: true })
      .filter((it) => /(?<!\.test)\.tsx?$/.test(it));
    const imported = sources.flatMap((it) =>
      [
        ...fs.readFileSync(path.join(web, it), "utf8").matchAll(/^import (?!type).*from "([^."][^"]*)"/gm),
      ].map((found) => found[1]?.split("/")[0] ?? ""),
    );
    assert.ok(imported.includes("preact"));
    for (const name of new Set(imported)) assert.match(notices(), new RegExp(`^${name} \\d`, "m"));
  });
});
