/** A daemon without its servers: everything between the log and the callers is the real thing. */
import type { Effect } from "../../src/core/model/effects.ts";
import type { MachineName } from "../../src/core/model/ids.ts";
import type { WholeState } from "../../src/core/model/state/state.ts";
import { returnedAll } from "../../src/core/outbox/queue.ts";
import { owed } from "../../src/core/owed.ts";
import { noticesUnsure } from "../../src/core/reach/notices.ts";
import { lostDialogs } from "../../src/core/session/dialog.ts";
import type { Agents } from "../../src/daemon/agents/agents.ts";
import { startAgents } from "../../src/daemon/agents/agents.ts";
import type { Chores, Recorder } from "../../src/daemon/engine/chores.ts";
import { startChores } from "../../src/daemon/engine/chores.ts";
import type { Engine, Watcher } from "../../src/daemon/engine/engine.ts";
import { startEngine } from "../../src/daemon/engine/engine.ts";
import { startHousekeeping } from "../../src/daemon/engine/housekeeping.ts";
import { startHub } from "../../src/daemon/engine/hub.ts";
import { loadState } from "../../src/daemon/engine/load-state.ts";
import { atHome, joined, startMachines } from "../../src/daemon/engine/machines.ts";
import { performer } from "../../src/daemon/engine/perform.ts";
import type { Review } from "../../src/daemon/engine/rulings.ts";
import { startSnapshots } from "../../src/daemon/engine/snapshots.ts";
import { startWatchdog } from "../../src/daemon/engine/watchdog.ts";
import { publicDoors } from "../../src/daemon/http/public-door.ts";
import type { Reach } from "../../src/daemon/reach/reach.ts";
import { startReach } from "../../src/daemon/reach/reach.ts";
import { startSessionDialogs } from "../../src/daemon/sessions/dialogs.ts";
import type { SessionHooks } from "../../src/daemon/sessions/hooks.ts";
import { startSessionHooks } from "../../src/daemon/sessions/hooks.ts";
import type { Ports } from "../../src/ports.ts";
import type { FakeService } from "../fakes/fake-channel.ts";
import { noSecrets } from "../fakes/no-secrets.ts";
import { noPolicies, noRules } from "../fakes/policies.ts";
import { bySlack, people, reachOf } from "../fakes/reach.ts";
import type { Life, Outside } from "./life.ts";
import { startLife } from "./life.ts";
import { FOLDER } from "./memory-files.ts";
import { ownPolicies } from "./policies.ts";
import type { Time } from "./time.ts";

export interface Simulated {
  life: Life;
  engine: Engine;
  agents: Agents;
  chores: Chores;
  reach: Reach;
  sessions: SessionHooks;
  /** Reads it as it is, without a turn of the loop. */
  state: WholeState;
  /** Whether it serves. */
  isUp: boolean;
}

/** A bug that a test plants in a daemon, to see that it is found. */
export interface Plant {
  ports?(ports: Ports, time: Time): Partial<Ports>;
  review?: Review;
  perform?(perform: Perform): Perform;
  watch?: Watcher;
  /** How much of a write that was cut off is left on the disk. */
  torn?(time: Time): (events: number) => number;
}

type Perform = (effect: Effect, record: Recorder) => Promise<void>;

const UNDO = {
  watch_s: 5,
  web_s: 5,
  cli_s: 0,
  api_s: 0,
  slack_s: 0,
  mail_s: 0,
  push_s: 0,
  ntfy_s: 0,
  telegram_s: 0,
};
const nobody = reachOf(people);
const STALE_AFTER_MS = 6 * 3_600_000;

/** The order is that of `daemon/daemon.ts`. */
export async function startSimulated(
  outside: Outside,
  name: string,
  faults: Life["faults"],
  parts: {
    slack: FakeService;
    routes: boolean;
    policies: boolean;
    plant: Plant;
    began(it: Simulated): void;
  },
): Promise<Simulated> {
  const life = startLife(outside, name, faults);
  const { plant } = parts;
  const ports: Ports = { ...life.ports, ...plant.ports?.(life.ports, outside.time) };
  const { state, opened } = await loadState(ports.log, { shelf: ports.shelf });
  const policies = parts.policies ? ownPolicies : noPolicies();
  let machine: MachineName | null = null;
  const engine = startEngine(ports, state, {
    review: plant.review ?? policies.review,
    machine: () => machine,
  });
  if (plant.watch) engine.watch(plant.watch);
  machine = await joined(engine, opened.machine, opened.machine ?? "");
  let isServing = false;
  const machines = startMachines(ports, machine, () => {
    if (isServing) void chores.takeUp().catch(() => {});
  });
  const here = atHome(engine, machine);
  startSnapshots(
    engine,
    ports,
    { snapshot_every: 200, keep_events: machine === null ? 100 : 5000 } as never,
    opened.snapshot?.seq ?? 0,
  );
  const agents = startAgents(here, ports, {
    dir: `${FOLDER}/agents`,
    stateDir: FOLDER,
    env: { HOME: FOLDER },
    hookUrl: () => "http://127.0.0.1:1/hooks/agent",
    hungAfterMs: 900_000,
    policies,
  });
  const reach = startReach(engine, ports, {
    dir: FOLDER,
    settings: { undo: UNDO },
    read: () => ({ config: parts.routes ? bySlack : nobody }),
    secret: async () => "secret",
    runbook: async () => ({ escalations: [] }),
    rules: noRules,
    hider: noSecrets,
    machines,
    isQuiet: () => false,
    doors: publicDoors(),
    addresses: { base: () => "http://127.0.0.1:1", link: () => null },
    makers: { slack: async () => ({ make: parts.slack.make }) } as never,
  });
  const { perform, recovering } = performer(ports, {}, agents.perform, undefined, reach.perform);
  recovering(owed(state).filter((it) => machines.keeps(state, it)));
  const duties = () => ({ routes: reach.hears(), stale_after_ms: STALE_AFTER_MS });
  const chores = startChores(engine, ports, plant.perform?.(perform) ?? perform, duties, machines.keeps);
  await machines.look();
  const watchdog = startWatchdog(here, ports, { chores, doing: agents.doing });
  const forever = new AbortController().signal;
  const service = { engine, ports, hub: startHub(engine), stopping: forever, policies };
  const sessions = startSessionHooks(service, startSessionDialogs(engine, ports, forever));
  const it: Simulated = { life, engine, agents, chores, reach, sessions, state, isUp: false };
  parts.began(it);
  await agents.prepare();
  await engine
    .run((now, moment) => [
      ...returnedAll(now, machine),
      ...lostDialogs(now, machine, moment),
      ...noticesUnsure(now, machine, moment.at_ms),
    ])
    .catch(() => {});
  it.isUp = true;
  await agents.finding.find();
  await agents.quiet.begin();
  await reach.begin();
  await reach.catchUp();
  await chores.begin();
  isServing = true;
  await watchdog.begin();
  startHousekeeping(engine, ports, { keep_days: 1, max_decisions: 60 } as never);
  return it;
}
