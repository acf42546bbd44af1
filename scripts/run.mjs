/** `node scripts/run.mjs NAME [args]`: bundles test/NAME/main.ts (Node 20 can't read TypeScript) and runs it. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setup } from "./setup.mjs";

const [name = "", ...args] = process.argv.slice(2);
const root = fileURLToPath(new URL("..", import.meta.url));
const source = path.join(root, "test", name, "main.ts");
if (!name || !fs.existsSync(source)) {
  process.stderr.write(`there is no ${path.relative(root, source)}\n`);
  process.exit(2);
}

await setup();
const output = path.join(root, `node_modules/.cache/oddjobs/${name}-${process.pid}.mjs`);
const esbuild = await import("esbuild");
await esbuild.build({
  absWorkingDir: root,
  entryPoints: [source],
  outfile: output,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
});
const child = spawn(process.execPath, ["--enable-source-maps", output, ...args], { stdio: "inherit" });
// it ends its own processes and folders when it is told to; we stay until it has
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => child.kill(signal));
child.once("exit", (code) => {
  fs.rmSync(output, { force: true });
  process.exitCode = code ?? 1;
});
