/** `oj serve`: lets people on other machines in, each with a token of their own. */
import fs from "node:fs";
import type http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Refusal } from "../../core/model/errors.ts";
import { reachConfig } from "../../reach-config/read.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { isLoopback } from "../servers/contexts.ts";
import { byProxy, firstOf } from "./identity.ts";
import { proxy } from "./proxy.ts";
import { byTailscale } from "./tailscale.ts";
import { listenAt, modeOf } from "./unix-socket.ts";

const DEFAULT = "127.0.0.1:7433";

export const command = defineCommand({
  name: "serve",
  local: true,
  summary: "Let people on other machines in, with tokens",
  args: "",
  flags: {
    listen: { type: "string", value: "HOST:PORT|unix:FILE", help: `where (default: ${DEFAULT})` },
    "socket-mode": {
      type: "string",
      value: "MODE",
      help: "who may open unix:FILE (default: 600; 660: its group)",
    },
    "tls-cert": { type: "string", value: "FILE", help: "the certificate, with its chain (PEM)" },
    "tls-key": { type: "string", value: "FILE", help: "its private key (PEM)" },
  },
  examples: [
    { run: "oj serve", does: "on this machine alone, for a proxy with TLS or an ssh tunnel" },
    {
      run: "oj serve --listen 0.0.0.0:7433 --tls-cert c.pem --tls-key k.pem",
      does: "for everybody, with TLS",
    },
  ],

  async run(context, _, given) {
    const { client, config, json, out, abort } = context;
    const place = placeOf(given.listen ?? DEFAULT);
    const { host } = place;
    const tls = tlsOf(context, given["tls-cert"], given["tls-key"]);
    const mode = modeOf(given["socket-mode"]);
    if (place.file !== null && tls !== null) throw usage("a unix socket takes no TLS", "oj serve --help");
    if (place.file === null && tls === null && !isLoopback(host))
      throw refused(
        `${host} can be reached from elsewhere, so this takes TLS`,
        "--tls-cert FILE --tls-key FILE",
      );
    await client.health(); // starts the daemon
    const wake = () => void client.health().catch(() => {});
    const doors = doorsOf(context, { isUnix: place.file !== null, isTls: tls !== null });
    const server = proxy({ socket: config.socket, tls, wake, ...doors });
    if (place.file !== null) await listenAt(server, place.file, mode);
    else await listenOn(server, place);
    const url = urlOf(server, place, tls !== null);
    if (json) out.json({ url });
    else out.print(`${out.style.green("✓")} serving ${safeLine(url)}; Ctrl-C ends it`);
    await new Promise<void>((resolve) => {
      if (abort.aborted) return resolve();
      abort.addEventListener("abort", () => resolve(), { once: true });
    });
    server.closeAllConnections();
    server.close();
  },
});

interface Place {
  host: string;
  port: number;
  /** A unix socket instead. */
  file: string | null;
}

function listenOn(server: http.Server, { host, port }: Place): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(refused(`${host}:${port} can't be used: ${error.message}`, "--listen HOST:PORT")),
    );
    server.listen({ host, port }, resolve);
  });
}

function urlOf(server: http.Server, { host, file }: Place, isTls: boolean): string {
  if (file !== null) return `unix:${file}`;
  const { port } = server.address() as AddressInfo;
  return `${isTls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The doors that the person's settings open here. */
function doorsOf({ config, out }: Context, at: { isUnix: boolean; isTls: boolean }) {
  const { config: reach, problem } = reachConfig(config)();
  if (problem !== null) throw new Refusal("config.invalid", problem, "oj doctor");
  const { proxy, tailscale } = reach.doors;
  const isProxys = proxy !== null && (at.isUnix || (at.isTls && proxy.certificates.length > 0));
  if (proxy !== null && !isProxys) {
    const how = "it takes --listen unix:FILE, or TLS and proxy.certificate_sha256";
    out.say(`  the header of a proxy (${proxy.header}) counts for nothing here: ${how}`);
  }
  const all = [
    ...(isProxys ? [byProxy(proxy, at.isUnix)] : []),
    ...(tailscale !== null && !at.isUnix ? [byTailscale(tailscale)] : []),
  ];
  return all.length === 0 ? {} : { asksCertificate: at.isTls && isProxys, identify: firstOf(all) };
}

function placeOf(text: string): Place {
  if (text.startsWith("unix:/")) return { host: "", port: 0, file: text.slice("unix:".length) };
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host === "" || Number(port) > 65_535)
    throw usage(`--listen takes HOST:PORT or unix:FILE, not "${text}"`, `--listen ${DEFAULT}`);
  return { host, port: Number(port), file: null };
}

function tlsOf({ config }: Context, cert: string | undefined, key: string | undefined) {
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined)
    throw usage("give both --tls-cert and --tls-key", "oj serve --help");
  const read = (file: string) => {
    try {
      return fs.readFileSync(path.resolve(config.cwd, file), "utf8");
    } catch (error) {
      throw refused(`${file} can't be read: ${(error as Error).message}`, "--tls-cert FILE --tls-key FILE");
    }
  };
  return { cert: read(cert), key: read(key) };
}

function refused(message: string, hint: string): Refusal {
  return new Refusal("serve.refused", message, hint);
}
