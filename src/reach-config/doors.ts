/** `[ssh]`, `[proxy]` and `[tailscale]`: doors that say who comes in. All are shut unless a person opens them here. */
import type { DoorsConfig, ProxyConfig, TailscaleConfig } from "../core/reach/config-types.ts";
import type { Problems, Table } from "./problems.ts";

/** A name that a proxy may use: of ours, only those that no call could mean otherwise. */
const HEADER = /^[a-z][a-z0-9-]{1,63}$/;
const SHA256 = /^[0-9a-f]{64}$/;
/** These mean something else to us, or to whatever passes a call on. */
const TAKEN =
  /^(x-oj-.*|authorization|cookie|host|origin|content-.*|connection|transfer-encoding|accept.*|sec-.*)$/;

const TAILSCALED = "/var/run/tailscale/tailscaled.sock";

export function readDoors(parsed: Table, problems: Problems): DoorsConfig {
  return {
    ssh: readSsh(parsed.ssh, problems),
    proxy: readProxy(parsed.proxy, problems),
    tailscale: readTailscale(parsed.tailscale, problems),
  };
}

function readSsh(value: unknown, problems: Problems): boolean {
  const table = problems.table("ssh", value);
  problems.keys("ssh", table, ["enabled"]);
  return isOn("ssh.enabled", table.enabled, problems);
}

function readProxy(value: unknown, problems: Problems): ProxyConfig | null {
  if (value === undefined) return null;
  const table = problems.table("proxy", value);
  problems.keys("proxy", table, ["header", "certificate_sha256", "people"]);
  const header = problems.text("proxy.header", table.header)?.toLowerCase() ?? "";
  const isUsable = HEADER.test(header) && !TAKEN.test(header);
  if (!isUsable)
    problems.add("proxy.header", 'must be the name of a header of its own, like "x-forwarded-user"');
  const given = problems.texts("proxy.certificate_sha256", table.certificate_sha256) ?? [];
  const certificates = given.map((it) => it.replaceAll(":", "").toLowerCase());
  if (!certificates.every((it) => SHA256.test(it)))
    problems.add("proxy.certificate_sha256", "must be the SHA-256 of a certificate: 64 digits in hex");
  const people = peopleIn("proxy.people", table.people, problems);
  return isUsable ? { header, certificates: certificates.filter((it) => SHA256.test(it)), people } : null;
}

function readTailscale(value: unknown, problems: Problems): TailscaleConfig | null {
  if (value === undefined) return null;
  const table = problems.table("tailscale", value);
  problems.keys("tailscale", table, ["enabled", "socket", "people"]);
  const socket = problems.text("tailscale.socket", table.socket) ?? TAILSCALED;
  if (!socket.startsWith("/")) problems.add("tailscale.socket", "must be a whole path");
  const people = peopleIn("tailscale.people", table.people, problems);
  return isOn("tailscale.enabled", table.enabled, problems) && socket.startsWith("/")
    ? { socket, people }
    : null;
}

function isOn(key: string, value: unknown, problems: Problems): boolean {
  if (value !== undefined && typeof value !== "boolean") problems.add(key, "must be true or false");
  return value === true;
}

function peopleIn(key: string, value: unknown, problems: Problems): ReadonlyMap<string, string> {
  const people = new Map<string, string>();
  for (const [theirs, ours] of Object.entries(problems.table(key, value))) {
    const name = problems.text(`${key}.${theirs}`, ours);
    if (name !== null) people.set(calledThere(theirs), name);
  }
  return people;
}

/** Mail addresses are the same in upper and lower case; other names are not. */
export function calledThere(name: string): string {
  return name.includes("@") ? name.toLowerCase() : name;
}
