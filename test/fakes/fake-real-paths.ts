/** The port `realPaths` in memory: links are those that a test has put there. Passes the contract of real paths. */
import type { RealPaths } from "../../src/ports.ts";

export interface FakeRealPaths extends RealPaths {
  /** Absolute path → where it leads. */
  links: Map<string, string>;
}

export function fakeRealPaths(given: Readonly<Record<string, string>> = {}): FakeRealPaths {
  const links = new Map(Object.entries(given));
  const read: RealPaths = async (paths) => new Map(paths.map((it) => [it, followed(it, links)]));
  return Object.assign(read, { links });
}

/** Every name that is no link is there. */
export function followed(path: string, links: ReadonlyMap<string, string>): string | null {
  if (!path.startsWith("/")) return null;
  let done: string[] = [];
  const open = path.split("/");
  for (let count = 0; open.length > 0; ) {
    const name = open.shift() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      done.pop();
      continue;
    }
    const link = links.get(`/${[...done, name].join("/")}`);
    if (link === undefined) {
      done.push(name);
      continue;
    }
    if (++count > 40) return null;
    if (link.startsWith("/")) done = [];
    open.unshift(...link.split("/"));
  }
  return `/${done.join("/")}`;
}
