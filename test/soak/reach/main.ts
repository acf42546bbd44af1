/**
 * `npm run soak:reach [-- --decisions 10000 --people 100 --rate 12 --kill-every 45 --seed 1]`: people hear of decisions by
 * Slack and by mail while both services and the daemon fail at random. Fails if a decision was not announced, or was shown
 * as open after it was settled.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { DecisionView } from "../../../src/api/api.ts";
import { callerOn } from "../../bench/http.ts";
import { killAll } from "../../torture/daemon.ts";
import { randomFrom } from "../../torture/random.ts";
import { startLoad } from "./load.ts";
import type { Seen } from "./seen.ts";
import { watchPeople } from "./seen.ts";
import { startTroubles } from "./trouble.ts";
import type { Settled } from "./verdict.ts";
import { verdictsOn } from "./verdict.ts";
import type { World } from "./world.ts";
import { makeWorld, slackIdOf } from "./world.ts";

const { values } = parseArgs({
  options: {
    decisions: { type: "string", default: "10000" },
    people: { type: "string", default: "100" },
    rate: { type: "string", default: "12" },
    "kill-every": { type: "string", default: "45" },
    seed: { type: "string", default: "1" },
  },
});
const number = (name: keyof typeof values) => Number(values[name]);

/** As long as the longest pause between two tries, twice. */
const QUIET_MS = 60_000;
const LOOK_MS = 1000;
const PROGRESS_MS = 30_000;

const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-soak-reach-")));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    killAll();
    fs.rmSync(dir, { recursive: true, force: true });
    process.exit(130);
  });

try {
  const [decisions, people, rate] = [number("decisions"), number("people"), number("rate")];
  const random = randomFrom(number("seed"));
  const seen = watchPeople();
  const world = await makeWorld(dir, people, seen);
  console.log(
    `Node ${process.version}, ${os.cpus().length} cores; ${decisions} decisions for ${people} people by Slack and mail, ${rate} a second, seed ${number("seed")}\n`,
  );
  const began = Date.now();
  const troubles = startTroubles(world, random, number("kill-every"));
  const load = startLoad({ world, seen, random, decisions, people, rate });
  const progress = setInterval(() => {
    const { cards, rewritten, mails } = seen.count;
    console.log(
      `${((Date.now() - began) / 60_000).toFixed(1)} min: ${load.asked()} asked, ${load.settled()} settled; ${cards} cards, ${rewritten} rewritten, ${mails} mails; ${world.starts()} starts`,
    );
  }, PROGRESS_MS);
  await load.run();
  await troubles.stop();
  await quiet(seen);
  const lost = await clickWhatIsLeft(world, seen);
  clearInterval(progress);
  const verdicts = verdictsOn(await all(world), seen, load);
  const { cards, rewritten, mails, doubled } = seen.count;
  console.log(
    `\n${((Date.now() - began) / 60_000).toFixed(1)} min; ${cards} cards, ${rewritten} times rewritten; ${mails} mails, ${doubled} of them twice under one Message-ID; ${lost} cards that nobody knew of were clicked`,
  );
  console.log(
    Object.entries(troubles.counts)
      .map(([name, count]) => `  ${String(count).padStart(5)}  ${name}`)
      .join("\n"),
  );
  console.log(`\n${verdicts.map(({ isOk, text }) => `${isOk ? "✓" : "✗"} ${text}`).join("\n")}`);
  process.exitCode = verdicts.every((it) => it.isOk) ? 0 : 1;
  await world.close();
} finally {
  killAll();
  fs.rmSync(dir, { recursive: true, force: true });
}

/** Until nothing is left open, or nothing has happened for long. */
async function quiet(seen: Seen): Promise<void> {
  let last = Date.now();
  let before = "";
  while (Date.now() - last < QUIET_MS) {
    await sleep(LOOK_MS);
    if (seen.openCards().length + seen.openMails().length === 0) return;
    const now = JSON.stringify(seen.count);
    if (now !== before) last = Date.now();
    before = now;
  }
}

/**
 * A card whose response was lost is in Slack without anybody knowing of it, and the daemon has said in another message
 * what became of it. Its buttons must still work: whoever clicks one is told, and the card is rewritten.
 */
async function clickWhatIsLeft({ slack }: World, seen: Seen): Promise<number> {
  const left = seen.openCards();
  for (const { card, changes } of left) {
    const isTold = changes.every((it) => seen.closed.has(`${it} slack`));
    const buttons = card.blocks.flatMap((it) => [...(it.elements ?? []), it.accessory ?? {}]);
    const [button] = buttons.filter((it) => it.type === "button");
    if (!isTold || !button) continue;
    const before = slack.ephemerals.length;
    await slack.click(card, button.text.text, slackIdOf(Number(card.channel.slice(1))));
    if (!card.blocks.some((it) => it.accessory)) continue;
    // a list shows each decision as it is now to whoever asks for it, and stays as it is
    for (let looks = 0; looks < 30 && slack.ephemerals.length === before; looks++) await sleep(LOOK_MS);
    if (slack.ephemerals.length > before) seen.answered(card);
  }
  for (let looks = 0; looks < 30 && seen.openCards().length > 0; looks++) await sleep(LOOK_MS);
  return left.length;
}

/** Every decision, page by page. */
async function all({ place }: World): Promise<Settled[]> {
  const caller = callerOn(place.socket);
  const found: Settled[] = [];
  for (let before = ""; ; ) {
    const page = JSON.parse(
      await caller.call("GET", `/decisions?all=true&limit=1000${before}`),
    ) as DecisionView[];
    for (const { title, state, answer, ended } of page)
      found.push({
        change: Number(/\d+/.exec(title)?.[0]),
        state,
        settled_at_ms: answer?.resolved_at_ms ?? ended?.at_ms ?? 0,
      });
    const last = page.at(-1);
    if (!last) break;
    before = `&before=${last.id}`;
  }
  caller.close();
  return found;
}
