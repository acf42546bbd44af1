/**
 * Makes a signal that follows others until it is ended. `AbortSignal.any` keeps its listeners for as long as any of its
 * sources lives, and one of ours lives until the daemon ends.
 */

export interface Following {
  signal: AbortSignal;
  /** Aborts the signal and stops listening to the others. */
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
