/** A real IMAP server (Debian's dovecot) on a port and in a folder of its own, for one mailbox. */
import type { ChildProcess } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort, whenOpen } from "./ports.ts";

export interface Dovecot {
  port: number;
  /** Puts a mail into the mailbox, as a delivery would. */
  deliver(raw: string): void;
  /** Mails that somebody has read. */
  seen(): number;
  stop(): Promise<void>;
  /** The same server again, after a stop. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Why it can't be used here; null if it can. */
export function whyNoDovecot(): string | null {
  return spawnSync("dovecot", ["--version"]).status === 0 ? null : "dovecot is not installed";
}

export const PASSWORD = "sesame";

export async function dovecot(): Promise<Dovecot> {
  // not in the folder of the tests, which is private: its users must get there
  const dir = fs.mkdtempSync("/tmp/oj-dovecot-");
  const port = await freePort();
  const mail = path.join(dir, "mail");
  for (const name of ["cur", "new", "tmp"]) fs.mkdirSync(path.join(mail, name), { recursive: true });
  const { uid, gid, ...users } = mailUser();
  fs.writeFileSync(path.join(dir, "dovecot.conf"), configOf({ dir, port, uid, gid, ...users }));
  spawnSync("chown", ["-R", `${uid}:${gid}`, mail]);
  fs.chmodSync(dir, 0o755);
  let child: ChildProcess | null = null;
  let delivered = 0;

  async function start(): Promise<void> {
    child = spawn("dovecot", ["-F", "-c", path.join(dir, "dovecot.conf")], { stdio: "ignore" });
    await whenOpen(port);
  }

  async function stop(): Promise<void> {
    const ended = new Promise((resolve) => child?.once("exit", resolve));
    child?.kill("SIGTERM");
    await ended;
    child = null;
  }

  await start();
  return {
    port,
    deliver(raw) {
      const name = `${Date.now()}.${delivered++}.host`;
      const file = path.join(mail, "tmp", name);
      fs.writeFileSync(file, raw);
      fs.chownSync(file, uid, gid);
      fs.renameSync(file, path.join(mail, "new", name));
    },
    seen: () => fs.readdirSync(path.join(mail, "cur")).filter((it) => /:2,.*S/.test(it)).length,
    start,
    stop,
    async close() {
      if (child) await stop();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Nothing of it may run as root where root starts it. */
function mailUser(): { uid: number; gid: number; internal: string; login: string } {
  const { uid, gid, username } = os.userInfo();
  return uid === 0
    ? { uid: 65_534, gid: 65_534, internal: "dovecot", login: "dovenull" }
    : { uid, gid, internal: username, login: username };
}

function configOf(it: {
  dir: string;
  port: number;
  uid: number;
  gid: number;
  internal: string;
  login: string;
}): string {
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${it.dir}/run
state_dir = ${it.dir}/state
log_path = ${it.dir}/log
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${it.dir}/mail
default_internal_user = ${it.internal}
default_login_user = ${it.login}
first_valid_uid = 1
service imap-login {
  chroot =
  inet_listener imap {
    port = ${it.port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${it.uid} gid=${it.gid} home=${it.dir}/mail
}
`;
}
