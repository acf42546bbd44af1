/**
 * The secrets that this daemon knows by their value: what the environments have that it and its jobs run with, what it
 * read from files that its settings name, and the tokens of its agents.
 */
import type { Config } from "../../config.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import type { CrewId, JobId } from "../../core/model/ids.ts";
import type { Hide } from "../../core/text/secrets/known.ts";
import { hiding } from "../../core/text/secrets/known.ts";
import { secretsIn } from "../../core/text/secrets/redact.ts";
import type { JobFiles } from "../../ports.ts";
import { readSecret } from "../../reach-config/secret.ts";
import type { Engine } from "../engine/engine.ts";
import type { Tokens } from "./tokens.ts";

/** What is said about these decisions, without the secrets of whoever asks in them. */
export type Hider = (decisions: readonly Decision[]) => Promise<Hide>;

interface Parts {
  config: Pick<Config, "env" | "home">;
  tokens: Pick<Tokens, "kept">;
}

/** Environments that are remembered; each is a few names at most. */
const MOST_KEPT = 200;

export function knownSecrets(
  engine: Pick<Engine, "read">,
  { files }: { files: Pick<JobFiles, "loadEnv"> },
  { config, tokens }: Parts,
): { hider: Hider; secret(file: string): Promise<string> } {
  const own = new Set(secretsIn(config.env));
  const kept = new Map<JobId | CrewId, readonly string[]>();

  /** Of the environment that was saved when this one was started; it never changes. */
  async function inSaved(id: JobId | CrewId): Promise<readonly string[]> {
    const found = kept.get(id) ?? secretsIn((await files.loadEnv(id)) ?? {});
    kept.delete(id); // what was asked for last is forgotten last
    kept.set(id, found);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return found;
  }

  /** Whose environment whoever asks runs with; null for one that oj did not start. */
  const originOf = ({ owner, agent_id, asked_in }: Decision) =>
    engine.read(({ agents, jobs }) => {
      const asker = (agent_id === null ? undefined : agents.get(agent_id)?.owner) ?? owner;
      if (asker.kind === "crew") return asker.id;
      const job = asker.kind === "job" ? asker.id : asked_in?.job_id;
      return (job && jobs.get(job)?.origin) ?? null;
    });

  async function about(decision: Decision): Promise<readonly string[]> {
    const { agent_id } = decision;
    const origin = await originOf(decision);
    const token = agent_id === null ? null : await tokens.kept(agent_id);
    return [...(origin === null ? [] : await inSaved(origin)), ...(token === null ? [] : [token])];
  }

  return {
    hider: async (decisions) => hiding([...own, ...(await Promise.all(decisions.map(about))).flat()]),
    /** What is in a file that the settings name. */
    async secret(file) {
      const secret = await readSecret(file, config);
      for (const it of secretsIn({ PASSWORD: secret })) own.add(it);
      return secret;
    },
  };
}
