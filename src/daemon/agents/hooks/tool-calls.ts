/**
 * Keeps the tool calls that agents have begun. A permission request does not say which call it is about, so it is
 * matched with the oldest call of that name that was not asked about yet. The call's own id then names the dialog in
 * everything that follows.
 */
import type { AgentId } from "../../../core/model/ids.ts";

export interface ToolCalls {
  began(agent_id: AgentId, use: string, name: string): void;
  /**
   * The call that a dialog of this name is about, or null if none is known: the daemon was not running when it began.
   */
  asked(agent_id: AgentId, name: string): string | null;
  isOpen(agent_id: AgentId, use: string): boolean;
  /** The call has run, or was refused. */
  ended(agent_id: AgentId, use: string): void;
  /** Its dialog was answered, as the screen or a file shows. Whatever is still reported of that dialog is late. */
  dialogOver(agent_id: AgentId, use: string): void;
  /** Its conversation is over, and with it whatever it asked. */
  conversationOver(agent_id: AgentId): void;
  /** Whether its dialog was answered, or it has ended. */
  isDialogOver(agent_id: AgentId, use: string): boolean;
  forget(agent_id: AgentId): void;
}

/** Calls whose end was never reported are forgotten, oldest first. */
const MOST = 200;

export function startToolCalls(): ToolCalls {
  const open = new Map<AgentId, Map<string, { name: string; asked: boolean }>>();
  const over = new Map<AgentId, Set<string>>();

  function dialogOver(agent_id: AgentId, use: string): void {
    const uses = over.get(agent_id) ?? new Set();
    over.set(agent_id, uses.add(use));
    if (uses.size > MOST) uses.delete([...uses][0] ?? "");
  }

  return {
    began(agent_id, use, name) {
      const toolCalls = open.get(agent_id) ?? new Map();
      open.set(agent_id, toolCalls);
      toolCalls.set(use, { name, asked: false });
      over.get(agent_id)?.delete(use);
      if (toolCalls.size > MOST) toolCalls.delete([...toolCalls.keys()][0]);
    },
    asked(agent_id, name) {
      for (const [use, call] of open.get(agent_id) ?? []) {
        if (call.name !== name || call.asked) continue;
        call.asked = true;
        return use;
      }
      return null;
    },
    isOpen: (agent_id, use) => open.get(agent_id)?.has(use) ?? false,
    ended(agent_id, use) {
      open.get(agent_id)?.delete(use);
      dialogOver(agent_id, use);
    },
    dialogOver,
    conversationOver(agent_id) {
      for (const use of open.get(agent_id)?.keys() ?? []) dialogOver(agent_id, use);
    },
    isDialogOver: (agent_id, use) => over.get(agent_id)?.has(use) ?? false,
    forget(agent_id) {
      open.delete(agent_id);
      over.delete(agent_id);
    },
  };
}
