/** Somebody who leaves while messages wait for Slack's pace: what is for them, and what was taken back, is not posted. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakePorts } from "../../../../test/fakes/ports.ts";
import { people, reachOf, reachWorld } from "../../../../test/fakes/reach.ts";
import { slackPosts } from "../../../../test/fakes/slack-posts.ts";
import type { DecisionId } from "../../../core/model/ids.ts";
import { removePerson } from "../../../core/remove-person.ts";
import { invitePerson } from "../../../core/rights/people.ts";
import { make } from "../channels/slack.ts";

const MEMBERS = ["ana", "ben"];
const ADDRESSES: Record<string, string> = { ana: "U1", ben: "U2" };

async function stage(room: string | null) {
  const { posts, service } = slackPosts();
  const channel = { slack: { bot_token_file: "bot", app_token_file: "app", ...(room && { channel: room }) } };
  const config = reachOf({ ...people, channel, route: [{ notify: MEMBERS, via: ["slack"] }] });
  const ports = fakePorts();
  ports.channels.slack = async () => service;
  const services = { slack: { make } as never };
  const begin = () => reachWorld({ config, services, ports: fakePorts({ ...ports }), undo: { slack_s: 60 } });
  let world = await begin();
  const run = (...given: Parameters<typeof world.engine.run>) => world.engine.run(...given);
  for (const name of MEMBERS) await run((state) => invitePerson(state, { name, by: "root" }));
  return {
    posts,
    now: () => world,
    run,
    remove: () => run((state, moment) => removePerson(state, { name: "ana", by: "root", config }, moment)),
    async restart() {
      await world.stop();
      world = await begin();
    },
  };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** What waits: each has one message just posted, so that the next one waits for a second. */
interface Waiting {
  room: string | null;
  begin(stage: Stage, id: DecisionId): Promise<unknown>;
  /** Where it would be, and what it would say. */
  would: { to: "ana" | "ben" | "room"; says: RegExp };
  /** Whether it is posted although she leaves. */
  staysDue: boolean;
}

const by = (person: string) => ({ person, via: "slack" as const });
const yes = { choices: [[1]], option: null, text: null, texts: [], message: null, sawAll: true };
const claims = (stage: Stage, id: DecisionId) => stage.now().reach.door.claim({ id, ...by("ana") });
const answers = (stage: Stage, id: DecisionId) => stage.now().reach.door.answer({ id, ...by("ana"), ...yes });

const WAITING: Record<string, Waiting> = {
  "a card for her": {
    room: null,
    begin: (stage) => stage.now().ask("next"),
    would: { to: "ana", says: /next's question/ },
    staysDue: false,
  },
  "a card for somebody else": {
    room: null,
    begin: (stage) => stage.now().ask("next"),
    would: { to: "ben", says: /next's question/ },
    staysDue: true,
  },
  "a card in a room": {
    room: "C1",
    begin: (stage) => stage.now().ask("next"),
    would: { to: "room", says: /next's question/ },
    staysDue: true,
  },
  "a line for her about what somebody else said": {
    room: null,
    begin: (stage, id) => stage.now().answer(id, "cara"),
    would: { to: "ana", says: /cara answered/ },
    staysDue: false,
  },
  "a line for somebody else about the same": {
    room: null,
    begin: (stage, id) => stage.now().answer(id, "cara"),
    would: { to: "ben", says: /cara answered/ },
    staysDue: true,
  },
  "a line for somebody else: she is on it": {
    room: null,
    begin: claims,
    would: { to: "ben", says: /ana is on it/ },
    staysDue: false,
  },
  "a line in a room: she is on it": {
    room: "C1",
    begin: claims,
    would: { to: "room", says: /ana is on it/ },
    staysDue: false,
  },
  "a line for somebody else: her answer, which is on hold": {
    room: null,
    begin: answers,
    would: { to: "ben", says: /ana answered/ },
    staysDue: false,
  },
  "a line in a room: her answer, which is on hold": {
    room: "C1",
    begin: answers,
    would: { to: "room", says: /ana answered/ },
    staysDue: false,
  },
  "a line for somebody else: her answer, which is final": {
    room: null,
    begin: (stage, id) => stage.now().answer(id, "ana"),
    would: { to: "ben", says: /ana answered/ },
    staysDue: true,
  },
};

const LEAVES: Record<string, (stage: Stage) => Promise<unknown>> = {
  "is removed": (stage) => stage.remove(),
  "is removed, and somebody else has the name": async (stage) => {
    await stage.remove();
    await stage.now().pass(1);
    await stage.run((state) => invitePerson(state, { name: "ana", by: "root" }));
  },
  "is removed, and the settings mean somebody else of that name": async (stage) => {
    await stage.remove();
    await stage.now().pass(1);
    await stage.run((state) => invitePerson(state, { name: "ana", by: "root", doors: true }));
  },
};

describe("what waits for Slack's pace", () => {
  const placeOf = ({ to }: Waiting["would"]) => (to === "room" ? "C1" : ADDRESSES[to]);

  for (const [what, { room, begin, would, staysDue }] of Object.entries(WAITING)) {
    const isCard = !/^a line/.test(what); // a line is only in memory: the card says the same
    const walk = async (between: (made: Stage) => Promise<unknown>): Promise<boolean> => {
      const made = await stage(room);
      const id = await made.now().ask("first");
      const before = made.posts.length;
      await begin(made, id);
      await made.now().settle();
      assert.equal(made.posts.length, before, "it waits");
      await between(made);
      for (let second = 0; second < 5; second++) await made.now().pass(1100);
      const posted = made.posts.some((it) => it.to === placeOf(would) && would.says.test(it.text));
      await made.now().stop();
      return posted;
    };

    it(`${what} is posted when its turn comes`, async () => {
      assert.equal(await walk(async () => {}), true);
    });

    for (const [how, leave] of Object.entries(LEAVES)) {
      it(`${what} is ${staysDue ? "" : "not "}posted if she ${how}`, async () => {
        assert.equal(await walk(leave), staysDue);
      });
      it(`${what} is ${staysDue && isCard ? "" : "not "}posted if she ${how}, and the daemon starts again`, async () => {
        const posted = await walk(async (made) => {
          await leave(made);
          await made.restart();
        });
        assert.equal(posted, staysDue && isCard);
      });
    }
  }
});
