/** A real sshd on loopback, run by an ordinary user for that user alone. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Finished } from "./project.ts";
import { OJ, until } from "./project.ts";

/** Elsewhere than where systems keep it: OJ_SSHD. */
const SSHD = [process.env.OJ_SSHD ?? "", "/usr/sbin/sshd", "/usr/bin/sshd"].find(
  (it) => it !== "" && fs.existsSync(it),
);

export interface Account {
  name: string;
  user: { uid: number; gid: number };
}

const isRoot = process.getuid?.() === 0;

/** Us; if we are root, somebody with a shell, because sshd as root would need more of the system than a test may touch. */
function findAccount(): Account | null {
  const uid = process.getuid?.();
  for (const line of fs.readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name = "", , own = "", group = "", , , shell = ""] = line.split(":");
    const isUs = isRoot ? own !== "0" && /\/(ba|da|z)?sh$/.test(shell) : Number(own) === uid;
    if (name !== "" && isUs) return { name, user: { uid: Number(own), gid: Number(group) } };
  }
  return null;
}

export function account(): Account {
  return findAccount() ?? assert.fail("nobody has a shell");
}

export function whyNoSshd(): string | null {
  if (SSHD === undefined) return "there is no sshd (Debian: openssh-server; or say where: OJ_SSHD)";
  for (const program of ["ssh", "ssh-keygen"])
    if (spawnSync(program, ["-V"]).error) return `there is no ${program}`;
  if (!fs.existsSync("/etc/passwd")) return "there is no /etc/passwd";
  const found = findAccount();
  if (found === null) return "no ordinary user has a shell";
  if (!isRoot) return null;
  const { status } = spawnSync(process.execPath, [OJ, "--version"], { cwd: "/", env: {}, ...found.user });
  return status === 0 ? null : "nobody but root can run oj from this folder";
}

export async function sshd(folder: string, authorized: string) {
  const { name, user } = account();
  const at = (file: string) => path.join(folder, file);
  const port = await freePort();
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at("host")]);
  fs.writeFileSync(at("authorized"), `${authorized}\n`);
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${at("host")}`,
    `AuthorizedKeysFile ${at("authorized")}`,
    `PidFile ${at("sshd.pid")}`,
    ...["UsePAM no", "StrictModes no", "PasswordAuthentication no", "AcceptEnv *"],
  ];
  fs.writeFileSync(at("sshd_config"), `${settings.join("\n")}\n`);
  for (const file of ["host", "authorized", "sshd_config"]) fs.chownSync(at(file), user.uid, user.gid);
  let said = "";
  const server = spawn(SSHD ?? "", ["-D", "-e", "-f", at("sshd_config")], {
    cwd: "/",
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "ignore", "pipe"],
    ...(isRoot ? user : {}),
  });
  server.stderr.on("data", (part: Buffer) => {
    said += part.toString();
  });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    if (server.exitCode !== null) return;
    server.kill("SIGTERM");
    await ended;
  });
  await until(() => {
    assert.equal(server.exitCode, null, said);
    return said.includes("Server listening");
  }, "sshd");

  const flags = (key: string) => [
    ...["-F", "none", "-i", key, "-p", String(port), "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"],
    ...["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"],
    ...["-o", "SendEnv=OJ_*", "-o", "ExitOnForwardFailure=yes", "-T"],
  ];
  const run = (args: string[]): Promise<Finished> =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH ?? "", HOME: folder, OJ_STATE_DIR: "/tmp/other", OJ_USER: "root" };
      const child = spawn("ssh", args, { env, stdio: ["ignore", "pipe", "pipe"] });
      const all = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const)
        child[name].on("data", (part: Buffer) => {
          all[name] += part.toString();
        });
      child.once("close", (code) => resolve({ ...all, code: code ?? -1 }));
    });
  return {
    log: () => said,
    call: (key: string, words: string[]) => run([...flags(key), `${name}@127.0.0.1`, ...words]),
    /** Fails unless the key may forward a connection. */
    async forwarded(key: string): Promise<void> {
      const { code, stderr } = await run([...flags(key), "-W", `127.0.0.1:${port}`, `${name}@127.0.0.1`]);
      assert.equal(code, 0, stderr);
    },
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
