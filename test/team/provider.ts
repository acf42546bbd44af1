/** `oj serve` where people log in with an OpenID provider. */
import fs from "node:fs";
import path from "node:path";
import { CLIENT } from "../fakes/servers/oidc.ts";
import type { Project } from "../specs/support/project.ts";
import { served } from "../specs/support/served.ts";

export const JSON_BODY = ["content-type", "application/json"];
export const cookieIn = (set: string) => set.split(";")[0] ?? "";

/** `oj serve` at this machine, where the provider is offered; people reach it at `address`, if that is another one. */
export async function offering(project: Project, issuer: string, address?: string): Promise<string> {
  const url = await served(project);
  const folder = path.join(project.home, ".config/oj");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "oidc-secret"), CLIENT.secret, { mode: 0o600 });
  const web = `[web]\nserve_url = "${address ?? url}"\n`;
  const oidc = `[oidc]\nissuer = "${issuer}"\nclient_id = "${CLIENT.id}"\nclient_secret_file = "oidc-secret"\n`;
  fs.writeFileSync(
    path.join(folder, "config.toml"),
    `${web}${oidc}[oidc.people]\n"ana@example.com" = "ana"\n`,
  );
  return url;
}
