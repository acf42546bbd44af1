/** A real pgbouncer (Debian's) in front of a PostgreSQL, on a port of its own, never as root. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { freePort, whenOpen } from "./ports.ts";
import { serverUser } from "./postgres.ts";

const PROGRAM = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((it) => fs.existsSync(it));

/** Why it can't be used here; null if it can. */
export const whyNoPgbouncer = PROGRAM === undefined ? "pgbouncer is not installed" : null;

export async function pgbouncer(
  to: number,
  mode: "session" | "transaction",
): Promise<{ port: number; close(): Promise<void> }> {
  const dir = fs.mkdtempSync("/tmp/oj-pgbouncer-");
  const port = await freePort();
  const file = path.join(dir, "pgbouncer.ini");
  fs.writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${to} user=oj\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = any\npool_mode = ${mode}\nignore_startup_parameters = extra_float_digits\n`,
  );
  const owner = serverUser();
  if (owner.uid !== undefined) for (const it of [dir, file]) fs.chownSync(it, owner.uid, owner.gid ?? 0);
  const child = spawn(PROGRAM ?? "", ["-q", file], { ...owner, cwd: dir, stdio: "ignore" });
  const gone = once(child, "exit");
  await whenOpen(port);
  return {
    port,
    async close() {
      child.kill("SIGKILL");
      await gone;
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
