/** The types of `oddjobs/client`, written without zod, are the very types that the schemas have. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { flattenTypes } from "../../scripts/types.mjs";
import { tempFolder } from "./temp.ts";

const ROOT = path.join(import.meta.dirname, "../..");

it("gives programs the very types that the schemas have", async () => {
  const folder = await tempFolder();
  fs.writeFileSync(path.join(folder, "client.d.ts"), await flattenTypes(ROOT, "src/sdk/main.ts"));
  const src = path.join(ROOT, "src");
  const check = `
import type * as theirs from "./client.d.ts";
import type * as ours from "${src}/api/api.ts";
import type { Ask, AnswerInput } from "${src}/sdk/types.ts";
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
export const same: [
  Same<theirs.Decision, ours.DecisionView>,
  Same<theirs.DecisionQuery, ours.DecisionQuery>,
  Same<theirs.EventQuery, ours.EventQuery>,
  Same<theirs.Option, ours.OptionView>,
  Same<theirs.ResolveResult, ours.ResolveResult>,
  Same<theirs.Template, ours.TemplateView>,
  Same<theirs.Ask, Ask>,
  Same<theirs.AnswerInput, AnswerInput>,
] = [true, true, true, true, true, true, true, true];
`;
  fs.writeFileSync(path.join(folder, "check.ts"), check);
  const compilerOptions = { typeRoots: [path.join(ROOT, "node_modules/@types")] };
  const config = { extends: path.join(ROOT, "tsconfig.json"), compilerOptions, include: ["check.ts"] };
  fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const said = (() => {
    try {
      return execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  })();
  assert.equal(said, "");
}, 180_000);
