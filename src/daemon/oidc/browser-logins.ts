/** Browsers that log in with the provider at `oj serve`: where that is offered, how it begins, and who comes back. */
import type { IncomingHttpHeaders } from "node:http";
import { HEADERS } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Clock, Journal } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { BrowserLogins, PublicDoor } from "../http/public-door.ts";
import { withBalanced } from "./balanced.ts";
import { startEntries } from "./entries.ts";
import type { At, Exchange, OidcSettings } from "./exchange.ts";
import type { LoginCookie } from "./login-cookie.ts";
import { ownPage } from "./own-page.ts";
import { OidcProblem, remedyWords } from "./problem.ts";

type Where = (settings: OidcSettings, headers: IncomingHttpHeaders) => At | null;

interface Parts {
  config(): OidcSettings;
  engine: Pick<Engine, "read">;
  exchange: Exchange;
  cookieAt(base: string): LoginCookie;
  clock: Clock;
  journal: Journal;
  doorAt(where: Where): PublicDoor;
}

export function startBrowserLogins(parts: Parts): BrowserLogins {
  const { config, engine, exchange, cookieAt, clock, journal, doorAt } = parts;
  const entries = startEntries(clock);

  function atOrRefuse(headers: IncomingHttpHeaders): At {
    const at = atServe(config(), headers);
    if (at !== null) return at;
    throw new Refusal(
      "login.refused",
      "nobody logs in with a provider at this address",
      "Whoever runs this server sets web.serve_url to the address you use.",
    );
  }

  return {
    offered(headers) {
      const at = atServe(config(), headers);
      return at === null ? null : nameOf(at);
    },

    async begin(headers, next) {
      const at = atOrRefuse(headers);
      try {
        const { location, note } = await exchange.begin(at, { flow: "browser", next: ownPage(next) });
        return { location, cookie: cookieAt(at.base).with(note) };
      } catch (error) {
        if (!(error instanceof OidcProblem)) throw error;
        journal.warn("a login with the provider was refused", { what: "its begin", why: error.message });
        throw new Refusal("login.refused", error.message, await remedyWords(error, engine));
      }
    },

    async enter(headers) {
      const at = atOrRefuse(headers);
      const cookie = cookieAt(at.base);
      const entry = entries.take(cookie.in(headers));
      if (entry === null)
        throw new Refusal(
          "login.refused",
          "this browser did not just come back from the provider",
          await withBalanced(engine, "Log in again from the start."),
        );
      return { ...entry, provider: nameOf(at), cookie: cookie.gone() };
    },

    welcome: (base, person, next) => cookieAt(base).with(entries.add({ person, next })),
    door: doorAt(atServe),

    hosts() {
      const { serveUrl, oidc } = config();
      return serveUrl === null || oidc === null || !URL.canParse(serveUrl) ? [] : [new URL(serveUrl).host];
    },
  };
}

/**
 * Only at the address that the settings name: the provider sends browsers back there, and a name that somebody else
 * points at us must not become part of what it is asked.
 */
function atServe({ oidc, serveUrl }: OidcSettings, headers: IncomingHttpHeaders): At | null {
  if (oidc === null || serveUrl === null || !URL.canParse(serveUrl)) return null;
  if (new URL(serveUrl).host !== headers.host) return null;
  return { oidc, base: serveUrl, address: addressIn(headers) };
}

/** On this machine there is a proxy or a tunnel, and everybody has the same. */
function addressIn(headers: IncomingHttpHeaders): string | null {
  const address = String(headers[HEADERS.address] ?? "").slice(0, 64);
  return address === "" || address === "::1" || address.startsWith("127.") ? null : address;
}

function nameOf({ oidc }: At): string {
  return oidc.name ?? new URL(oidc.issuer).host;
}
