/**
 * Plots, drawn as plain shapes that fill the width they are given; words stand beside them, never inside, so that they
 * keep their size. Behind each plot is a table with the same numbers, for whoever can't or won't read shapes.
 */
import type { ComponentChildren } from "preact";
import { safeLine } from "../../text/safe.ts";
import { Scrolls } from "./scrolls.tsx";

interface PlotGiven {
  title: string;
  /** What the plot is about, in a sentence. */
  about: string;
  /** The names of the columns, and the rows. */
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  /** Said instead of an empty plot. */
  none: string;
  children: ComponentChildren;
}

export function Plot({ title, about, head, rows, none, children }: PlotGiven) {
  return (
    <section class="plot" aria-label={title}>
      <h3>{title}</h3>
      <p class="quiet">{rows.length === 0 ? none : about}</p>
      {rows.length > 0 && (
        <>
          <div aria-hidden="true">{children}</div>
          <details class="fold">
            <summary>The numbers</summary>
            <Numbers title={title} head={head} rows={rows} />
          </details>
        </>
      )}
    </section>
  );
}

function Numbers({ title, head, rows }: Pick<PlotGiven, "title" | "head" | "rows">) {
  return (
    <Scrolls kind="table" label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>
            {head.map((it) => (
              <th key={it} scope="col">
                {it}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest], at) => (
            <tr key={at}>
              <th scope="row">{safeLine(String(first))}</th>
              {rest.map((it, column) => (
                <td key={column}>{safeLine(String(it))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}

export interface Part {
  kind: string;
  count: number;
}

/** What each colour means. */
export function Legend({ kinds }: { kinds: readonly (readonly [kind: string, words: string])[] }) {
  return (
    <ul class="legend">
      {kinds.map(([kind, words]) => (
        <li key={kind}>
          <span class={`swatch fill-${kind}`} /> {words}
        </li>
      ))}
    </ul>
  );
}

interface Column {
  name: string;
  parts: readonly Part[];
  /** A line across the column. */
  mark: number;
}

/** A few columns keep their size instead of filling the width. */
const LEAST_COLUMNS = 14;

/** One column beside the other, their parts on top of each other. */
export function Columns({ columns }: { columns: readonly Column[] }) {
  const heights = columns.map(({ parts, mark }) => Math.max(mark, sum(parts)));
  const most = Math.max(1, ...heights);
  const width = Math.max(LEAST_COLUMNS, columns.length);
  return (
    <div class="columns">
      <span class="most">{most}</span>
      <svg viewBox={`0 0 ${width} ${most}`} preserveAspectRatio="none" aria-hidden="true">
        {columns.map(({ name, parts, mark }, at) => {
          let top = most;
          return (
            <g key={name}>
              <title>{`${name}: ${parts.map((it) => `${it.count} ${it.kind}`).join(", ")}; ${mark} asked`}</title>
              {parts.map(({ kind, count }) => {
                top -= count;
                return (
                  count > 0 && (
                    <rect key={kind} class={`fill-${kind}`} x={at + 0.1} y={top} width={0.8} height={count} />
                  )
                );
              })}
              {mark > 0 && <path class="mark" d={`M${at} ${most - mark}H${at + 1}`} />}
            </g>
          );
        })}
      </svg>
      <p class="ends" style={{ width: `${(100 * columns.length) / width}%` }}>
        <span>{columns[0]?.name}</span>
        <span>{columns.length > LEAST_COLUMNS / 2 ? columns.at(-1)?.name : ""}</span>
      </p>
    </div>
  );
}

/** A row for each name: a strip, and in words what it shows. */
export function Strips({ children }: { children: ComponentChildren }) {
  return <ul class="strips">{children}</ul>;
}

export function Strip({
  name,
  words,
  children,
}: {
  name: string;
  words: string;
  children: ComponentChildren;
}) {
  return (
    <li>
      <span class="strip-name">{safeLine(name)}</span>
      {children}
      <span class="strip-words">{words}</span>
    </li>
  );
}

/** Parts beside each other, out of the most that any strip has. */
export function Bar({ parts, most }: { parts: readonly Part[]; most: number }) {
  let left = 0;
  return (
    <svg viewBox={`0 0 ${Math.max(1, most)} 1`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="fill-empty" width={Math.max(1, most)} height={1} />
      {parts.map(({ kind, count }) => {
        const x = left;
        left += count;
        return <rect key={kind} class={`fill-${kind}`} x={x} width={count} height={1} />;
      })}
    </svg>
  );
}

/** How dark a cell is tells how much it has, out of the most that any cell has. */
export function Cells({ counts, most }: { counts: readonly number[]; most: number }) {
  return (
    <svg viewBox={`0 0 ${counts.length} 1`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="fill-empty" width={counts.length} height={1} />
      {counts.map(
        (count, at) =>
          count > 0 && (
            <rect
              key={at}
              class="fill-accent"
              x={at + 0.05}
              width={0.9}
              height={1}
              opacity={0.2 + 0.8 * (count / most)}
            />
          ),
      )}
    </svg>
  );
}

function sum(parts: readonly Part[]): number {
  return parts.reduce((all, it) => all + it.count, 0);
}
