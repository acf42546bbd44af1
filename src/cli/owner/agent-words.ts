/** How an agent's state looks. */
import type { AgentStatus } from "../../core/model/agent-types.ts";
import type { Style } from "../../text/style.ts";

export function agentMark(status: AgentStatus, style: Style): string {
  if (status === "working" || status === "starting") return style.cyan("…");
  if (status === "errored" || status === "exited") return style.red("✗");
  return status === "ended" ? style.dim("–") : style.yellow("⏸");
}
