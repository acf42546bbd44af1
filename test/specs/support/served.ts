/** `oj serve` with people who have tokens, and a certificate of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import type { Project } from "./project.ts";

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) process.stderr.write("tests of TLS are skipped: there is no openssl\n");

/** The flags for a certificate of 127.0.0.1 that nobody knows. */
export function certificate({ home }: Project): string[] {
  const [cert, key] = [path.join(home, "c.pem"), path.join(home, "k.pem")];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  execFileSync("openssl", [...made, "-keyout", key, "-out", cert, ...name], { stdio: "ignore" });
  return ["--tls-cert", cert, "--tls-key", key];
}

/** Its address, once it serves. */
export async function served(project: Project, ...flags: string[]): Promise<string> {
  const running = project.start("serve", "--listen", "127.0.0.1:0", "-o", "json", ...flags);
  const said = await project.until(() => running.stdout().includes("}") && running.stdout(), "the door");
  return (JSON.parse(said) as { url: string }).url;
}

export interface Made {
  id: string;
  token: string;
}

export async function personWith(
  project: Project,
  name: string,
  role: string[],
  scope: string,
): Promise<Made> {
  await project.json("invite", name);
  await project.json("role", "grant", name, ...role);
  return project.json<Made>("token", "create", "--for", name, "--scope", scope);
}
