/** Reads the built page and its parts, once, when the first browser connects: a later build is for a later daemon. */
import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export interface Page {
  type: string;
  /** The file is named after its content, so it never changes. */
  isFixed: boolean;
  bytes: Buffer;
  gzipped: Buffer;
}

/** By the path that a browser requests. */
export type Pages = ReadonlyMap<string, Page>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

const HOME = "index.html";

export async function readPages(dir: string): Promise<Pages> {
  const names = await fs.readdir(dir, { recursive: true });
  const known = names.filter((name) => path.extname(name) in TYPES);
  const pages = await Promise.all(
    known.map(async (name): Promise<[string, Page]> => {
      const bytes = await fs.readFile(path.join(dir, name));
      const type = TYPES[path.extname(name)] ?? "";
      const isFixed = name.startsWith("assets");
      return [
        name === HOME ? "/" : `/${name.split(path.sep).join("/")}`,
        { type, isFixed, bytes, gzipped: await promisify(gzip)(bytes) },
      ];
    }),
  );
  return new Map(pages);
}
