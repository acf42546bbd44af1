/** Which files paths really name: `..` and links are followed one by one, as the kernel does. */
import fs from "node:fs/promises";
import type { RealPaths } from "../../ports.ts";

const MOST_LINKS = 40;

export const realPaths: RealPaths = async (paths) => {
  const found = await Promise.all(paths.map(async (it) => [it, await realPath(it)] as const));
  return new Map(found);
};

/** Of a path that does not exist yet, what exists of it is followed. Null if nobody can tell. */
async function realPath(path: string): Promise<string | null> {
  if (!path.startsWith("/") || path.includes("\0")) return null;
  const open = path.split("/");
  let done = "";
  for (let links = 0; open.length > 0; ) {
    const name = open.shift() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      done = done.slice(0, done.lastIndexOf("/"));
      continue;
    }
    const next = `${done}/${name}`;
    try {
      const link = await fs.readlink(next);
      if (++links > MOST_LINKS) return null;
      if (link.startsWith("/")) done = "";
      open.unshift(...link.split("/"));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EINVAL")
        done = next; // it is there, and no link
      else if (code === "ENOENT") {
        const isNew = !open.includes("..");
        return isNew ? [next, ...open.filter((it) => it !== "" && it !== ".")].join("/") : null;
      } else return null;
    }
  }
  return done === "" ? "/" : done;
}
