/** What ended when a person left, and what is left to see to: what still runs, and where settings name them. */
import type { PersonRemoved } from "../../api/api.ts";
import type { Fact } from "../../core/model/events.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";

interface Parts {
  facts: readonly Fact[];
  works: readonly string[];
  short: readonly string[];
  config: ReachConfig;
  owner: string;
}

export function removedView(name: string, { facts, works, short, config, owner }: Parts): PersonRemoved {
  const ended = facts.find((it) => it.type === "person:removed")?.ended;
  const idsOf = (type: Fact["type"]) =>
    facts.flatMap((it) => (it.type === type && "id" in it ? [it.id] : []));
  const votes = idsOf("decision:unvoted");
  return {
    name,
    roles: [...(ended?.roles ?? [])],
    tokens: ended?.tokens.length ?? 0,
    passkeys: ended?.passkeys.length ?? 0,
    programs: (ended?.services ?? []).map((it) => it.replace(/^mcp:/, "")),
    votes,
    answers: idsOf("decision:undone").filter((it) => !votes.includes(it)),
    claims: idsOf("decision:released"),
    short: [...short],
    works: [...works],
    settings: namedIn(config, name),
    is_owner: owner === name,
  };
}

/** As it is written there. */
function namedIn({ people, groups, rotas, routes, oidc, doors }: ReachConfig, name: string): string[] {
  const mapped = (where: string, names: ReadonlyMap<string, string> | undefined) =>
    [...(names ?? [])].flatMap(([theirs, ours]) => (ours === name ? [`${where} "${theirs}"`] : []));
  return [
    ...(people.has(name) ? [`[person.${name}]`] : []),
    ...[...groups].flatMap(([group, all]) => (all.includes(name) ? [`group ${group}`] : [])),
    ...[...rotas].flatMap(([rota, it]) => (it.people.includes(name) ? [`rota ${rota}`] : [])),
    ...(routes.some((it) => it.notify.includes(name)) ? ["routes"] : []),
    ...mapped("oidc.people", oidc?.people),
    ...mapped("proxy.people", doors.proxy?.people),
    ...mapped("tailscale.people", doors.tailscale?.people),
  ];
}
