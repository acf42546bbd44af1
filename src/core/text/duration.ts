/** Durations as people write them: `500ms`, `30s`, `1h30m`. Clocks and timers are elsewhere. */

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;

const FORM =
  /^(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/;

/** Milliseconds, or null if the text is not a duration. A bare number is not one: its unit would be a guess. */
export function parseDuration(text: string): number | null {
  const amounts = FORM.exec(text)?.slice(1);
  if (text === "" || amounts === undefined) return null;
  const total = UNITS.reduce((sum, [, ms], index) => sum + Number(amounts[index] ?? 0) * ms, 0);
  return total <= Number.MAX_SAFE_INTEGER ? Math.round(total) : null;
}

/** The shortest text that `parseDuration` reads back as the same number. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, Math.round(ms));
  let text = "";
  for (const [unit, size] of UNITS) {
    const amount = Math.floor(rest / size);
    if (amount > 0) text += `${amount}${unit}`;
    rest -= amount * size;
  }
  return text || "0s";
}

/** For a sentence, without what nobody needs to know: "40 seconds", "10 minutes", "2 hours". */
export function roughly(ms: number): string {
  const [size, unit] =
    ms < 100_000 ? [1000, "second"] : ms < 100 * 60_000 ? [60_000, "minute"] : [3_600_000, "hour"];
  const count = Math.max(1, Math.round(ms / size));
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
