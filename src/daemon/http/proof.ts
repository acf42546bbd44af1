/** What was signed with a passkey, for an answer that a caller gives. */
import type { PasskeyBrought } from "../../api/api.ts";
import type { ResolveInput } from "../../core/decision/give.ts";
import { findDecision } from "../../core/model/state/find.ts";
import type { Proof } from "../../core/rights/passkey.ts";
import type { Principal } from "./callers.ts";
import { answerableFor, answererOf } from "./principal.ts";
import type { Service } from "./service.ts";

/** Whoever may not answer at all is refused before anything that they signed is looked at. */
export async function proofOf(
  { engine, passkeys }: Pick<Service, "engine" | "passkeys">,
  input: ResolveInput,
  caller: Principal,
  brought: PasskeyBrought,
): Promise<Proof> {
  const id = await engine.read((state) => answerableFor(state, caller, input.id).id);
  const decision = await engine.read((state) => findDecision(state, id));
  return passkeys.prove(decision, answererOf(caller).who ?? "", input, brought);
}
