/** The cookie with which a browser shows that it was the one that began a login. */
import type { IncomingHttpHeaders } from "node:http";

const LASTS_S = 600;

export interface LoginCookie {
  /** "" if the browser has none. */
  in(headers: IncomingHttpHeaders): string;
  /** The header that sets it. */
  with(value: string): string;
  gone(): string;
}

/**
 * Where there is TLS, its prefix keeps other hosts of the domain from planting one of theirs: they would log somebody in
 * as somebody else. It is `Lax`, because the provider's page leads the browser back.
 */
export function loginCookie(base: string, port: number): LoginCookie {
  const isSecure = base.startsWith("https:");
  const name = `${isSecure ? "__Host-" : ""}oj-oidc-${port}`;
  const set = (value: string, lasts_s: number) =>
    `${name}=${value}; Path=/; Max-Age=${lasts_s}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    in: ({ cookie = "" }) =>
      cookie
        .split(/;\s*/)
        .find((it) => it.startsWith(`${name}=`))
        ?.slice(name.length + 1) ?? "",
    with: (value) => set(value, LASTS_S),
    gone: () => set("", 0),
  };
}
