/** Reaching people: routes new decisions, sends and rewrites what is owed, and opens the door for what comes back. */
import { setMaxListeners } from "node:events";
import path from "node:path";
import type { Decision } from "../../core/model/decision-types.ts";
import { attentionOf } from "../../core/model/decision-types.ts";
import type { EscalateEffect, ReachEffect } from "../../core/model/effects.ts";
import { never, Refusal } from "../../core/model/errors.ts";
import type { EscalationDef, Notice } from "../../core/model/reach-types.ts";
import type { Runbook } from "../../core/model/runbook.ts";
import type { State } from "../../core/model/state/state.ts";
import { waitsUntil } from "../../core/reach/away.ts";
import type { ReachConfig, RouteDef } from "../../core/reach/config-types.ts";
import type { Teller } from "../../core/reach/escalation.ts";
import { giveEscalation, NOBODY_TOLD } from "../../core/reach/escalation.ts";
import { oweNotices, routed } from "../../core/reach/notices.ts";
import { planForAsker } from "../../core/reach/outcome.ts";
import type { Plan, Telling, World } from "../../core/reach/plan.ts";
import { planFor, planForAll, planInstead } from "../../core/reach/plan.ts";
import type { Delivery, MailReceipt, ReceivedMail } from "../../core/reach/received-mail.ts";
import { routeFor } from "../../core/reach/route.ts";
import type { Settings } from "../../settings.ts";

import type { Recorder } from "../engine/chores.ts";
import type { Engine } from "../engine/engine.ts";
import type { Machines } from "../engine/machines.ts";
import type { Browsers } from "../http/browsers.ts";
import type { Hider } from "../secrets/known.ts";
import type { Door, Given } from "./channel.ts";
import { crowd } from "./crowd.ts";
import type { Rules } from "./door.ts";
import { makeDoor } from "./door.ts";
import { escalateNow, expireNow } from "./escalations.ts";
import { locks } from "./locks.ts";
import type { Addresses } from "./outgoing.ts";
import type { Registry, Parts as RegistryParts } from "./registry.ts";
import { startRegistry } from "./registry.ts";
import { tell } from "./tell.ts";
import { unheard } from "./unheard.ts";

type Loud = Parameters<typeof attentionOf>[0];

export interface Reach {
  perform(effect: ReachEffect, record: Recorder): Promise<void>;
  /** Whether anybody is configured to hear of decisions. */
  hears(): boolean;
  /** Whether routes say who hears: then nobody else is told. */
  hasRoutes(): boolean;
  /** Who is told of a decision by which channel; for a level of an escalation, and for a reminder. */
  noticesFor(decision: Loud, telling: Telling): Plan;
  /** What becomes of a mail that came in. Refuses if no channel takes mails. */
  receiveMail(mail: ReceivedMail, delivery: Delivery): Promise<MailReceipt>;
  door: Door;
  registry: Registry;
  /** The browsers that a channel reaches; null: there is no such channel. */
  browsers(): Promise<Browsers | null>;
  /** Makes the channels that are configured now. */
  begin(): Promise<void>;
  /** After a start: whoever keeps a log of everything hears of what the daemon before this one had no time to tell. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

interface Parts extends Pick<Given, "secret" | "isQuiet" | "doors">, Pick<RegistryParts, "makers"> {
  dir: string;
  settings: Pick<Settings, "undo">;
  read(): { config: ReachConfig };
  addresses: Addresses;
  /** What approvals may become. */
  rules: Rules;
  /** Takes out what is known to be secret, before anything goes out. */
  hider: Hider;
  /** Which of those that share the log this daemon is, and which messages are its. */
  machines: Pick<Machines, "self" | "keeps">;
  /** The runbooks of the project that this folder belongs to, as they are now. */
  runbook(folder: string): Promise<Pick<Runbook, "escalations">>;
}

