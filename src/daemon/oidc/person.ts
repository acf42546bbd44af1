/** Which person of ours a provider speaks of. Nobody is made here: whoever was not invited stays outside. */
import type { State } from "../../core/model/state/state.ts";
import type { OidcConfig } from "../../core/reach/config-types.ts";
import { isOpenTo } from "../../core/rights/people.ts";
import type { Claims } from "./id-token.ts";
import { OidcProblem } from "./problem.ts";

export function personOf(
  claims: Claims,
  { claim, people }: Pick<OidcConfig, "claim" | "people">,
  state: Pick<State, "people" | "removed">,
): string {
  const value = claims[claim];
  if (typeof value !== "string" || value === "")
    throw new OidcProblem(`the provider does not say your ${claim}`);
  if (claim === "email" && claims.email_verified !== true)
    throw new OidcProblem("the provider has not verified your mail address");
  const plain = claim === "email" ? value.toLowerCase() : value;
  const name = people.get(plain) ?? plain;
  const member = state.people.get(name);
  if (member && member.kind === undefined && isOpenTo(state, name)) return member.id;
  if (member && member.kind === undefined)
    throw new OidcProblem(
      `somebody else was called ${name} before: oj invite ${name} --doors lets the provider name this one`,
      "invite",
    );
  throw new OidcProblem(
    `${value.slice(0, 120)} was not invited here: oj invite ${name.slice(0, 64)}`,
    "invite",
  );
}
