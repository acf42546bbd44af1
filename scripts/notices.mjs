/** The licence notices of bundled packages: their licences require them wherever copies go. */
import fs from "node:fs";
import path from "node:path";

/**
 * The folder of the package that a bundled file belongs to; null for our own files.
 * @param {string} root  @param {string} file
 */
function packageOf(root, file) {
  const [, folder] =
    /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.split("?")[0]?.replaceAll("\\", "/") ?? "") ?? [];
  return folder === undefined ? null : path.resolve(root, folder.replace(/^\0/, ""));
}

/** The packages that these files belong to. @param {string} root  @param {string[]} files */
export function packagesOf(root, files) {
  const folders = new Set(files.map((file) => packageOf(root, file)).filter((it) => it !== null));
  return [...folders].sort();
}

/** One text with all notices. @param {string[]} folders */
export function noticesOf(folders) {
  const parts = new Map();
  for (const folder of folders) {
    const { name, version, license, author } = JSON.parse(
      fs.readFileSync(path.join(folder, "package.json"), "utf8"),
    );
    if (typeof name !== "string") continue; // a folder inside a package, which has its own notice
    parts.set(
      `${name} ${version}`,
      `${name} ${version}\nLicence: ${license ?? "see below"}\n\n${licenceIn(folder, { name, license, author })}\n`,
    );
  }
  const line = `${"-".repeat(80)}\n`;
  const head = "Oddjobs contains these packages, each under its own licence.\n\n";
  return (
    head +
    [...parts.keys()]
      .sort()
      .map((key) => line + parts.get(key))
      .join("\n")
  );
}

/**
 * The package's own licence text. A few packages have no such file, only the licence's name: then the text is written
 * out, with their author.
 * @param {string} folder  @param {{ name: string, license?: string, author?: unknown }} about
 */
function licenceIn(folder, { name, license, author }) {
  const names = fs.readdirSync(folder).filter((it) => /^(licen[cs]e|copying|notice)/i.test(it));
  const texts = names.sort().map((it) => fs.readFileSync(path.join(folder, it), "utf8").trim());
  if (texts.length > 0) return texts.join("\n\n");
  if (license !== "MIT") throw new Error(`${name} has no licence file, and "${license}" is not known here`);
  const who =
    typeof author === "string" ? author : /** @type {{ name?: string } | undefined} */ (author)?.name;
  return `Copyright (c) ${who ?? `the authors of ${name}`}\n\n${MIT}`;
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
