/** Somebody else's project that uses the package as it is published: packed, unpacked, and nothing more. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Project } from "./project.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const run = promisify(execFile);

export interface Consumer {
  dir: string;
  /** Runs one of its files. */
  node(...args: string[]): Promise<string>;
  /** What the compiler finds wrong with its files, under the strictest rules. */
  problems(files: Record<string, string>): Promise<string>;
}

export async function consumerOf(project: Project): Promise<Consumer> {
  const { dir } = project;
  const packed = path.join(project.home, "packed");
  const modules = path.join(dir, "node_modules");
  for (const it of [packed, modules]) fs.mkdirSync(it);
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", packed], { cwd: ROOT });
  const [name = ""] = fs.readdirSync(packed);
  await run("tar", ["-xzf", path.join(packed, name), "-C", modules]);
  fs.renameSync(path.join(modules, "package"), path.join(modules, "oddjobs"));
  // its only dependency, as an install would bring it
  fs.symlinkSync(path.join(ROOT, "node_modules/@photostructure"), path.join(modules, "@photostructure"));
  const node = async (...args: string[]) =>
    (await run(process.execPath, args, { cwd: dir, env: project.env })).stdout;

  async function problems(files: Record<string, string>): Promise<string> {
    project.write({ ...files, "tsconfig.json": JSON.stringify(strict(Object.keys(files))) });
    const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
    const told = await run(process.execPath, [tsc, "-p", dir]).catch((error: { stdout: string }) => error);
    assert.ok("stdout" in told);
    return told.stdout;
  }
  return { dir, node, problems };
}

function strict(files: string[]): object {
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ verbatimModuleSyntax: true, skipLibCheck: false, checkJs: true, allowJs: true, noEmit: true },
    ...{ target: "es2022", lib: ["es2022"], module: "nodenext", types: ["node"] },
    typeRoots: [path.join(ROOT, "node_modules/@types")],
  };
  return { compilerOptions, files };
}
