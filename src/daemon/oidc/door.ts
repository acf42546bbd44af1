/**
 * Logging in with an OpenID provider, in a browser: `/oidc/login?code=…` leads to the provider, and back to a page that
 * shows the login that waits for that code. It is approved as the person that the provider names.
 */
import { createHash, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { devicePage } from "../../channels/page/device.ts";
import { sorryPage } from "../../channels/page/page.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { OidcConfig } from "../../core/reach/config-types.ts";
import { approveDevice } from "../../core/rights/device.ts";
import type { Clock, Journal } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { PublicDoor, Reply, Visit } from "../http/public-door.ts";
import { policyOf } from "../http/public-door.ts";
import type { DeviceCodes } from "../secrets/device-codes.ts";
import { OidcProblem } from "./id-token.ts";
import { personOf } from "./person.ts";
import type { Provider } from "./provider.ts";
import { oidcProvider } from "./provider.ts";
import { startSeal } from "./seal.ts";

interface Parts {
  config(): { oidc: OidcConfig | null; webUrl: string | null };
  secret(file: string): Promise<string>;
  engine: Pick<Engine, "run" | "read">;
  devices: DeviceCodes;
  port(): number;
  clock: Clock;
  journal: Journal;
}

/** What the browser keeps while it is at the provider. */
interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  code: string;
}

/** What the page with the question carries. */
interface Ticket {
  state: string;
  person: string;
  code: string;
}

const MOST_USED = 10_000;

export function oidcDoor({ config, secret, engine, devices, port, clock, journal }: Parts): PublicDoor {
  const seal = startSeal(clock);
  const used = new Set<string>();
  let known: { of: OidcConfig; provider: Provider } | null = null;

  function providerOf(of: OidcConfig): Provider {
    if (known?.of !== of) known = { of, provider: oidcProvider({ config: of, secret, clock }) };
    return known.provider;
  }

  const cookie = () => `oj-oidc-${port()}`;
  const begunOf = (headers: IncomingHttpHeaders): Begun => {
    const all = (headers.cookie ?? "").split(/;\s*/);
    const text = all.find((it) => it.startsWith(`${cookie()}=`))?.slice(cookie().length + 1) ?? "";
    const begun = seal.open<Begun>("begun", text);
    if (begun === null)
      throw new OidcProblem("this browser did not begin this login, or it took longer than ten minutes");
    return begun;
  };

  async function begin({ query }: Visit, base: string, oidc: OidcConfig): Promise<Reply> {
    const [state, nonce, verifier] = [secretText(), secretText(), secretText()];
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const redirect_uri = `${base}/oidc/callback`;
    const location = await providerOf(oidc).authorizeUrl({ redirect_uri, state, nonce, challenge });
    const begun = seal.close("begun", {
      state,
      nonce,
      verifier,
      code: (query.get("code") ?? "").slice(0, 40),
    });
    const flags = `Path=/; Max-Age=600; HttpOnly; SameSite=Lax${base.startsWith("https:") ? "; Secure" : ""}`;
    return { status: 302, headers: { location, "set-cookie": `${cookie()}=${begun}; ${flags}` }, body: "" };
  }

  async function comeBack({ query, headers }: Visit, base: string, oidc: OidcConfig): Promise<Reply> {
    const begun = begunOf(headers);
    if (query.get("state") !== begun.state) throw new OidcProblem("this answer belongs to another login");
    if (used.has(begun.state)) throw new OidcProblem("this login was used already");
    used.add(begun.state);
    for (const oldest of used.size > MOST_USED ? used : []) {
      used.delete(oldest);
      break;
    }
    const issuer = query.get("iss"); // RFC 9207
    if (issuer !== null && issuer !== oidc.issuer) throw new OidcProblem("another provider answers here");
    const error = query.get("error");
    if (error !== null) throw new OidcProblem(`the provider says: ${error.slice(0, 120)}`);
    const { nonce, verifier, code: wanted, state } = begun;
    const redirect_uri = `${base}/oidc/callback`;
    const code = query.get("code") ?? "";
    const claims = await providerOf(oidc).claims({ code, redirect_uri, verifier, nonce });
    const person = await engine.read((it) => personOf(claims, oidc, it));
    const waiting = devices.find(wanted, person);
    const ticket = seal.close("ticket", { state, person, code: waiting.code });
    return shown(200, devicePage({ waiting: { ...waiting, ...waiting.device }, person, ticket }));
  }

  async function decide({ headers, body }: Visit, base: string): Promise<Reply> {
    const { origin } = headers;
    if (origin !== undefined && origin !== "null" && origin !== new URL(base).origin)
      throw new OidcProblem("this comes from another page");
    const form = new URLSearchParams(body.toString("utf8"));
    const ticket = seal.open<Ticket>("ticket", form.get("ticket") ?? "");
    if (ticket === null || ticket.state !== begunOf(headers).state)
      throw new OidcProblem("this page is too old, or was made for another browser");
    const { person, code } = ticket;
    if (form.get("answer") !== "approve") {
      devices.deny(code, person);
      journal.info("a login was denied", { by: person });
      return shown(200, sorryPage("Denied", "Whoever asked is told."));
    }
    await devices.approve(code, person, async ({ id, sha256, scopes, lasts_ms, device }) => {
      const input = { person, id, sha256, scopes, lasts_ms, device, parent: null, by: person };
      await engine.run((state, moment) => approveDevice(state, input, moment));
    });
    journal.info("a login was approved with the provider", { person });
    return shown(200, sorryPage("Logged in", `It is logged in as ${person}. You can close this page.`));
  }

  return {
    path: "/oidc/",
    methods: ["GET", "POST"],
    maxBytes: 8192,
    async visit(visit) {
      const { oidc, webUrl } = config();
      const what = `${visit.method} ${visit.path}`;
      try {
        if (oidc === null || webUrl === null)
          return shown(404, sorryPage("Not here", "No provider is configured."));
        if (what === "GET /oidc/login") return await begin(visit, webUrl, oidc);
        if (what === "GET /oidc/callback") return await comeBack(visit, webUrl, oidc);
        if (what === "POST /oidc/decide") return await decide(visit, webUrl);
        return shown(404, sorryPage("Not here", "There is no such page."));
      } catch (error) {
        if (!(error instanceof OidcProblem) && !(error instanceof Refusal)) throw error;
        journal.warn("a login with the provider was refused", { what, why: error.message });
        return shown(403, sorryPage("Not logged in", error.message));
      }
    },
  };
}

function secretText(): string {
  return randomBytes(32).toString("base64url");
}

/** The form comes from this page and says so: without its origin, it could be any page's. */
function shown(status: number, body: string): Reply {
  const headers = { "content-type": "text/html; charset=utf-8", "referrer-policy": "same-origin" };
  return { status, headers: { ...headers, "content-security-policy": policyOf() }, body };
}
