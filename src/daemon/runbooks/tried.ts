/** Tries policies on what people have answered, without keeping the daemon from anything else meanwhile. */
import type { Policy } from "../../core/model/policy-types.ts";
import type { Tried } from "../../core/policy/try.ts";
import { triedFrom, tryPolicies } from "../../core/policy/try.ts";
import type { Engine } from "../engine/engine.ts";
import type { PastAnswer } from "./history.ts";
import { inSlices } from "./slices.ts";

/** How many times a policy is held against an answer before others get a turn: about a millisecond's work. */
const AT_ONCE = 200;

export async function tryOn(
  engine: Pick<Engine, "read">,
  past: readonly PastAnswer[],
  policies: readonly Policy[],
): Promise<Tried> {
  const size = Math.max(1, Math.floor(AT_ONCE / Math.max(1, policies.length)));
  const would = await inSlices(past, size, (slice) =>
    engine.read((state) => tryPolicies(state, slice, policies)),
  );
  return triedFrom(past, would);
}
