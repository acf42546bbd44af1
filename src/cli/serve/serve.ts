/** `oj serve`: lets people on other machines in, each with a token of their own. */
import fs from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Refusal } from "../../core/model/errors.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { isLoopback } from "../servers/contexts.ts";
import { proxy } from "./proxy.ts";

const DEFAULT = "127.0.0.1:7433";

export const command = defineCommand({
  name: "serve",
  local: true,
  summary: "Let people on other machines in, with tokens",
  args: "",
  flags: {
    listen: { type: "string", value: "HOST:PORT", help: `where (default: ${DEFAULT})` },
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
    const { host, port } = placeOf(given.listen ?? DEFAULT);
    const tls = tlsOf(context, given["tls-cert"], given["tls-key"]);
    if (tls === null && !isLoopback(host))
      throw refused(
        `${host} can be reached from elsewhere, so this takes TLS`,
        "--tls-cert FILE --tls-key FILE",
      );
    await client.health(); // starts the daemon
    const wake = () => void client.health().catch(() => {});
    const server = proxy({ socket: config.socket, tls, wake });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error) =>
        reject(refused(`${host}:${port} can't be used: ${error.message}`, "--listen HOST:PORT")),
      );
      server.listen({ host, port }, resolve);
    });
    const at = server.address() as AddressInfo;
    const shown = host.includes(":") ? `[${host}]` : host;
    const url = `${tls === null ? "http" : "https"}://${shown}:${at.port}`;
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

function placeOf(text: string): { host: string; port: number } {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host === "" || Number(port) > 65_535)
    throw usage(`--listen takes HOST:PORT, not "${text}"`, `--listen ${DEFAULT}`);
  return { host, port: Number(port) };
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
