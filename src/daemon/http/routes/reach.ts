/** Reaching people, over HTTP: who is there, how the channels are, who hears of a decision, and a test message. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { cancelDecision } from "../../../core/decision/decision.ts";
import { Refusal } from "../../../core/model/errors.ts";
import type { DecisionId } from "../../../core/model/ids.ts";
import { findDecision } from "../../../core/model/state/find.ts";
import { explainRoute } from "../../../core/reach/explain.ts";
import { peopleNow, rotasNow, suggestionsFor } from "../../../core/reach/on.ts";
import type { Plan } from "../../../core/reach/plan.ts";
import { testMessage } from "../../../core/reach/test-message.ts";
import { suggest } from "../../../core/text/suggest.ts";
import { until } from "../../engine/until.ts";
import * as schemas from "../../views/schemas.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

/** How long a test waits for its message to be sent. */
const SENT_MS = 20_000;

export function reachRoutes(app: OpenAPIHono, { engine, ports, reach }: Service): void {
  route(
    app,
    {
      method: "get",
      path: "/who",
      summary: "The people, groups and rotas of the person's config, and who is there now",
      returns: schemas.who,
    },
    async () => {
      const { config, problem, file } = reach.read();
      const now = ports.clock.now();
      return {
        file,
        problem,
        suggestions: suggestionsFor(config),
        people: peopleNow(config, now),
        groups: [...config.groups].map(([name, people]) => ({ name, people: [...people] })),
        rotas: rotasNow(config, now),
      };
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/channels",
      summary: "The channels of the person's config, and what is wrong with each now",
      returns: () => schemas.channelState().array(),
    },
    () => reach.channels(),
  );

  route(
    app,
    {
      method: "post",
      path: "/channels/{name}/test",
      summary: "Ask a person or a room by this channel whether the message arrives",
      answers: true,
      params: schemas.nameParam,
      body: schemas.channelTestBody,
      returns: schemas.channelTest,
    },
    async ({ params: { name }, body: { person, project }, by }) => {
      const channel = await find(name);
      const { people } = reach.read().config;
      if (person !== undefined && !people.has(person))
        throw notFound(`there is no person "${person}"`, suggest(person, people.keys()), channel.people);
      const names =
        person === undefined ? channel.people.slice(0, channel.room === null ? 1 : undefined) : [person];
      const plan = reach.noticesFor({ urgency: "high", blocks: [] }, { names, via: [name], reason: "asked" });
      const own: Plan["notices"] = channel.hears_all
        ? [
            {
              channel: name,
              kind: channel.kind,
              person: null,
              names: [],
              to: name,
              reason: "asked",
              is_log: true,
            },
          ]
        : plan.notices.filter((it) => it.channel === name);
      if (own.length === 0)
        throw new Refusal(
          "request.invalid",
          channel.trouble ?? `nobody has an address for ${name}`,
          channel.trouble === null ? "add one to a [person.NAME] in your settings" : "oj channel list",
        );
      const facts = await engine.run((state, moment) =>
        testMessage(state, { channel: name, plan: { notices: own, missed: [] }, by, project }, moment),
      );
      const created = facts.find((it) => it.type === "decision:created");
      if (!created) throw new Refusal("daemon.failed", "the test could not be recorded");
      await sent(created.id);
      const notices = await engine.read((state) => state.decisions.get(created.id)?.reach?.notices ?? []);
      if (!channel.answers || notices.every((it) => it.state === "failed"))
        await engine.run((state, moment) =>
          cancelDecision(state, { id: created.id, by, reason: "the test is over" }, moment),
        );
      const shown = notices.filter((it) => it.channel === name);
      return {
        decision_id: created.id,
        answers: channel.answers,
        notices: shown.map(({ to, state, error }) => ({ to, state, error })),
      };
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/decisions/{id}/route",
      summary: "Which route takes a decision and why, who hears of it when, by which channel",
      params: schemas.idParam,
      returns: schemas.explained,
    },
    async ({ params }) => {
      await reach.begin();
      const decision = await engine.read((state) => findDecision(state, params.id));
      return explainRoute(reach.read().config, decision, {
        planFor: (telling) => reach.noticesFor(decision, telling),
        at_ms: ports.clock.now(),
      });
    },
  );

  async function find(name: string) {
    const all = await reach.channels();
    const found = all.find((it) => it.name === name);
    if (found) return found;
    const names = all.map((it) => it.name);
    throw notFound(`there is no channel "${name}"`, suggest(name, names), names);
  }

  function sent(id: DecisionId): Promise<boolean> {
    return until(engine, ports.clock, {
      isSo: (state) =>
        !state.decisions.get(id)?.reach?.notices.some((it) => it.state === "owed" && it.error === null),
      by: (event) => event.type.startsWith("notice:") && "id" in event && event.id === id,
      withinMs: SENT_MS,
    });
  }
}

function notFound(message: string, near: string | null, known: readonly string[]): Refusal {
  const hint = near ? `did you mean "${near}"?` : known.length > 0 ? `there are ${known.join(", ")}` : null;
  return new Refusal("request.invalid", message, hint);
}
