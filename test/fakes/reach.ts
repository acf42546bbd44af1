/** Reach with fake ports: people, routes and channels in memory, and a clock that a test moves. */
import { resolveDecision } from "../../src/core/decision/give.ts";
import type { Decision } from "../../src/core/model/decision-types.ts";
import type { DecisionId } from "../../src/core/model/ids.ts";
import type { ChannelKind } from "../../src/core/model/reach-types.ts";
import type { Urgency } from "../../src/core/model/runbook.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { encodeState } from "../../src/core/model/state/state-text.ts";
import type { ReachConfig } from "../../src/core/reach/config-types.ts";
import { noticesUnsure } from "../../src/core/reach/notices.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import { startChores } from "../../src/daemon/engine/chores.ts";
import { startEngine } from "../../src/daemon/engine/engine.ts";
import { loadState } from "../../src/daemon/engine/load-state.ts";
import { performer } from "../../src/daemon/engine/perform.ts";
import { publicDoors } from "../../src/daemon/http/public-door.ts";
import { startReach } from "../../src/daemon/reach/reach.ts";
import type { Hider } from "../../src/daemon/secrets/known.ts";
import { decisionView } from "../../src/daemon/views/views.ts";
import { checkReach } from "../../src/reach-config/check.ts";
import { defaults } from "../../src/settings.ts";
import { asker, requestInput } from "./core.ts";
import type { FakeService } from "./fake-channel.ts";
import { fakeService } from "./fake-channel.ts";
import { noSecrets } from "./no-secrets.ts";
import { noRules } from "./policies.ts";
import type { FakePorts } from "./ports.ts";
import { fakePorts } from "./ports.ts";

export type Services = Partial<Record<ChannelKind, FakeService>>;

/** A person's config, as it would be parsed from TOML. */
export function reachOf(parsed: Record<string, unknown>): ReachConfig {
  const { config, problems } = checkReach(parsed);
  if (problems.length > 0) throw new Error(problems.join("; "));
  return config;
}

export const ANA = { slack: "U1", mail: "ana@example.com", telegram: "1" };
export const BEN = { slack: "U2", mail: "ben@example.com", telegram: "2" };

/** Two people, two channels, and no route. */
export const people = { person: { ana: ANA, ben: BEN }, channel: { slack: {}, mail: {} } };
export const toAna = reachOf({ ...people, route: [{ notify: ["ana"], via: ["slack", "mail"] }] });
export const bySlack = reachOf({ ...people, route: [{ notify: ["ana"], via: ["slack"] }] });
export const slackAndMail = () => ({ slack: fakeService("slack"), mail: fakeService("mail") });

/** Starts over the log of `ports`, as the next daemon would; returns once everything owed has begun. */
export async function reachWorld(given: {
  config: ReachConfig;
  services: Services;
  ports?: FakePorts;
  undo?: Record<string, number>;
  /** Whether messages are this daemon's, of those that share the log. */
  keeps?: () => boolean;
  /** Knows secrets by their value. */
  hider?: Hider;
}) {
  const ports = given.ports ?? fakePorts();
  const { state } = await loadState(ports.log, { repair: false, shelf: ports.shelf });
  const engine = startEngine(ports, state);
  let { config } = given;
  let isQuiet = false;
  const makers = Object.fromEntries(
    Object.entries(given.services).map(([kind, service]) => [kind, async () => ({ make: service.make })]),
  );
  const reach = startReach(engine, ports, {
    dir: "/none",
    settings: { undo: { ...defaults.undo, ...given.undo } },
    read: () => ({ config }),
    secret: async () => "secret",
    runbook: async () => ({ escalations: [] }),
    rules: noRules,
    hider: given.hider ?? noSecrets,
    machines: { self: null, keeps: given.keeps ?? (() => true) },
    isQuiet: () => isQuiet,
    doors: publicDoors(),
    addresses: { base: () => "http://127.0.0.1:1", link: () => null },
    makers: { desktop: () => import("../../src/daemon/reach/channels/desktop.ts"), ...makers },
  });
  const { perform } = performer(ports, {}, async () => {}, undefined, reach.perform);
  const chores = startChores(engine, ports, perform, () => ({ routes: reach.hears(), stale_after_ms: null }));
  await engine.run((state, moment) => noticesUnsure(state, null, moment.at_ms));
  await reach.begin();
  await reach.catchUp();
  await chores.begin();

  /** Lets everything happen that needs no time. */
  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      const before = engine.seq();
      await new Promise((resolve) => setImmediate(resolve));
      await engine.read(() => null);
      quiet = engine.seq() === before ? quiet + 1 : 0;
    }
  }

  return {
    ports,
    engine,
    reach,
    chores,
    settle,
    setConfig(next: ReachConfig) {
      config = next;
    },
    setQuiet(on: boolean) {
      isQuiet = on;
    },
    async ask(name: string, urgency: Urgency = "medium"): Promise<DecisionId> {
      const options = ["Yes", "No"].map((label) => ({ label, description: null }));
      const input = requestInput({ requester: asker(name), prompt: `${name}'s question?`, options, urgency });
      const [created] = await engine.run((state, moment) => requestDecision(state, input, moment));
      await settle();
      return (created as { id: DecisionId }).id;
    },
    /** As a person at a shell would. */
    async askAs(person: string): Promise<DecisionId> {
      const options = ["Yes", "No"].map((label) => ({ label, description: null }));
      const requester = { ...asker(person), is_agent: false };
      const input = requestInput({ requester, prompt: `${person}'s question?`, options });
      const [created] = await engine.run((state, moment) => requestDecision(state, input, moment));
      await settle();
      return (created as { id: DecisionId }).id;
    },
    async answer(id: DecisionId, by = "cara"): Promise<void> {
      const input = { id, choices: [[1]], text: null, message: null, by, via: "cli" as const };
      await engine.run((state, moment) => resolveDecision(state, input, moment));
      await settle();
    },
    async pass(ms: number): Promise<void> {
      ports.clock.pass(ms);
      await settle();
    },
    decision: (id: DecisionId) => engine.read((state) => state.decisions.get(id) as Decision),
    async view(id: DecisionId) {
      return decisionView(await engine.read((state) => state.decisions.get(id) as Decision));
    },
    /** Whether the log folds into the very state that is in use. */
    async isReplayable(): Promise<boolean> {
      const now = await engine.read((state) => encodeState(state));
      return encodeState(replay(ports.log.committed())) === now;
    },
    /** As a crash would: nothing more is recorded, and nothing is told. */
    async stop(): Promise<void> {
      await reach.stop();
      await chores.stop();
      await engine.stop();
    },
  };
}
