/** Agents that ask and wait, and people who answer what they see on a channel, or who were quicker than it. */
import { setTimeout as sleep } from "node:timers/promises";
import { readMail } from "../../../src/adapters/mime/read-mail.ts";
import { callerOn } from "../../bench/http.ts";
import { linksOf, replyTo } from "../../fakes/servers/mail.ts";
import type { Random } from "../../torture/random.ts";
import type { Offer, Seen } from "./seen.ts";
import { titleOf } from "./seen.ts";
import type { World } from "./world.ts";
import { mailOf, slackIdOf } from "./world.ts";

/** `blind`: at any moment, announced or not. `deadline`: nobody. */
type Way = "button" | "link" | "reply" | "inbox" | "blind" | "deadline" | "withdrawn";
const WAYS: Record<Way, number> = {
  button: 40,
  link: 18,
  reply: 12,
  inbox: 8,
  blind: 12,
  deadline: 5,
  withdrawn: 5,
};

export interface Load {
  asked(): number;
  settled(): number;
  /** How each was to be answered. */
  ways: Map<number, Way>;
  /** Returns once every decision is settled; rejects if one is not for much too long. */
  run(): Promise<void>;
}

interface LoadInput {
  world: World;
  seen: Seen;
  random: Random;
  decisions: number;
  people: number;
  /** Decisions a second. */
  rate: number;
}

/** Whoever acted and sees nothing come of it acts again. */
const PATIENCE_MS = 10_000;
/** A slow machine takes longer, rather than having more and more to do. */
const MOST_AT_ONCE = 200;
/** Longer than any outage and every retry. */
const LIMIT_MS = 900_000;

export function startLoad({ world, seen, random, decisions, people, rate }: LoadInput): Load {
  const { place, slack } = world;
  const caller = callerOn(place.socket, 256);
  const ways = new Map<number, Way>();
  let asked = 0;
  let settled = 0;

  /** Until the daemon takes it; what it refuses is for the caller. */
  async function call<T>(method: string, to: string, body?: unknown): Promise<T> {
    for (;;) {
      const answer = await caller.call(method, to, body).catch((error: Error & { code?: string }) => error);
      if (!(answer instanceof Error)) return JSON.parse(answer || "null") as T;
      if (answer.code === undefined) throw answer;
      await sleep(200);
    }
  }

  async function one(change: number): Promise<void> {
    const person = random.int(0, people - 1);
    const way = random.weighted(WAYS);
    ways.set(change, way);
    const deadline = way === "deadline" ? { deadline_ms: random.int(2000, 20_000), default: "wait" } : {};
    const { id } = await call<{ id: string }>("POST", "/decisions", {
      project: `project-${person}`,
      cwd: "/",
      as: `agent-${change}`,
      prompt: titleOf(change),
      options: [{ label: "Merge" }, { label: "Wait" }],
      ...deadline,
    });
    asked++;
    const over = outcome(id).then(() => true);
    await Promise.race([over, act(id, change, person, way, over)]);
    await over;
    settled++;
  }

  /** As the agent waits. */
  async function outcome(id: string): Promise<void> {
    const until = Date.now() + LIMIT_MS;
    for (;;) {
      const isOver = await call("POST", `/decisions/${id}/await`, { timeout_ms: 30_000 }).then(
        () => true,
        (error: Error) => {
          if (error.message.includes(" 408 ")) return false;
          throw error;
        },
      );
      if (isOver) return;
      if (Date.now() > until) {
        const stuck = await caller.call("GET", `/decisions/${id}`);
        throw new Error(`not settled within ${LIMIT_MS / 60_000} minutes: ${stuck}`);
      }
    }
  }

  async function act(
    id: string,
    change: number,
    person: number,
    way: Way,
    over: Promise<boolean>,
  ): Promise<void> {
    if (way === "deadline") return;
    const isBlind = way === "blind" || way === "withdrawn";
    if (isBlind) await sleep(random.int(0, 8000));
    const offer = isBlind ? null : await seen.offer(change);
    if (!isBlind) await sleep(random.int(0, 3000));
    do
      await does(id, person, way, offer).catch(() => {}); // too late, or it went down with the daemon
    while (!(await Promise.race([over, sleep(PATIENCE_MS, false, { ref: false })])));
  }

  async function does(id: string, person: number, way: Way, offer: Offer | null): Promise<void> {
    const { card, mail } = offer ?? { card: null, mail: null };
    if (way === "withdrawn") await call("POST", `/decisions/${id}/cancel`, { reason: "not needed any more" });
    else if (way === "button" && card)
      await slack.click(card, random.chance(0.5) ? "Merge" : "Wait", userOf(card));
    else if (way === "link" && mail) await fetch(linksOf(mail)[0] ?? "", { method: "POST" });
    else if (way === "reply" && mail) {
      const from = mail.to[0] ?? mailOf(person);
      const raw = replyTo(mail, "1 as it is", { From: from, "Return-Path": `<${from}>` });
      const delivery = { recipient: null, extension: null, sender: null };
      await call("POST", "/mail", { mail: await readMail(Buffer.from(raw)), delivery });
    } else await call("POST", `/decisions/${id}/resolve`, { choices: [[1]] });
  }

  return {
    asked: () => asked,
    settled: () => settled,
    ways,
    async run() {
      const began = performance.now();
      const under = new Set<Promise<void>>();
      const failed: Error[] = [];
      for (let change = 0; change < decisions && failed.length === 0; ) {
        const due = Math.min(decisions, Math.floor(((performance.now() - began) * rate) / 1000));
        while (change < due && under.size < MOST_AT_ONCE) {
          const task: Promise<void> = one(change++)
            .catch((error: Error) => void failed.push(error))
            .finally(() => under.delete(task));
          under.add(task);
        }
        await sleep(20);
      }
      await Promise.all(under);
      caller.close();
      if (failed[0]) throw failed[0];
    },
  };
}

function userOf({ channel }: { channel: string }): string {
  return slackIdOf(Number(channel.slice(1)));
}
