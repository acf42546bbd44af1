/** The zod schemas of what comes in and what goes out: they check every body and query, and describe /openapi.json. */
export * from "../../api/agents.ts";
export * from "../../api/basics.ts";
export * from "../../api/daemon.ts";
export * from "../../api/decision-bodies.ts";
export * from "../../api/decisions.ts";
export * from "../../api/failed.ts";
export * from "../../api/jobs.ts";
export * from "../../api/mail.ts";
export * from "../../api/overview.ts";
export * from "../../api/policies.ts";
export * from "../../api/push.ts";
export * from "../../api/queues.ts";
export * from "../../api/reach.ts";
export * from "../../api/runbooks.ts";
export * from "../../api/stats.ts";
export * from "../../api/status.ts";
export * from "../../api/web.ts";
