/** A rule that answers suggest: one line over the list, and behind it what it rests on and what it would have answered. */
import type { SuggestionView } from "../../api/api.ts";
import type { Inbox } from "../../inbox/model.ts";
import { evidenceWords, suggestionChoices, suggestionLine } from "../../inbox/suggestion.ts";
import { safeLine } from "../../text/safe.ts";
import { dispatch } from "../base/store.ts";
import { Key } from "../parts/key.tsx";
import { Rule, RuleChoices } from "./rule.tsx";

export function SuggestionLine({ inbox }: { inbox: Inbox }) {
  const line = suggestionLine(inbox.suggestions);
  if (line === null) return null;
  return (
    <p class="list-note">
      <span>{safeLine(line)}</span>
      <button
        type="button"
        class="bare"
        onClick={() => dispatch({ type: "key", key: { command: "suggestion" } })}
      >
        Look at it <Key>P</Key>
      </button>
    </p>
  );
}

interface Given {
  one: SuggestionView;
  scope: "project" | "never" | null;
  place: string;
}

export function Suggestion({ one, scope, place }: Given) {
  const older = one.answers - one.decisions.length;
  return (
    <>
      <p class="given-title">
        {safeLine(one.what)} {place !== "" && <span class="quiet">{place}</span>}
      </p>
      <Rule id={one.key} text={one.text} tried={one.tried}>
        <p>{safeLine(evidenceWords(one))} It rests on:</p>
        <ul class="evidence">
          {one.decisions.map((it) => (
            <li key={it.id}>
              <code>{it.id}</code> {safeLine(it.title)} <span class="quiet">{safeLine(it.by)}</span>
            </li>
          ))}
          {older > 0 && <li class="quiet">and {older} older</li>}
        </ul>
      </Rule>
      <RuleChoices legend="Shall a policy do it?" choices={suggestionChoices(one)} chosen={scope} />
    </>
  );
}
