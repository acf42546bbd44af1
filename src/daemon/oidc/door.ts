/**
 * Logging in with an OpenID provider, in a browser. `/oidc/login?code=…` leads to the provider and back to a page that
 * shows the login that waits for that code. Through `oj serve`, the browser itself logs in the same way.
 */
import type { IncomingHttpHeaders } from "node:http";
import { devicePage } from "../../channels/page/device.ts";
import { notLoggedInPage, sorryPage } from "../../channels/page/page.ts";
import { Refusal } from "../../core/model/errors.ts";
import { approveDevice } from "../../core/rights/device.ts";
import type { Clock, Journal } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { BrowserLogins, PublicDoor, Reply, Visit } from "../http/public-door.ts";
import { policyOf } from "../http/public-door.ts";
import type { DeviceCodes } from "../secrets/device-codes.ts";
import { startBrowserLogins } from "./browser-logins.ts";
import type { At, Finished, OidcSettings } from "./exchange.ts";
import { startExchange } from "./exchange.ts";
import { loginCookie } from "./login-cookie.ts";
import { OidcProblem, remedyWords } from "./problem.ts";
import { startSeal } from "./seal.ts";

interface Parts {
  config(): OidcSettings;
  secret(file: string): Promise<string>;
  engine: Pick<Engine, "run" | "read">;
  devices: DeviceCodes;
  port(): number;
  clock: Clock;
  journal: Journal;
}

/** What the page with the question carries. */
interface Ticket {
  state: string;
  person: string;
  code: string;
}

/** The door on this machine's port, and logins of browsers that come through `oj serve`. */
export function oidcDoors(parts: Parts): { here: PublicDoor; browsers: BrowserLogins } {
  const { config, engine, devices, port, clock, journal } = parts;
  const seal = startSeal(clock);
  const exchange = startExchange({ ...parts, seal });
  const cookieAt = (base: string) => loginCookie(base, port());

  async function begin({ query }: Visit, at: At): Promise<Reply> {
    const code = (query.get("code") ?? "").slice(0, 40);
    const { location, note } = await exchange.begin(at, { flow: "device", code });
    return { status: 302, headers: { location, "set-cookie": cookieAt(at.base).with(note) }, body: "" };
  }

  function showDevice({ person, state }: Finished, wanted: string): Reply {
    const waiting = devices.find(wanted, person);
    const ticket = seal.close("ticket", { state, person, code: waiting.code });
    return shown(200, devicePage({ waiting: { ...waiting, ...waiting.device }, person, ticket }));
  }

  async function comeBack({ query, headers }: Visit, at: At): Promise<Reply> {
    const finished = await exchange.finish(at, query, cookieAt(at.base).in(headers));
    const { purpose } = finished;
    if (purpose.flow === "device") return showDevice(finished, purpose.code);
    const cookie = browsers.welcome(at.base, finished.person, purpose.next);
    return { status: 303, headers: { location: "/#provider", "set-cookie": cookie }, body: "" };
  }

  async function decide({ headers, body }: Visit, { base }: At): Promise<Reply> {
    const { origin } = headers;
    if (origin !== undefined && origin !== "null" && origin !== new URL(base).origin)
      throw new OidcProblem("this comes from another page", "again");
    const form = new URLSearchParams(body.toString("utf8"));
    const ticket = seal.open<Ticket>("ticket", form.get("ticket") ?? "");
    if (ticket === null || ticket.state !== exchange.stateIn(cookieAt(base).in(headers)))
      throw new OidcProblem("this page is too old, or was made for another browser", "elsewhere");
    const { person, code } = ticket;
    if (form.get("answer") !== "approve") {
      devices.deny(code, person);
      journal.info("a login was denied", { by: person });
      return shown(200, sorryPage("Denied", "Whoever asked is told."));
    }
    await devices.approve(code, person, async ({ id, sha256, scopes, lasts_ms, device }) => {
      const named = { person, isNamed: true, by: person } as const;
      const input = { ...named, id, sha256, scopes, lasts_ms, device, parent: null };
      await engine.run((state, moment) => approveDevice(state, input, moment));
    });
    journal.info("a login was approved with the provider", { person });
    return shown(200, sorryPage("Logged in", `It is logged in as ${person}. You can close this page.`));
  }

  function doorAt(where: (settings: OidcSettings, headers: IncomingHttpHeaders) => At | null): PublicDoor {
    return {
      path: "/oidc/",
      methods: ["GET", "POST"],
      maxBytes: 8192,
      async visit(visit) {
        const at = where(config(), visit.headers);
        const what = `${visit.method} ${visit.path}`;
        try {
          if (at === null) return shown(404, sorryPage("Not here", "No provider is configured."));
          if (what === "GET /oidc/login") return await begin(visit, at);
          if (what === "GET /oidc/callback") return await comeBack(visit, at);
          if (what === "POST /oidc/decide") return await decide(visit, at);
          return shown(404, sorryPage("Not here", "There is no such page."));
        } catch (error) {
          if (!(error instanceof OidcProblem) && !(error instanceof Refusal)) throw error;
          journal.warn("a login with the provider was refused", { what, why: error.message });
          return shown(403, notLoggedInPage(error.message, await remedyWords(error, engine)));
        }
      },
    };
  }

  const browsers = startBrowserLogins({ config, engine, exchange, cookieAt, clock, journal, doorAt });
  const here = doorAt(({ oidc, webUrl }) =>
    oidc === null || webUrl === null ? null : { oidc, base: webUrl, address: null },
  );
  return { here, browsers };
}

/** The form comes from this page and says so: without its origin, it could be any page's. */
function shown(status: number, body: string): Reply {
  const headers = { "content-type": "text/html; charset=utf-8", "referrer-policy": "same-origin" };
  return { status, headers: { ...headers, "content-security-policy": policyOf() }, body };
}
