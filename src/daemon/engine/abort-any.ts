/**
 * A signal that follows others, until it is let go. `AbortSignal.any` keeps what listens to it for as long as any of its sources
 * lives, and ours is the daemon's own end.
 */

export interface Following {
  signal: AbortSignal;
  /** Aborts it, and listens to the others no longer. */
  end(): void;
}

export function followAborts(...sources: readonly AbortSignal[]): Following {
  const own = new AbortController();
  function end(): void {
    for (const it of sources) it.removeEventListener("abort", end);
    own.abort();
  }
  for (const it of sources) it.addEventListener("abort", end);
  if (sources.some((it) => it.aborted)) end();
  return { signal: own.signal, end };
}
