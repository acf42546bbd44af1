/** A place without any policies. */
import type { Policies } from "../../src/daemon/runbooks/policies.ts";

export function noPolicies(): Policies {
  return { look: async () => null, files: async () => [], review: (_, facts) => facts };
}
