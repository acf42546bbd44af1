/** What a request is made of, and who asks. The rules are in `request.ts`; what is wrong with one in `core/request/problems.ts`. */
import type { AskedIn } from "../model/decision-types.ts";
import type { RefusalCode } from "../model/errors.ts";
import type { AgentId } from "../model/ids.ts";
import type { OnCancel, Runbook, Urgency } from "../model/runbook.ts";

/** Who asks. An agent has one pending request at a time; a person at a shell may have several. */
export interface Requester {
  name: string;
  is_agent: boolean;
  /** An agent that we run, known by its token. */
  agent_id: AgentId | null;
  /** A session that we did not start, known by its hooks. */
  session: string | null;
  /** A session that its environment names and whose hooks have not told of it. */
  claimed_session?: string;
  /** A step of a job, whose script asks. */
  asked_in?: AskedIn;
}

export interface RequestInput {
  project: string;
  requester: Requester;
  prompt: string;
  options: { label: string; description: string | null }[];
  recommend: number | null;
  context: string;
  fields: Record<string, unknown>;
  urgency: Urgency | null;
  /** By its name. */
  template: string | null;
  blocks: string[];
  /** Who asks knows this project only, as an agent does: a token for MCP was made for one. */
  confined?: boolean;
  /** What becomes of what it blocks when it ends without an answer; null: as its template says, else it stays blocked. */
  on_cancel: OnCancel | null;
  parent: string | null;
  predecessor: string | null;
  /** False: a failure need not be filed, whatever the project says. */
  file_check: boolean;
  /** Sent again with the same key, it is the same request. */
  request_key: string | null;
  /** What the project has and demands. */
  runbook: Pick<Runbook, "templates" | "requests">;
  /** Problems of its runbooks: something may be missing for them. */
  runbook_problems: number;
}

/** An option of a request as it will be recorded, with what its template says of it. */
export interface RequestOption {
  key: string;
  label: string;
  description: string | null;
  recommended: boolean;
  successor: string | null;
}

export interface RequestProblem {
  code: RefusalCode;
  message: string;
  /** What to do about it; a line that can be typed comes last. */
  hints?: string[];
  details?: Record<string, unknown>;
}
