/** A row of the table: what was measured, the floor in the same run, and the target. */

export interface Row {
  group: string;
  name: string;
  measured: string;
  floor: string;
  ratio: string;
  target: string;
  /** Null: there is no target, the row only informs. */
  ok: boolean | null;
  /** The numbers behind the words, for `--json`. */
  values: Record<string, number>;
}

export function row(group: string, name: string, more: Partial<Row> & { values: Row["values"] }): Row {
  return { group, name, measured: "", floor: "", ratio: "", target: "", ok: null, ...more };
}

export function ms(value: number): string {
  if (value >= 100) return `${value.toFixed(0)} ms`;
  return value >= 1 ? `${value.toFixed(1)} ms` : `${(value * 1000).toFixed(0)} µs`;
}

export function times(value: number): string {
  return `${value.toFixed(value >= 10 ? 0 : 2)}×`;
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString("en")}/s`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

/** The value below which this share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function printTable(rows: readonly Row[]): void {
  const columns = ["name", "measured", "floor", "ratio", "target"] as const;
  const head: Record<(typeof columns)[number], string> = {
    name: "",
    measured: "measured",
    floor: "floor",
    ratio: "ratio",
    target: "target",
  };
  const widths = columns.map((it) => Math.max(...[head, ...rows].map((row) => row[it].length)));
  const line = (cells: Record<(typeof columns)[number], string>, mark: string) => {
    const padded = columns.map((it, n) =>
      it === "name" || it === "target"
        ? cells[it].padEnd(widths[n] ?? 0)
        : cells[it].padStart(widths[n] ?? 0),
    );
    console.log(`  ${mark} ${padded.join("  ").trimEnd()}`);
  };
  line(head, " ");
  let group = "";
  for (const it of rows) {
    if (it.group !== group) console.log(`\n${it.group}`);
    group = it.group;
    line(it, it.ok === null ? " " : it.ok ? "✓" : "✗");
  }
}
