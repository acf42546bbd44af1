/** Does what an escalation or a deadline says when its time has come. The rules are in `core/reach/`. */
import type { EscalateEffect } from "../../core/model/effects.ts";
import { pauseEnded } from "../../core/reach/claim.ts";
import type { ExpireEffect } from "../../core/reach/deadline.ts";
import { expire } from "../../core/reach/deadline.ts";
import type { Teller } from "../../core/reach/escalation.ts";
import { escalate } from "../../core/reach/escalation.ts";
import type { Recorder } from "../engine/chores.ts";

export async function expireNow(effect: ExpireEffect, record: Recorder): Promise<void> {
  await record((state, moment) => expire(state, effect, moment));
}

export async function escalateNow(effect: EscalateEffect, teller: Teller, record: Recorder): Promise<void> {
  const isPause = effect.what === "release" || effect.what === "wake";
  await record((state, moment) => (isPause ? pauseEnded : escalate)(state, { effect, teller }, moment));
}
