/**
 * Who calls from a tailnet, as the local tailscaled says (its LocalAPI, `whois`, over its unix socket). It may be away,
 * slow, or say something else: every question has a limit in time and size, and then nobody is let in.
 */
import http from "node:http";
import { networkInterfaces } from "node:os";
import { Refusal } from "../../core/model/errors.ts";
import type { TailscaleConfig } from "../../core/reach/config-types.ts";
import type { Identify } from "./identity.ts";

const PATIENCE_MS = 2000;
const MOST_BYTES = 256 * 1024;
const MOST_ASKED = 64;
const MOST_CHARS = 200;

interface Ends {
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
  localAddress?: string | undefined;
}

export function byTailscale(
  { socket }: TailscaleConfig,
  own: () => ReadonlySet<string> = ownAddresses,
): Identify {
  let asked = 0;
  return async (request) => {
    const peer = peerOf(request.socket, own());
    if (peer === null) return null;
    if (asked >= MOST_ASKED) throw unusable("is asked about too many callers at once");
    asked += 1;
    try {
      const person = loginIn(await ask(socket, `/localapi/v0/whois?addr=${encodeURIComponent(peer)}`));
      return person === null ? null : { person, door: "tailscale" };
    } finally {
      asked -= 1;
    }
  };
}

/**
 * The other end, if both ends are addresses of a tailnet and it is not this machine itself: tailscaled would name its
 * owner for whatever program calls from here, agents included.
 */
export function peerOf(ends: Ends, own: ReadonlySet<string>): string | null {
  const [remote, local] = [plain(ends.remoteAddress), plain(ends.localAddress)];
  if (!isTailnet(remote) || !isTailnet(local) || own.has(remote) || ends.remotePort === undefined)
    return null;
  return remote.includes(":") ? `[${remote}]:${ends.remotePort}` : `${remote}:${ends.remotePort}`;
}

function plain(address: string | undefined): string {
  return (address ?? "")
    .replace(/^::ffff:/i, "")
    .replace(/%.*$/, "")
    .toLowerCase();
}

/** 100.64.0.0/10 and fd7a:115c:a1e0::/48. */
function isTailnet(address: string): boolean {
  const [, second = ""] = /^100\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(address) ?? [];
  if (second !== "") return Number(second) >= 64 && Number(second) <= 127;
  return address.startsWith("fd7a:115c:a1e0:");
}

function ownAddresses(): ReadonlySet<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((it) => plain(it.address))),
  );
}

/** Null: nobody, such as a server that has tags instead of an owner. Throws if it says something else altogether. */
export function loginIn(said: unknown): string | null {
  if (said === null) return null;
  const { Node, UserProfile } = (said ?? {}) as { Node?: unknown; UserProfile?: unknown };
  const { Tags = [] } = (Node ?? {}) as { Tags?: unknown };
  const { LoginName } = (UserProfile ?? {}) as { LoginName?: unknown };
  const isNode = typeof Node === "object" && Node !== null;
  if (!isNode || !(Tags === null || Array.isArray(Tags)) || typeof LoginName !== "string")
    throw unusable("says something that can't be understood");
  if ((Tags ?? []).length > 0 || LoginName === "tagged-devices" || LoginName.trim() === "") return null;
  if (LoginName.length > MOST_CHARS) throw unusable("says something that can't be understood");
  return LoginName;
}

/** Null: it knows no such caller. */
function ask(socketPath: string, path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(late);
      sent.destroy();
      reject(unusable(why));
    };
    const headers = { host: "local-tailscaled.sock", accept: "application/json" };
    const sent = http.request({ socketPath, path, headers, agent: false }, (reply) => {
      const parts: Buffer[] = [];
      let size = 0;
      reply.on("error", () => fail("broke off"));
      reply.on("data", (part: Buffer) => {
        size += part.length;
        if (size > MOST_BYTES) fail("says too much");
        else parts.push(part);
      });
      reply.on("end", () => {
        clearTimeout(late);
        if (reply.statusCode === 404) return resolve(null);
        if (reply.statusCode !== 200) return fail(`answered ${reply.statusCode}`);
        try {
          resolve(JSON.parse(Buffer.concat(parts).toString("utf8")) ?? false);
        } catch {
          fail("says something that is not JSON");
        }
      });
    });
    const late = setTimeout(() => fail(`did not answer within ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
    sent.on("error", (error: NodeJS.ErrnoException) =>
      fail(`can't be asked (${error.code ?? error.message})`),
    );
    sent.end();
  });
}

function unusable(why: string): Refusal {
  return new Refusal(
    "server.unreachable",
    `tailscaled ${why}, so it is not known who calls; a token counts`,
    null,
  );
}
