/**
 * What a request is made of, and who asks. The rules are in `request.ts`; what can be wrong with a request is in
 * `problems.ts`.
 */
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
  /** A session that its environment names, but whose hooks have not reported it yet. */
  claimed_session?: string;
  /** The step of a job whose script asks. */
  asked_in?: AskedIn;
  /** Who this is for rules about who may answer, if neither an agent of ours nor a step asks. */
  who?: string;
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
  /** The template's name. */
  template: string | null;
  blocks: string[];
  /** The asker knows only this project, as an agent does: a token for MCP is made for one project. */
  confined?: boolean;
  /** It comes from another machine, so the project's runbooks are not looked at. */
  remote?: boolean;
  /**
   * What becomes of the blocked work if the request ends without an answer. Null: what its template says, or else it
   * stays blocked.
   */
  on_cancel: OnCancel | null;
  parent: string | null;
  /** The folder of the project where it is made. */
  root?: string;
  /** The project mirrors its decisions as beads: a request may belong to a bead. */
  mirrored?: boolean;
  predecessor: string | null;
  /** False: a failure need not be filed, whatever the project says. */
  file_check: boolean;
  /** A request that is sent again with the same key is the same request. */
  request_key: string | null;
  /** What happens while nobody answers, as far as the request says it; absent: what its template or its runbook says. */
  overdue?: {
    /** The name of an escalation of the project. */
    escalation: string | null;
    deadline_ms: number | null;
    /** The option that is taken at the deadline: its key, its label or its number. */
    default: string | null;
    /** The escalation that the person's own route names for such requests. */
    on_route?: string | null;
  };
  /** False: whoever asks goes on with other work, and `meanwhile` says with what. Absent: they wait. */
  wait?: boolean;
  meanwhile?: string | null;
  /** If nobody answers for so long, it expires by itself; null or absent: it doesn't. */
  auto_close_ms?: number | null;
  /** The templates that the project has, and what it demands of requests. */
  runbook: Pick<Runbook, "templates" | "requests"> & Partial<Pick<Runbook, "escalations">>;
  /** How many problems the project's runbooks have: something may be missing because of them. */
  runbook_problems: number;
}

/** An option of a request as it will be recorded, with what its template says about it. */
export interface RequestOption {
  key: string;
  label: string;
  description: string | null;
  recommended: boolean;
  successor: string | null;
  /** Whether what it leads to can be undone, as its template says. */
  reversible?: boolean;
  /** It is a no, as its template says. */
  declines?: true;
}

export interface RequestProblem {
  code: RefusalCode;
  message: string;
  /** What to do about it; a line that can be typed comes last. */
  hints?: string[];
  details?: Record<string, unknown>;
}
