/**
 * The daemon's life: load the log, begin what is owed, serve, and stop in order. Which adapters it uses is up to
 * `daemon-main.ts`.
 */
import { setMaxListeners } from "node:events";
import path from "node:path";
import type { Config } from "../config.ts";
import { isQuietNow } from "../config.ts";
import { agentBehind } from "../core/agent/behind.ts";
import { briefOf } from "../core/decision/brief.ts";
import { settledOf } from "../core/decision/settled.ts";
import type { JobId, MachineName } from "../core/model/ids.ts";
import { returnedAll } from "../core/outbox/queue.ts";
import { owed } from "../core/owed.ts";
import { noticesUnsure } from "../core/reach/notices.ts";
import { lostDialogs } from "../core/session/dialog.ts";
import { withGroups } from "../core/template/rule.ts";
import type { Damage, Ports } from "../ports.ts";
import { reachConfig } from "../reach-config/read.ts";
import { watchFile } from "../reach-config/watch.ts";
import { hungAfterMs, staleAfterMs } from "../settings.ts";
import { version } from "../version.ts";
import { startAgents } from "./agents/agents.ts";
import { startMirroring } from "./beads/mirror.ts";
import type { Chores } from "./engine/chores.ts";
import { startChores } from "./engine/chores.ts";
import { startDecisionNotices } from "./engine/decision-notices.ts";
import { startEngine } from "./engine/engine.ts";
import { startHousekeeping } from "./engine/housekeeping.ts";
import { startHub } from "./engine/hub.ts";
import { startJobLog } from "./engine/job-log.ts";
import { clearLeftovers } from "./engine/leftovers.ts";
import { loadState } from "./engine/load-state.ts";
import { atHome, joined, startMachines } from "./engine/machines.ts";
import { startNotifications } from "./engine/notifications.ts";
import { performer } from "./engine/perform.ts";
import { rateLimits } from "./engine/rates.ts";
import type { Releasers } from "./engine/releasers.ts";
import { withReleasers } from "./engine/releasers.ts";
import { startShelving } from "./engine/shelving.ts";
import { startSnapshots } from "./engine/snapshots.ts";
import { startWatchdog } from "./engine/watchdog.ts";
import { startHookServer } from "./hook-server.ts";
import { userName } from "./http/callers.ts";
import type { McpServer } from "./http/mcp.ts";
import { startMcp } from "./http/mcp.ts";
import { startTrust } from "./http/open-calls.ts";
import { publicDoors } from "./http/public-door.ts";
import { startRefused } from "./http/refused.ts";
import type { Service } from "./http/service.ts";
import { startPlaces } from "./http/streams/places.ts";
import { startProofs } from "./oidc/start.ts";
import { channelStates } from "./reach/channel-states.ts";
import { startLinks } from "./reach/links.ts";
import { linkOf } from "./reach/outgoing.ts";
import { startReach } from "./reach/reach.ts";
import { policyPlace, startPolicies } from "./runbooks/policies.ts";
import { runbooksAround } from "./runbooks/project.ts";
import { startRemembering } from "./runbooks/remembering.ts";
import { startSuggestions } from "./runbooks/suggestions.ts";
import { knownSecrets } from "./secrets/known.ts";
import { startLeavers } from "./secrets/leavers.ts";
import { mcpTokens, takeOver } from "./secrets/mcp-tokens.ts";
import { appOf, listen } from "./server.ts";
import { viewCache } from "./views/view-cache.ts";
import { decisionView } from "./views/views.ts";
import type { WebServer } from "./web/serving.ts";
import { startWebs } from "./web/web.ts";

/** What else is served on the port of the hooks. */
interface Servers {
  mcp: McpServer;
  web: WebServer;
}

export interface Daemon {
  /** Resolves once the daemon was asked to stop and has stopped; rejects if something could not be released. */
  stopped: Promise<void>;
  stop(): void;
}

export interface Manner {
  repair: boolean;
  webDir: string;
}

export function startDaemon(ports: Ports, config: Readonly<Config>, how: Manner): Promise<Daemon> {
  return withReleasers(ports.clock, (releasers) => start(ports, config, how, releasers));
}

/** How long a chore may take to end after the processes it runs were killed. */
const CHORES_MS = 30_000;

