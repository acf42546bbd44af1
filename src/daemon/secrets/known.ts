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

/** What takes the secrets of those who ask in these decisions out of whatever is said about them. */
export type Hider = (decisions: readonly Decision[]) => Promise<Hide>;

interface Parts {
  config: Pick<Config, "env" | "home">;
  tokens: Pick<Tokens, "kept">;
}

/** Jobs and crews whose secrets are remembered; each has a few at most. */
const MOST_KEPT = 200;

export function knownSecrets(
  engine: Pick<Engine, "read">,
  { files }: { files: Pick<JobFiles, "loadEnv"> },
  { config, tokens }: Parts,
): { hider: Hider; secret(file: string): Promise<string> } {
  const own = new Set(secretsIn(config.env));
  /** Also of jobs that were deleted: a message about what they asked may still have to be rewritten. */
  const kept = new Map<JobId | CrewId, readonly string[]>();

  /** Whose environment whoever asks runs with, and under which id it was saved; null for one that oj did not start. */
  const workOf = ({ owner, agent_id, asked_in }: Decision) =>
    engine.read(({ agents, jobs }) => {
      const asker = (agent_id === null ? undefined : agents.get(agent_id)?.owner) ?? owner;
      if (asker.kind === "crew") return { id: asker.id, origin: asker.id };
      const id = asker.kind === "job" ? asker.id : asked_in?.job_id;
      return id === undefined ? null : { id, origin: jobs.get(id)?.origin ?? null };
    });

  async function inSaved(work: { id: JobId | CrewId; origin: JobId | CrewId | null }) {
    const { id, origin } = work;
    const found = kept.get(id) ?? (origin === null ? [] : secretsIn((await files.loadEnv(origin)) ?? {}));
    kept.delete(id); // what was asked for last is forgotten last
    kept.set(id, found);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return found;
  }

  async function about(decision: Decision): Promise<readonly string[]> {
    const work = await workOf(decision);
    const token = decision.agent_id === null ? null : await tokens.kept(decision.agent_id);
    return [...(work === null ? [] : await inSaved(work)), ...(token === null ? [] : [token])];
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
