/**
 * The tokens that a person made for MCP clients that oj does not run. They are events, as those of people are: only
 * hashes are recorded, and one that is revoked on another machine counts no more here.
 */
import fs from "node:fs/promises";
import type { McpTokenView } from "../../api/api.ts";
import { isUseNews, useToken } from "../../core/rights/people.ts";
import type { FoundService } from "../../core/rights/services.ts";
import { distrustService, serviceTokens, trustService } from "../../core/rights/services.ts";
import type { Bound } from "../../core/roles/people.ts";
import type { Clock, Journal } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import { hasTexts, isObjectOf, keptJson } from "./kept-json.ts";
import { isHashOf, makeToken } from "./person-tokens.ts";

export interface McpTokens {
  /** Makes a new token. A token that the name had before stops working. */
  make(input: { name: string; bound: Bound; lasts_ms: number; by: string }): Promise<string>;
  revoke(name: string, by: string): Promise<void>;
  list(): Promise<McpTokenView[]>;
  find(token: string): Promise<FoundService | null>;
}

interface Parts {
  engine: Pick<Engine, "run" | "read">;
  clock: Pick<Clock, "now">;
  /** The name of this machine, if several share the log. */
  machine: string | null;
}

export function mcpTokens({ engine, clock, machine }: Parts): McpTokens {
  return {
    async make({ bound, ...input }) {
      const { token, ...made } = makeToken("ojm");
      const home = machine === null ? bound : { ...bound, machine };
      await engine.run((state, moment) => trustService(state, { ...input, ...made, bound: home }, moment));
      return token;
    },
    async revoke(name, by) {
      await engine.run((state) => distrustService(state, { name, by }));
    },
    list: () =>
      engine.read((state) =>
        serviceTokens(state).map(({ name, bound, token }) => ({
          name,
          project: bound.project,
          id: token.id,
          sponsor: bound.sponsor,
          created_at_ms: token.created_at_ms,
          expires_at_ms: token.expires_at_ms,
          used_at_ms: token.used_at_ms ?? null,
        })),
      ),
    async find(text) {
      const now = clock.now();
      const found = await engine.read((state) =>
        serviceTokens(state).find(
          ({ token, bound }) =>
            token.expires_at_ms > now &&
            (machine === null || bound.machine === undefined || bound.machine === machine) &&
            isHashOf(token.sha256, text),
        ),
      );
      if (!found) return null;
      const { token } = found;
      if (isUseNews(token, now))
        engine.run((state, moment) => useToken(state, token.id, moment)).catch(() => undefined);
      return found;
    },
  };
}

const LASTS_MS = 90 * 86_400_000;

/** Tokens were once kept in a file of the state folder. Where there is one, they are recorded, and it goes. */
export async function takeOver(
  file: string,
  { engine, machine, sponsor, journal }: Parts & { sponsor: string; journal: Journal },
): Promise<void> {
  try {
    const kept = await keptJson<Record<string, { name: string; project: string; root: string }>>(file, {
      isFit: (value) => isObjectOf(value, (it) => hasTexts(it, ["name", "project", "root"])),
      journal,
    }).read();
    if (kept === null) return;
    const home = machine === null ? {} : { machine };
    for (const [sha256, { name, project, root }] of Object.entries(kept)) {
      const { id } = makeToken("ojm");
      const bound = { project, root, sponsor, ...home };
      const input = { name, bound, id, sha256, lasts_ms: LASTS_MS, by: sponsor };
      await engine.run((state, moment) => trustService(state, input, moment));
    }
    await fs.rm(file);
  } catch (error) {
    journal.warn("could not take over the MCP tokens", { file, error: (error as Error).message });
  }
}
