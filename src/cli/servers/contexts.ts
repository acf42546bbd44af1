/** The servers that a person is logged in to, each under a name: a file that only they can read. */
import fs from "node:fs";
import path from "node:path";
import type { Config } from "../../config.ts";
import { personalFile } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";

export interface ServerContext {
  name: string;
  url: string;
  /** Null: logged out. */
  token: string | null;
}

export interface Contexts {
  /** The one that commands use without `--server`; null: the daemon of this machine. */
  current: string | null;
  contexts: ServerContext[];
}

type Place = Pick<Config, "env" | "home">;

const fileOf = ({ env, home }: Place) => path.join(path.dirname(personalFile(env, home)), "contexts.json");

export function readContexts(config: Place): Contexts {
  const file = fileOf(config);
  try {
    const { current, contexts } = JSON.parse(fs.readFileSync(file, "utf8")) as Partial<Contexts>;
    const known = (Array.isArray(contexts) ? contexts : []).filter(isContext);
    return { current: typeof current === "string" ? current : null, contexts: known };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { current: null, contexts: [] };
    throw new Refusal("config.invalid", `${file} can't be read: ${(error as Error).message}`, `rm ${file}`);
  }
}

export function writeContexts(config: Place, contexts: Contexts): void {
  const file = fileOf(config);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.rmSync(`${file}.new`, { force: true });
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  fs.renameSync(`${file}.new`, file);
}

export function findContext({ contexts }: Contexts, name: string): ServerContext {
  const found = contexts.find((it) => it.name === name);
  if (found) return found;
  throw new Refusal("context.not-found", `there is no context ${name}`, "oj context list");
}

/** Where commands go: `server` is a context's name or an address. Null: to the daemon of this machine. */
export function serverOf(
  config: Place & Pick<Config, "token">,
  server: string | undefined,
): ServerContext | null {
  if (server !== undefined && /^https?:\/\//i.test(server)) {
    const url = addressOf(server);
    const known = readContexts(config).contexts.find((it) => it.url === url);
    return { name: url, url, token: config.token ?? known?.token ?? null };
  }
  const contexts = readContexts(config);
  const name = server ?? contexts.current;
  if (name === null || name === LOCAL) return null;
  const found = findContext(contexts, name);
  return { ...found, token: config.token ?? found.token };
}

/** The daemon of this machine, as a name. */
export const LOCAL = "local";

/** Off this machine only with TLS: whoever is on the way would have the token. */
export function addressOf(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Refusal("usage", `"${text}" is not an address`, "https://host:port");
  }
  const isHere = isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isHere))
    throw new Refusal("usage", `${text} is not safe: a token only travels with TLS`, "https://host:port");
  return `${url.origin}${url.pathname.replace(/(\/api)?\/*$/, "")}`;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function isContext(value: unknown): value is ServerContext {
  const { name, url, token } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof url === "string" && (token === null || typeof token === "string");
}
