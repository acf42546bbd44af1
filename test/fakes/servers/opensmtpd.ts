/**
 * A real mail server (Debian's OpenSMTPD) on a port of its own that pipes every mail into a command. Its spool and control
 * socket have fixed places, so it gets a mount namespace in which those are folders of its own: the system's are not touched.
 */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { freePort, whenOpen } from "./ports.ts";

export interface OpenSmtpd {
  port: number;
  /** How many mails wait for another try. */
  queued(): number;
  /** Tries them now. */
  flush(): void;
  log(): string;
  close(): Promise<void>;
}

/** The server drops its rights before it pipes anything, and never pipes as root. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

/** Why it can't be used here; null if it can. */
export function whyNoOpenSmtpd(): string | null {
  if (!/OpenSMTPD/.test(spawnSync("smtpd", ["-h"], { env: ENV, encoding: "utf8" }).stderr ?? ""))
    return "OpenSMTPD is not installed";
  if (process.getuid?.() !== 0) return "OpenSMTPD starts only as root, and its spool has a fixed place";
  if (spawnSync("unshare", ["-m", "mount", "--bind", "/tmp", "/run"], { env: ENV }).status !== 0)
    return "no mount namespace can be made here, and the spool has a fixed place";
  return null;
}

const ENV = { PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

/** `command` gets each mail for example.com on its standard input, and runs as nobody. */
export async function openSmtpd(dir: string, command: string): Promise<OpenSmtpd> {
  const port = await freePort();
  const at = (name: string) => path.join(dir, name);
  for (const name of ["spools", "spools/smtpd", "run"]) fs.mkdirSync(at(name));
  fs.chmodSync(at("spools/smtpd"), 0o711);
  fs.writeFileSync(
    at("smtpd.conf"),
    `table everybody { "@example.com" = nobody }
listen on 127.0.0.1 port ${port} hostname mx.example.com
action "oj" mda "${command}" virtual <everybody>
match from any for domain "example.com" action "oj"
`,
    { mode: 0o600 },
  );
  // the system's own spool is made when its service is first started, which may never have been
  const mounts = `mount --bind ${at("spools")} /var/spool && mount --bind ${at("run")} /run`;
  const child = spawn("unshare", ["-m", "sh", "-c", `${mounts} && exec smtpd -d -f ${at("smtpd.conf")}`], {
    env: ENV,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => {
      log += part;
    });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await Promise.race([
    whenOpen(port),
    ended.then(() => Promise.reject(new Error(`OpenSMTPD did not start: ${log}`))),
  ]);

  const control = (...args: string[]) =>
    spawnSync("nsenter", ["-t", String(child.pid), "-m", "smtpctl", ...args], { env: ENV, encoding: "utf8" });
  return {
    port,
    queued: () => control("show", "queue").stdout.split("\n").filter(Boolean).length,
    flush: () => void control("schedule", "all"),
    log: () => log,
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