export function startReach(engine: Engine, ports: Given["ports"], parts: Parts): Reach {
  const { clock } = ports;
  const { read, addresses, settings, dir, runbook: _, rules, hider, machines, ...given } = parts;
  const { self, keeps } = machines;
  const config = () => read().config;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // every message that waits for its next try listens
  const door = makeDoor({
    engine,
    rules,
    ports,
    settings,
    self,
    hider,
    config,
    instead: (decision, key) => {
      const notice = decision.reach?.notices.find((it) => it.key === key);
      return notice ? instead(decision, notice) : null;
    },
  });
  const channels = { ...given, dir: path.join(dir, "channels"), ...addresses, ports };
  const registry = startRegistry(channels, door);

  /** The config as it is now, with its channels made. */
  async function current(): Promise<ReachConfig> {
    const now = config();
    await registry.follow(now);
    return now;
  }

  const crowds = crowd(clock);
  function world(decision: Loud): World {
    const at_ms = clock.now();
    const urgency = attentionOf(decision);
    return {
      config: config(),
      ways: registry.ways(),
      at_ms,
      digestAt: (way, to, people) => waitsUntil(people, urgency, at_ms) ?? crowds.joins(way.name, to),
    };
  }

  function instead(decision: Decision, notice: Notice): Plan {
    return planInstead(decision, notice, world(decision));
  }

  async function route(id: Decision["id"], record: Recorder): Promise<void> {
    const config = await current();
    const decision = await engine.read((state) => state.decisions.get(id) ?? null);
    if (!decision || stopping.signal.aborted) return; // without channels nobody would be found
    const found = routeFor(config, decision);
    const escalation =
      found?.escalation && !decision.escalation ? await named(decision, found.escalation) : null;
    const around = world(decision);
    const heard = merged(planForAll(around), planForAsker(decision, around));
    const plan = merged(asked(decision, found, escalation), heard);
    await record((state) => [
      ...routed(state, { id, plan }),
      ...(escalation ? giveEscalation(state, { id, escalation }) : []),
    ]);
  }

  /** Whom the route names; a decision with an escalation of its own has its first level instead. */
  function asked(decision: Decision, found: RouteDef | null, escalation: EscalationDef | null): Plan {
    if (decision.escalation) return NOBODY;
    if (!found) return NO_ROUTE;
    const plan =
      found.notify.length > 0
        ? planFor({ ...found, names: found.notify, reason: "asked" }, world(decision))
        : NOBODY;
    if (found.escalation === null || escalation) return plan;
    const why = "no runbook of this project has this escalation";
    return merged(plan, { notices: [], missed: [{ name: found.escalation, why }] });
  }

  /** The escalation as the runbooks of the project declare it now; null if they don't. */
  async function named(decision: Decision, name: string): Promise<EscalationDef | null> {
    const folder = await engine.read((state) => folderOf(state, decision));
    const { escalations } = folder === null ? { escalations: [] } : await parts.runbook(folder);
    return escalations.find((it) => it.name === name) ?? null;
  }

  async function tellerFor(effect: EscalateEffect, record: Recorder): Promise<Teller> {
    if (!hears()) return { config: config(), tell: () => NOBODY_TOLD };
    if (effect.what === "begin") await route(effect.decision_id, record); // whoever hears of everything comes first
    return {
      config: await current(),
      tell(decision, telling) {
        const plan = planFor(telling, world(decision));
        return { facts: oweNotices(decision, plan), isReached: plan.notices.length > 0 };
      },
    };
  }

  function hears(): boolean {
    return config().channels.size > 0;
  }

  function pause(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      if (stopping.signal.aborted) return resolve(false);
      const stop = () => {
        disarm();
        resolve(false);
      };
      const disarm = clock.after(ms, () => {
        stopping.signal.removeEventListener("abort", stop);
        resolve(true);
      });
      stopping.signal.addEventListener("abort", stop, { once: true });
    });
  }

  const teller = {
    engine,
    ports,
    registry,
    locks: locks(),
    addresses,
    hider,
    config: current,
    self,
    keeps,
    instead,
    pause,
    stopping: stopping.signal,
  };

  return {
    async perform(effect, record) {
      switch (effect.type) {
        case "route":
          return route(effect.decision_id, record);
        case "tell":
          return tell(effect, teller, record);
        case "expire":
          return expireNow(effect, record);
        case "escalate":
          return escalateNow(effect, await tellerFor(effect, record), record);
        default:
          return never(effect);
      }
    },
    hears,
    hasRoutes: () => config().routes.length > 0,
    noticesFor: (decision, telling) => planFor(telling, world(decision)),
    async receiveMail(mail, delivery) {
      await current();
      const receive = registry.all().find((it) => it.channel?.receive)?.channel?.receive;
      if (!receive) throw new Refusal("request.not-found", "no channel takes mails", "set [channel.mail]");
      return receive(mail, delivery);
    },
    door,
    registry,
    async browsers() {
      await current();
      return registry.all().find((it) => it.channel?.browsers)?.channel?.browsers ?? null;
    },
    begin: async () => void (await current()),
    async catchUp() {
      if (!registry.ways().some((it) => it.hearsAll)) return;
      for (const id of await engine.read((state) => unheard(state.decisions))) await route(id, engine.run);
    },
    async stop() {
      stopping.abort();
      await registry.close();
    },
  };
}

const NOBODY: Plan = { notices: [], missed: [] };
const NO_ROUTE: Plan = { notices: [], missed: [{ name: "nobody", why: "no route matches" }] };

/** The folder of the project that a job or an agent works for, where a request was made, or where a session works. */
function folderOf(state: Readonly<State>, { owner, agent_id, root, session }: Decision): string | null {
  const agent = agent_id === null ? undefined : state.agents.get(agent_id);
  const job = owner.kind === "job" ? state.jobs.get(owner.id) : undefined;
  const known = job?.root ?? agent?.root ?? root;
  if (known !== undefined) return known;
  const cwd = session === null ? undefined : state.sessions.get(session)?.cwd;
  return cwd !== undefined && path.isAbsolute(cwd) ? cwd : null;
}

function merged(plan: Plan, more: Plan): Plan {
  return { notices: [...plan.notices, ...more.notices], missed: [...plan.missed, ...more.missed] };
}
