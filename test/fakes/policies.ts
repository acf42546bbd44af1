/** A place without any policies. */
import type { Rules } from "../../src/daemon/reach/door.ts";
import type { Policies } from "../../src/daemon/runbooks/policies.ts";

export function noPolicies(): Policies {
  return { look: async () => null, files: async () => [], review: (_, facts) => facts };
}

/** Nothing can be remembered. */
export const noRules: Rules = {
  offer: async (id) => ({
    decision: id as `dec-${string}`,
    rule: null,
    why: "there are no rules here",
    tried: null,
  }),
  remember: () => Promise.reject(new Error("there are no rules here")),
};
