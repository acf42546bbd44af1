/** One program with all tests, and all mutants in the sources that they test. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Mutant } from "./mutants.ts";
import { withMutants } from "./written.ts";

export async function bundle(
  root: string,
  tests: readonly string[],
  mutants: readonly Mutant[],
): Promise<string> {
  const outfile = path.join(root, `node_modules/.cache/oddjobs/mutants-${process.pid}.mjs`);
  const own = (file: string) => path.join(root, "test/mutation", file);
  const files = ["test/mutation/child.ts", "test/seed.ts", ...tests]; // the first counts what the others reach
  await build({
    stdin: { contents: files.map((it) => `import "./${it}";`).join("\n"), resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    plugins: [
      {
        name: "mutants",
        setup(it) {
          it.onResolve({ filter: /^vitest$/ }, () => ({ path: own("tests.ts") }));
          it.onLoad({ filter: /[/\\](src|test)[/\\].*\.ts$/ }, async ({ path: file }) => {
            const mine = mutants.filter((one) => path.join(root, one.file) === file);
            const source = await fs.promises.readFile(file, "utf8");
            const contents = withMutants(source, mine);
            // some read what lies beside them
            const here: Record<string, string> = {
              url: pathToFileURL(file).href,
              dirname: path.dirname(file),
            };
            return {
              contents: contents.replace(/import\.meta\.(url|dirname)\b/g, (_, it) =>
                JSON.stringify(here[it]),
              ),
              loader: "ts",
            };
          });
        },
      },
    ],
  });
  return outfile;
}