/** Everything is released in the reverse of this order: callers first, the log last. */
async function start(
  ports: Ports,
  config: Readonly<Config>,
  how: Manner,
  releasers: Releasers,
): Promise<Daemon> {
  const { journal, clock, log } = ports;
  const began = clock.now();
  userName(); // looked up now, while file descriptors are free
  releasers.add("the log", () => log.close());
  const { state, opened } = await loadState(log, { repair: how.repair, shelf: ports.shelf });
  const warnings = [...(opened.damage ? [damageText(opened.damage)] : []), ...opened.skipped];
  for (const warning of warnings) journal.error(warning);

  releasers.add("the terminals", () => ports.terminals.close());
  const written = reachConfig(config, (problem) => journal.warn("the config has problems", { problem }));
  const policies = startPolicies(ports, policyPlace(config.env));
  let machine: MachineName | null = null;
  const engine = startEngine(ports, state, {
    review: (state, facts, moment) =>
      policies.review(state, withGroups(facts, reachFile().config.groups), moment),
    machine: () => machine,
  });
  releasers.add("the engine", () => engine.stop());
  const leavers = startLeavers(engine, state);
  const reachFile = leavers.from(written);
  machine = await joined(engine, opened.machine, config.machine);
  let isUp = false;
  const machines = startMachines(ports, machine, () => {
    cache.clear();
    if (isUp) void chores.takeUp().catch(() => {});
  });
  const cache = viewCache(engine, (it) => machines.placed(decisionView(it)));
  releasers.add("the look at the machines", () => machines.stop());
  const here = atHome(engine, machine);
  const owner = () => config.settings.machine.owner || userName();
  const remembering = startRemembering({ engine, policies, ports }, machines);
  const suggestions = startSuggestions({ engine, policies, ports }, { self: machines.self, remembering });
  releasers.add("the suggestions", async () => suggestions.stop());
  const snapshots = startSnapshots(engine, ports, config.settings.store, opened.snapshot?.seq ?? 0);
  releasers.add("the snapshots", () => snapshots.stop());
  let hookUrl = "";
  const agents = startAgents(here, ports, {
    dir: path.join(config.stateDir, "agents"),
    stateDir: config.stateDir,
    env: config.env,
    hookUrl: () => hookUrl,
    hungAfterMs: hungAfterMs(config.settings),
    policies,
  });
  releasers.add("the agents", () => agents.stop());
  const isQuiet = () => isQuietNow(config);
  const doors = publicDoors();
  let port = 0;
  const base = () => reachFile().config.webUrl ?? `http://127.0.0.1:${port}`;
  const secrets = knownSecrets(engine, ports, { config, tokens: agents.tokens });
  const reach = startReach(engine, ports, {
    dir: config.stateDir,
    settings: config.settings,
    read: reachFile,
    ...secrets,
    isQuiet,
    addresses: { base, link: (input) => links.to(linkOf(input)) },
    runbook: async (folder) => (await runbooksAround(folder)).runbook,
    doors,
    rules: remembering,
    machines,
  });
  const links = await startLinks({ dir: config.stateDir, base, door: reach.door }, ports);
  doors.open(links.door);
  const proofs = startProofs({ config, reach: reachFile, engine, doors, port: () => port }, ports);
  const markOf = async (job_id: JobId) => {
    const agent = await engine.read((state) => agentBehind(state, job_id));
    return agent && agents.marks.of(agent.id);
  };
  const mirroring = startMirroring(engine, ports, { env: config.env, machine: machines.self, ...secrets });
  const { perform, recovering } = performer(
    ports,
    config.env,
    agents.perform,
    markOf,
    reach.perform,
    mirroring.perform,
  );
  recovering(owed(state).filter((it) => machines.keeps(state, it)));
  const duties = () => ({ routes: reach.hears(), stale_after_ms: staleAfterMs(config.settings) });
  const chores = startChores(engine, ports, perform, duties, machines.keeps);
  await machines.look();
  const killMs = config.settings.jobs.kill_after_s * 1000;
  releasers.add("the chores", () => endChores(chores, ports), killMs + CHORES_MS);
  releasers.add("the beads", () => mirroring.stop());
  releasers.add("the channels", () => reach.stop()); // first: a message that is tried again would hold up the chores
  const watchdog = startWatchdog(here, ports, { chores, doing: agents.doing });
  releasers.add("the watchdog", () => watchdog.stop());
  startNotifications(here, ports, isQuiet);
  const notices = startDecisionNotices(engine, ports, () => isQuiet() || reach.hasRoutes(), machine);
  releasers.add("the notices", () => notices.stop());
  startJobLog(here, ports);

  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // everyone who waits listens to it, which can be thousands
  let asked = () => {};
  const stopAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await agents.prepare();
  await engine
    .run((state, moment) => [
      ...returnedAll(state, machine),
      ...lostDialogs(state, machine, moment),
      ...noticesUnsure(state, machine, moment.at_ms),
    ])
    .catch((error: Error) => {
      journal.warn("could not check what was under way", { error: error.message });
    });
  const refused = startRefused(engine, ports);
  // pages and MCP clients of an earlier daemon know the port: until there is somebody to serve them, they wait
  let servers: Servers | null = null;
  let serve = (_: Servers) => {};
  const serving = new Promise<Servers>((resolve) => {
    serve = resolve;
  });
  const hookServer = await startHookServer(
    {
      portFile: path.join(config.stateDir, "port"),
      ...agents,
      refused,
      mcp: async (request, response) => (servers ?? (await serving)).mcp(request, response),
      web: async (request, response) => (servers ?? (await serving)).web(request, response),
    },
    ports,
    releasers,
  );
  releasers.add("the agents' reports", () => agents.stop()); // before the agents' connections break
  hookUrl = hookServer.url;
  port = hookServer.port;
  const oldTokens = path.join(config.stateDir, "mcp-tokens.json");
  await takeOver(oldTokens, { engine, clock, machine, sponsor: owner(), journal });
  const service: Service = {
    policies,
    remembering,
    suggestions,
    engine,
    agents,
    chores,
    port: hookServer.port,
    localhost: hookServer.localhost,
    doors,
    webUrl: () => reachFile().config.webUrl,
    browsers: reach.browsers,
    knows: (person) => reachFile().config.people.has(person),
    people: () => reachFile().config,
    receiveMail: reach.receiveMail,
    mirroring,
    hub: startHub(engine),
    mcpTokens: mcpTokens({ engine, clock, machine }),
    ...(await startTrust(path.join(config.stateDir, "web-logins.json"), { engine, ...ports }, releasers)),
    ...proofs,
    cache,
    machines,
    briefs: viewCache(engine, (it) => briefOf(it, settledOf(it))),
    rates: rateLimits(clock, config.settings.limits.requests_per_minute),
    places: startPlaces(config.settings.limits.streams),
    refused,
    ports,
    settings: config.settings,
    owner,
    isQuiet,
    socket: config.socket,
    reach: {
      read: reachFile,
      begin: reach.begin,
      noticesFor: reach.noticesFor,
      async channels() {
        await reach.begin();
        return channelStates(reach.registry, reachFile().config, clock);
      },
    },
    started_at_ms: began,
    warnings,
    stopping: stopping.signal,
    stop: asked,
  };
  await leavers.follow({ ...service, journal });
  const app = appOf(service);
  const webs = startWebs(app, service, how.webDir);
  servers = { mcp: startMcp(app, service), web: webs.here };
  serve(servers);
  await listen(app, webs.elsewhere, config.socket, releasers);
  releasers.add("whoever waits", () => stopping.abort());
  journal.info("started", { version, pid: process.pid, seq: engine.seq(), took_ms: clock.now() - began });
  await agents.finding.find();
  await agents.quiet.begin();
  await reach.begin();
  await leavers.tidy();
  await reach.catchUp();
  await mirroring.lookAgain();
  await chores.begin();
  isUp = true;
  releasers.add(
    "the watch over the config",
    watchFile(reachFile().file, () => void followConfig()),
  );
  await watchdog.begin();
  // a damaged log may have lost the events that the leftovers belong to
  if (!opened.damage)
    void clearLeftovers(engine, ports, began).catch((error: Error) =>
      journal.warn("could not clear away leftovers", { error: error.message }),
    );
  if (!opened.damage)
    void log.verify().then(
      (damage) => {
        if (damage === null) return;
        warnings.push(damageText(damage));
        journal.error(damageText(damage));
      },
      (error: Error) => journal.warn("could not read the whole log", { error: error.message }),
    );
  const shelving = startShelving(engine);
  releasers.add("the shelving", () => shelving.stop());
  const housekeeping = startHousekeeping(engine, ports, config.settings.history);
  releasers.add("the housekeeping", () => housekeeping.stop());

  /** New channels begin to listen, and what waits is routed if nobody was there to hear of it. */
  async function followConfig(): Promise<void> {
    try {
      await reach.begin();
      await leavers.tidy();
      await mirroring.lookAgain();
      if (reach.hears()) await chores.takeUp();
    } catch (error) {
      journal.warn("could not follow the config", { error: (error as Error).message });
    }
  }

  async function stop(): Promise<void> {
    await stopAsked;
    journal.info("stopping");
    await releasers.release();
    journal.info("stopped", { seq: engine.seq() });
  }

  return { stopped: stop(), stop: asked };
}

/** Chores in progress end with the processes they run. */
async function endChores(chores: Chores, { shell }: Ports): Promise<void> {
  const idle = chores.stop();
  await shell.close();
  await idle;
}

function damageText({ seq, what, records, kept }: Damage): string {
  const many = records === null ? "" : ` (${records} record${records === 1 ? "" : "s"})`;
  return `the log was damaged at event ${seq}: ${what}. The unreadable part${many} is kept in ${kept}`;
}
