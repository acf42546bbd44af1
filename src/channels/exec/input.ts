/** What a person's own program gets on its standard input. */
import type { DecisionView } from "../../api/api.ts";
import type { NoticeReason } from "../../core/model/reach-types.ts";
import type { EventBody, EventName } from "../webhook/event.ts";
import { eventBody } from "../webhook/event.ts";

export interface ExecInput extends EventBody {
  /** Whom it is for, and where: `person.NAME.exec`, else the name. */
  person: string | null;
  address: string;
  reason: NoticeReason;
  /** The decision in the web inbox. */
  url: string;
  /** The other decisions of a digest. */
  others: DecisionView[];
}

export function execInput(
  type: EventName,
  message: Omit<ExecInput, keyof EventBody> & { decision: DecisionView; now: number },
): ExecInput {
  const { person, address, reason, url, others, decision, now } = message;
  return { ...eventBody(type, decision, now), person, address, reason, url, others };
}
