/** One address that leads to several machines: a login begins and ends at one of them, and whoever fails is told so. */
import type { Engine } from "../engine/engine.ts";

const WORDS =
  "If this address leads to several machines, its load balancer has to send each browser to the same one " +
  "every time (sticky sessions for /oidc, /login, /logout and /api): tell whoever runs it.";

/** What a load balancer has to do; empty where there is only one machine. */
export async function balancedWords(engine: Pick<Engine, "read">): Promise<string> {
  const machines = await engine.read((state) => [...state.machines.values()].filter((it) => !it.forgotten));
  return machines.length > 1 ? WORDS : "";
}

export async function withBalanced(engine: Pick<Engine, "read">, words: string): Promise<string> {
  return [words, await balancedWords(engine)].filter((it) => it !== "").join(" ");
}
