/** How many decisions wait, by urgency, project and source; each count is a filter. */
import { useMemo } from "preact/hooks";
import type { Facet } from "../../inbox/facets.ts";
import { counts, FACETS, hasFacet, toggleFacet } from "../../inbox/facets.ts";
import type { Inbox } from "../../inbox/model.ts";
import { safeLine } from "../../text/safe.ts";
import { dispatch } from "../base/store.ts";

/** Further projects are not drawn: nobody would look through them all. */
const MOST = 12;

export function Facets({ inbox }: { inbox: Inbox }) {
  const { items, filter } = inbox;
  return useMemo(() => {
    const found = counts(inbox);
    return (
      <div class="facets">
        {FACETS.map((facet) => (
          <FacetRow key={facet} facet={facet} values={found[facet]} text={filter.text} />
        ))}
      </div>
    );
  }, [items, filter.text]);
}

function FacetRow({ facet, values, text }: { facet: Facet; values: [string, number][]; text: string }) {
  if (values.length === 0) return null;
  const shown = values.filter(([value], at) => at < MOST || hasFacet(text, facet, value));
  const more = values.length - shown.length;
  return (
    <fieldset class="facet" aria-label={`By ${facet}`}>
      <span class="facet-name" aria-hidden="true">
        {facet}
      </span>
      {shown.map(([value, count]) => (
        <button
          key={value}
          type="button"
          class={`chip ${facet}-${facet === "project" ? "any" : value}`}
          aria-pressed={hasFacet(text, facet, value)}
          disabled={count === 0 && !hasFacet(text, facet, value)}
          onClick={() => dispatch({ type: "filtered", text: toggleFacet(text, facet, value) })}
        >
          {safeLine(value)} <span class="count">{count.toLocaleString("en")}</span>
        </button>
      ))}
      {more > 0 && <span class="quiet">{`and ${more} more: filter by name`}</span>}
    </fieldset>
  );
}
