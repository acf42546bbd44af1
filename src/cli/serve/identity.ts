/** Who a call that has no token comes from, as the door it came by can tell. The daemon looks up what they may do. */
import type http from "node:http";
import type { TLSSocket } from "node:tls";
import type { VouchingDoor } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { ProxyConfig } from "../../core/reach/config-types.ts";

export interface Identity {
  /** As the door calls them. */
  person: string;
  door: VouchingDoor;
}

/** Null: the door knows nobody. Throws a refusal if what it says can't be believed. */
export type Identify = (request: http.IncomingMessage) => Promise<Identity | null>;

/** Asks one after the other, until one knows who it is. */
export function firstOf(all: readonly Identify[]): Identify {
  return async (request) => {
    for (const identify of all) {
      const found = await identify(request);
      if (found !== null) return found;
    }
    return null;
  };
}

const MOST_CHARS = 200;

/**
 * What a proxy says in its header. It counts only on a connection that is the proxy's for certain: over a unix socket,
 * whose file says who may open it, or with a certificate that the settings name. Never on any other, loopback included:
 * every program of the machine can come from there.
 */
export function byProxy({ header, certificates }: ProxyConfig, isUnix: boolean): Identify {
  return async (request) => {
    if (!isUnix && !showsOneOf(certificates, request.socket as TLSSocket)) return null;
    const said = valuesOf(request.rawHeaders, header);
    const [only] = said;
    if (only === undefined) return null;
    if (said.length > 1) throw refused(`${header} is there ${said.length} times`);
    if (only.name !== header)
      throw refused(`${only.name} is not ${header}: what spells it so is not the proxy`);
    return { person: textOf(only.value, header), door: "proxy" };
  };
}

/** However it is spelled: programs behind a proxy often take `_` for `-`, and then believe what it let pass. */
function valuesOf(raw: readonly string[], header: string): { name: string; value: string }[] {
  return raw.flatMap((text, at) => {
    const name = text.toLowerCase();
    const isIt = at % 2 === 0 && name.replaceAll("_", "-") === header;
    return isIt ? [{ name, value: raw[at + 1] ?? "" }] : [];
  });
}

function textOf(value: string, header: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1")).trim();
    if (text !== "" && text.length <= MOST_CHARS) return text;
  } catch {
    // reported below
  }
  throw refused(`${header} names nobody`);
}

function showsOneOf(certificates: readonly string[], socket: TLSSocket): boolean {
  if (certificates.length === 0 || typeof socket.getPeerCertificate !== "function") return false;
  const { fingerprint256 = "", valid_from, valid_to } = socket.getPeerCertificate() ?? {};
  const isKnown = certificates.includes(fingerprint256.replaceAll(":", "").toLowerCase());
  const now = Date.now();
  return isKnown && Date.parse(valid_from) <= now && now <= Date.parse(valid_to);
}

function refused(message: string): Refusal {
  return new Refusal("login.required", message, null);
}
