/** Where the beads of a project are, and whether its decisions are mirrored there. */
import fs from "node:fs";
import path from "node:path";
import { loadConfig } from "../../config.ts";
import { keepWhile } from "../runbooks/keep.ts";

export interface Home {
  root: string;
  project: string;
  isOn: boolean;
}

/** What the settings say now; null if they can't be read: then what they said before counts. */
export function homeIn(env: Readonly<Record<string, string>>, folder: string): Home | null {
  return homeAt(JSON.stringify([placesIn(env), folder]));
}

const homeAt = keepWhile(
  (key, saw): Home | null => {
    const [env, folder] = JSON.parse(key) as [Record<string, string>, string];
    const { root, project, settings, problem } = loadConfig(env, folder, { lenient: true, saw });
    return problem === null ? { root, project, isOn: settings.beads.mirror } : null;
  },
  (home) => home !== null,
);

/** The daemon's environment says where a person's files are, not which project this is. */
function placesIn({ HOME, XDG_CONFIG_HOME }: Readonly<Record<string, string>>): Record<string, string> {
  return { ...(HOME ? { HOME } : {}), ...(XDG_CONFIG_HOME ? { XDG_CONFIG_HOME } : {}) };
}

/** The nearest `.beads` from the project's folder up to the top of its repository; null if there is none. */
export function beadsDirOf(root: string): string | null {
  for (const folder of foldersUp(root)) {
    const dir = path.join(folder, ".beads");
    if (fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return dir;
  }
  return null;
}

/** Outside of any repository only the folder itself counts. */
function foldersUp(root: string): string[] {
  const folders: string[] = [];
  for (let folder = root; ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (fs.existsSync(path.join(folder, ".git"))) return folders;
    if (folder === path.dirname(folder)) return [root];
  }
}
