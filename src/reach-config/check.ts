/** A parsed config file → people, channels and routes, or everything that is wrong with them. */
import type { ReachConfig } from "../core/reach/config-types.ts";
import { readChannels } from "./channels.ts";
import { readDoors } from "./doors.ts";
import { readOidc } from "./oidc.ts";
import { readGroups, readPeople, readRotas } from "./people.ts";
import type { Problems, Table } from "./problems.ts";
import { startProblems } from "./problems.ts";
import { readRoutes } from "./routes.ts";

export const NOTHING: ReachConfig = Object.freeze({
  people: new Map(),
  groups: new Map(),
  rotas: new Map(),
  channels: new Map(),
  routes: [],
  webUrl: null,
  serveUrl: null,
  oidc: null,
  doors: { ssh: false, proxy: null, tailscale: null },
});

const SECTIONS = ["person", "group", "rota", "channel", "route", "web", "oidc", "ssh", "proxy", "tailscale"];

export function checkReach(parsed: Table): { config: ReachConfig; problems: readonly string[] } {
  if (!SECTIONS.some((it) => it in parsed)) return { config: NOTHING, problems: [] };
  const problems = startProblems();
  const people = readPeople(parsed.person, problems);
  const groups = readGroups(parsed.group, people, problems);
  const rotas = readRotas(parsed.rota, people, problems);
  const channels = readChannels(parsed.channel, problems);
  const routes = readRoutes(parsed.route, { people, groups, rotas, channels }, problems);
  const web = problems.table("web", parsed.web);
  problems.keys("web", web, ["url", "serve_url"]);
  const webUrl = readUrl("web.url", web.url, problems);
  const serveUrl = readUrl("web.serve_url", web.serve_url, problems) ?? webUrl;
  const oidc = readOidc(parsed.oidc, serveUrl, problems);
  const doors = readDoors(parsed, problems);
  const config = { people, groups, rotas, channels, routes, webUrl, serveUrl, oidc, doors };
  return { config, problems: problems.found };
}

function readUrl(key: string, value: unknown, problems: Problems): string | null {
  const text = problems.text(key, value);
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
  if (!isPlain) problems.add(key, 'must be an address like "https://oj.example.com"');
  return text.replace(/\/+$/, "");
}
