/** Ids of crews and jobs, as they are typed and as they are shown. */
import { Refusal } from "../../core/model/errors.ts";

/** What to call it in a command: "oj crew show crew-…". */
export function kindOf(id: string): "crew" | "job" {
  return id.startsWith("crew-") ? "crew" : "job";
}

/** A crew by its id or a prefix of it: a job with the same letters is not meant. */
export function crewId(given: string): string {
  const text = given.trim().toLowerCase();
  if (/^(job|agt|dec)-/.test(text))
    throw new Refusal("crew.not-found", `${text} is not a crew id`, "oj crew list");
  return text.startsWith("crew-") ? text : `crew-${text}`;
}
