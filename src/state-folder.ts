/** Which folders may hold the state: what is in it is closed to others, and deleted with `oj uninstall --state`. */
import fs from "node:fs";
import path from "node:path";

const STICKY = 0o1000;

/** Why an existing folder can't be ours alone; null: nothing speaks against it. */
export function whyShared(folder: string, home: string): string | null {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const real = fs.realpathSync(folder);
  if (real === path.parse(real).root) return "it is the root of the file system";
  if (fs.existsSync(home) && real === fs.realpathSync(home)) return "it is your home folder";
  if ((stat.mode & STICKY) !== 0) return "it is shared by everybody";
  const uid = process.getuid?.() ?? stat.uid;
  return stat.uid === uid ? null : "it belongs to somebody else";
}
