/** What a page's filters are made of: a choice from a list, and a day. */
import { useEffect, useState } from "preact/hooks";
import type { HistoryNames } from "../../api/api.ts";
import { safeLine } from "../../text/safe.ts";
import { client } from "../base/api.ts";

interface PickGiven {
  label: string;
  value: string;
  onPick(value: string): void;
}

export function Pick({
  label,
  any,
  value,
  values,
  onPick,
}: PickGiven & { any: string; values: readonly string[] }) {
  const all = value === "" || values.includes(value) ? values : [value, ...values];
  return (
    <select
      aria-label={label}
      class={`facet${value === "" ? "" : " on"}`}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      <option value="">{any}</option>
      {all.map((it) => (
        <option key={it} value={it}>
          {safeLine(it)}
        </option>
      ))}
    </select>
  );
}

export function Day({ label, value, onPick }: PickGiven) {
  return (
    <label class={`facet day${value === "" ? "" : " on"}`}>
      {label}
      <input type="date" value={value} onChange={(event) => onPick(event.currentTarget.value)} />
    </label>
  );
}

/** Who and which projects can be filtered by. Without them the row still works. */
export function useNames(): HistoryNames {
  const [names, setNames] = useState<HistoryNames>({ people: [], projects: [] });
  useEffect(() => {
    client.historyNames().then(setNames, () => {});
  }, []);
  return names;
}
