/**
 * Browsers of people for whom a door vouches, or whom a provider names. They log in without a token of their own: one is
 * made for the login, which is in the log and in `oj token list` as any other, and ends with the login or within a
 * working day. Nobody ever gets to see it.
 */
import type http from "node:http";
import { HEADERS } from "../../api/api.ts";
import { approveDevice, endOwnToken } from "../../core/rights/device.ts";
import { SCOPES } from "../../core/roles/people.ts";
import type { Service } from "../http/service.ts";
import type { Vouched } from "../http/vouched.ts";
import { vouchedFor } from "../http/vouched.ts";
import { makeToken } from "../secrets/person-tokens.ts";

const LASTS_MS = 12 * 3_600_000;

/** Whom the door names that this call came through; null: it names nobody. Refuses whom it may not name. */
export async function namedAtDoor(
  { headers }: Pick<http.IncomingMessage, "headers">,
  service: Pick<Service, "engine" | "people">,
): Promise<Vouched | null> {
  const said = headers[HEADERS.person];
  return typeof said === "string" ? vouchedFor(said, String(headers[HEADERS.door] ?? ""), service) : null;
}

/** The id of a token for that login; `how` they were named, in words. */
export async function tokenFor(
  { name, how, address }: { name: string; how: string; address: string },
  { engine }: Pick<Service, "engine">,
): Promise<string> {
  const { id, sha256 } = makeToken();
  const device = { label: `a browser, ${how}`, address };
  const input = { person: name, id, sha256, scopes: SCOPES, lasts_ms: LASTS_MS, device, parent: null };
  const named = { ...input, isNamed: true, by: name } as const;
  await engine.run((state, moment) => approveDevice(state, named, moment));
  return id;
}

/** A token goes when the login that it was made for does, however that ends. */
export function endWithLogins({ engine, logins }: Pick<Service, "engine" | "logins">): void {
  logins.onEnd((_, { token, isOwn }) => {
    if (isOwn && token !== undefined)
      engine.run((state, moment) => endOwnToken(state, token, moment)).catch(() => undefined); // it ends anyway
  });
}
