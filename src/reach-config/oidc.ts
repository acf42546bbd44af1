/** `[oidc]`: the provider that people log in with, and whom it calls what. */
import type { OidcConfig } from "../core/reach/config-types.ts";
import type { Problems } from "./problems.ts";

const KEYS = ["name", "issuer", "client_id", "client_secret", "client_secret_file", "claim", "people"];

export function readOidc(value: unknown, serveUrl: string | null, problems: Problems): OidcConfig | null {
  if (value === undefined) return null;
  const table = problems.table("oidc", value);
  problems.keys("oidc", table, KEYS);
  if (table.client_secret !== undefined)
    problems.add(
      "oidc.client_secret",
      "is a secret: write it to a file of mode 0600 and set client_secret_file to its path",
    );
  const issuer = problems.text("oidc.issuer", table.issuer);
  const client_id = problems.text("oidc.client_id", table.client_id);
  const client_secret_file = problems.text("oidc.client_secret_file", table.client_secret_file);
  const claim = problems.text("oidc.claim", table.claim) ?? "email";
  if (claim !== "email" && claim !== "sub") problems.add("oidc.claim", 'must be "email" or "sub"');
  if (issuer === null || !isIssuer(issuer))
    problems.add("oidc.issuer", 'must be an address like "https://accounts.example.com"');
  if (client_id === null) problems.add("oidc.client_id", "is missing");
  if (serveUrl === null) problems.add("oidc", "needs web.url: the provider sends browsers back there");
  const name = problems.text("oidc.name", table.name);
  if (name !== null && name.length > 60) problems.add("oidc.name", "is longer than 60 characters");
  const people = new Map<string, string>();
  for (const [theirs, ours] of Object.entries(problems.table("oidc.people", table.people))) {
    const name = problems.text(`oidc.people.${theirs}`, ours);
    if (name !== null) people.set(claim === "email" ? theirs.toLowerCase() : theirs, name);
  }
  if (issuer === null || client_id === null || (claim !== "email" && claim !== "sub")) return null;
  return { name, issuer, client_id, client_secret_file, claim, people };
}

/** With TLS, or on this machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  const isHere = protocol === "http:" && (hostname === "localhost" || /^127(\.\d+){3}$/.test(hostname));
  return (protocol === "https:" || isHere) && username === "" && search === "" && hash === "";
}
