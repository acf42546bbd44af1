/** The hooks of a session that oj did not start, in a real engine without a disk. */
import type { HookQuery } from "../../src/api/api.ts";
import { resolveDecision } from "../../src/core/decision/give.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import { sessionRecipient } from "../../src/core/model/queue-types.ts";
import { emptyState } from "../../src/core/model/state/state.ts";
import { enqueue } from "../../src/core/outbox/queue.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import { startEngine } from "../../src/daemon/engine/engine.ts";
import { startHub } from "../../src/daemon/engine/hub.ts";
import { startSessionDialogs } from "../../src/daemon/sessions/dialogs.ts";
import { startSessionHooks } from "../../src/daemon/sessions/hooks.ts";
import { asker, requestInput } from "./core.ts";
import { forever } from "./forever.ts";
import { noPolicies } from "./policies.ts";
import { fakePorts } from "./ports.ts";

export function hookedSession() {
  const ports = fakePorts();
  const engine = startEngine(ports, emptyState());
  const service = { engine, ports, hub: startHub(engine), stopping: forever, policies: noPolicies() };
  const hooks = startSessionHooks(service, startSessionDialogs(engine, ports, forever));
  const send = (hook_event_name: string, more: object = {}, query: HookQuery = {}, abort = forever) =>
    hooks.handle({ session_id: "s1", cwd: "/nowhere/shop", hook_event_name, ...more }, query, abort);
  const put = (id: string) =>
    engine.run((state) =>
      enqueue(state, {
        id,
        recipient: sessionRecipient("s1"),
        project: "shop",
        kind: "message",
        text: `text of ${id}`,
        decision_id: null,
        from: "ana",
      }),
    );
  const ask = async () => {
    const input = requestInput({ requester: asker("session-s1", { session: "s1" }) });
    const [created] = await engine.run((state, moment) => requestDecision(state, input, moment));
    return (created as { id: DecisionId }).id;
  };
  const answer = (id: DecisionId) =>
    engine.run((state, moment) =>
      resolveDecision(
        state,
        { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" },
        moment,
      ),
    );
  return { engine, hooks, send, put, ask, answer, ...ports };
}
