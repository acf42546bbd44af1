/** Refusals: requests that we understood and turned down. Anything else that is thrown is a bug and keeps its stack. */

/** Every code, with its HTTP status and its exit code. */
export const REFUSALS = {
  "decision.not-found": { http: 404, exit: 1 },
  "decision.ambiguous": { http: 409, exit: 1 },
  "decision.already-resolved": { http: 409, exit: 1 },
  "decision.out-of-range": { http: 422, exit: 1 },
  "decision.nothing-given": { http: 422, exit: 1 },
  "decision.choice-required": { http: 422, exit: 1 },
  "decision.text-required": { http: 422, exit: 1 },
  "decision.wrong-count": { http: 422, exit: 1 },
  "decision.not-yours": { http: 403, exit: 1 },
  "decision.passkey": { http: 403, exit: 1 },
  "decision.not-held": { http: 409, exit: 1 },
  "decision.not-over": { http: 409, exit: 1 },
  "decision.erased": { http: 409, exit: 1 },
  "decision.claimed": { http: 409, exit: 1 },
  "decision.not-claimed": { http: 409, exit: 1 },
  "decision.not-a-request": { http: 409, exit: 1 },
  "decision.not-editable": { http: 409, exit: 1 },
  "decision.input-invalid": { http: 422, exit: 1 },
  "decision.invalid": { http: 422, exit: 1 },
  "decision.file-option-missing": { http: 422, exit: 1 },
  "decision.predecessor": { http: 409, exit: 1 },
  "template.not-found": { http: 404, exit: 1 },
  "template.context-missing": { http: 422, exit: 1 },
  "job.not-found": { http: 404, exit: 1 },
  "job.ambiguous": { http: 409, exit: 1 },
  "job.ended": { http: 409, exit: 1 },
  "job.not-ended": { http: 409, exit: 1 },
  "job.not-failed": { http: 409, exit: 1 },
  "job.not-resumable": { http: 409, exit: 1 },
  "job.invalid": { http: 422, exit: 1 },
  "agent.not-found": { http: 404, exit: 1 },
  "agent.ambiguous": { http: 409, exit: 1 },
  "agent.ended": { http: 409, exit: 1 },
  "agent.gone": { http: 409, exit: 1 },
  "crew.not-found": { http: 404, exit: 1 },
  "crew.ambiguous": { http: 409, exit: 1 },
  "crew.ended": { http: 409, exit: 1 },
  "crew.not-ended": { http: 409, exit: 1 },
  "crew.not-failed": { http: 409, exit: 1 },
  "crew.not-resumable": { http: 409, exit: 1 },
  "crew.unsupported": { http: 409, exit: 1 },
  "command.not-found": { http: 404, exit: 1 },
  "command.arguments": { http: 422, exit: 2 },
  "runbook.invalid": { http: 422, exit: 1 },
  "runbook.no-test": { http: 404, exit: 1 },
  "runbook.not-a-job": { http: 422, exit: 1 },
  "value.missing": { http: 422, exit: 1 },
  "value.invalid": { http: 422, exit: 1 },
  "request.invalid": { http: 422, exit: 1 },
  "request.too-large": { http: 413, exit: 1 },
  "request.not-json": { http: 415, exit: 1 },
  "request.not-found": { http: 404, exit: 1 },
  "request.too-many": { http: 429, exit: 1 },
  "request.forbidden": { http: 403, exit: 1 },
  "login.required": { http: 401, exit: 1 },
  "login.refused": { http: 403, exit: 1 },
  "events.gone": { http: 410, exit: 1 },
  usage: { http: 400, exit: 2 },
  "config.invalid": { http: 422, exit: 2 },
  "machine.not-found": { http: 404, exit: 1 },
  "machine.present": { http: 409, exit: 1 },
  "machine.elsewhere": { http: 409, exit: 1 },
  "person.not-found": { http: 404, exit: 1 },
  "person.invalid": { http: 422, exit: 1 },
  "person.last-admin": { http: 409, exit: 1 },
  "server.unreachable": { http: 503, exit: 3 },
  "context.not-found": { http: 404, exit: 1 },
  "serve.refused": { http: 422, exit: 1 },
  "store.absent": { http: 404, exit: 1 },
  "store.not-empty": { http: 409, exit: 1 },
  "store.in-use": { http: 409, exit: 1 },
  "audit.unreadable": { http: 422, exit: 1 },
  "audit.tampered": { http: 409, exit: 1 },
  "backup.damaged": { http: 422, exit: 1 },
  "backup.failed": { http: 500, exit: 1 },
  "store.full": { http: 507, exit: 3 },
  "store.read-only": { http: 503, exit: 3 },
  "store.failed": { http: 503, exit: 3 },
  "store.newer": { http: 503, exit: 3 },
  "store.damaged": { http: 503, exit: 3 },
  "store.unreachable": { http: 503, exit: 3 },
  "store.fenced": { http: 503, exit: 3 },
  "store.rewound": { http: 503, exit: 3 },
  "daemon.version": { http: 426, exit: 3 },
  "daemon.newer": { http: 426, exit: 3 },
  "daemon.stopping": { http: 503, exit: 3 },
  "daemon.unreachable": { http: 503, exit: 3 },
  "daemon.already-running": { http: 409, exit: 3 },
  "daemon.failed": { http: 500, exit: 3 },
  timeout: { http: 408, exit: 5 },
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly hint: string | null;
  /** For programs: who won, which candidates, which keys. */
  readonly details: Record<string, unknown> | null;

  /** A bundle that is loaded when needed has a class of its own by this name. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "Refusal" && "code" in value;
  }

  constructor(
    code: RefusalCode,
    message: string,
    hint: string | null = null,
    details: Record<string, unknown> | null = null,
  ) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}

/** Wherever a machine learns that it was given up: in the log, or from the database. */
export function machineForgotten(): Refusal {
  const message = "This machine was forgotten (oj machine forget): it can't write to the store any more.";
  return new Refusal("store.fenced", message, "use a new state folder: OJ_STATE_DIR");
}

/** Ends a switch over a closed list: a new member stops the build here. */
export function never(value: never): never {
  throw new Error(`not expected: ${JSON.stringify(value)}`);
}
