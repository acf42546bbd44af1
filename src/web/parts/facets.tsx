/** The filters beside the search field: by urgency, project and source, each with how many wait. */
import { useMemo } from "preact/hooks";
import type { Facet } from "../../inbox/facets.ts";
import { counts, FACETS, hasFacet, toggleFacet } from "../../inbox/facets.ts";
import type { Inbox } from "../../inbox/model.ts";
import { safeLine } from "../../text/safe.ts";
import { dispatch } from "../base/store.ts";

/** Made once: there may be a thousand projects, and `toLocaleString` makes another for each number. */
const NUMBERS = new Intl.NumberFormat("en");

export function Facets({ inbox }: { inbox: Inbox }) {
  const { items, filter } = inbox;
  const found = useMemo(() => counts(inbox), [items]);
  return (
    <>
      {FACETS.map((facet) => (
        <Pick key={facet} facet={facet} values={found[facet]} text={filter.text} />
      ))}
    </>
  );
}

function Pick({ facet, values, text }: { facet: Facet; values: [string, number][]; text: string }) {
  const chosen = values.find(([value]) => hasFacet(text, facet, value))?.[0] ?? "";
  if (values.length < 2 && chosen === "") return null;
  return (
    <select
      class={`facet${chosen === "" ? "" : " on"}`}
      aria-label={`By ${facet}`}
      value={chosen}
      onChange={({ currentTarget: { value } }) =>
        dispatch({ type: "filtered", text: toggleFacet(text, facet, value === "" ? chosen : value) })
      }
    >
      <option value="">{`${facet.charAt(0).toUpperCase()}${facet.slice(1)}`}</option>
      {values
        .filter(([value, count]) => count > 0 || value === chosen)
        .map(([value, count]) => (
          <option key={value} value={value}>
            {`${safeLine(value)} (${NUMBERS.format(count)})`}
          </option>
        ))}
    </select>
  );
}
