/** A daemon that sends in place of another machine's, until that one is back. */
import assert from "node:assert/strict";
import { it } from "vitest";
import { fakeService } from "../../../test/fakes/fake-channel.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { bySlack, people, reachOf, reachWorld } from "../../../test/fakes/reach.ts";
import { slackPosts } from "../../../test/fakes/slack-posts.ts";
import { noticeTold } from "../../core/reach/notices.ts";
import { ChannelError } from "./channel.ts";
import { make } from "./channels/slack.ts";

it("posts nothing that the other one has sent while it waited for Slack's pace", async () => {
  const { posts, service } = slackPosts();
  const ports = fakePorts();
  ports.channels.slack = async () => service;
  const channel = { slack: { bot_token_file: "bot", app_token_file: "app" } };
  const config = reachOf({ ...people, channel, route: [{ notify: ["ana"], via: ["slack"] }] });
  const world = await reachWorld({ config, services: { slack: { make } as never }, ports });
  await world.ask("first");
  const [sent, left] = [await world.ask("second"), await world.ask("third")];
  assert.equal(posts.length, 1, "the others wait");
  const ref = JSON.stringify({ channel: "D1", ts: "9", stage: null });
  await world.engine.run((state) => noticeTold(state, { id: sent, key: "n1", ref, shows: "pending" }));
  for (let second = 0; second < 5; second++) await world.pass(1100);
  const texts = posts.map((it) => it.text).join("\n");
  assert.deepEqual([/second's/.test(texts), /third's/.test(texts), posts.length], [false, true, 2]);
  assert.equal((await world.view(left)).notices[0]?.state, "sent");
});

it("tries no more once the machine that it stood in for is back, and goes on if that leaves again", async () => {
  const slack = fakeService("slack");
  let isOurs = true;
  const world = await reachWorld({ config: bySlack, services: { slack }, keeps: () => isOurs });
  slack.trouble = () => new ChannelError("Slack is away");
  const id = await world.ask("bot");
  await world.pass(2000);
  const before = slack.calls();
  assert.ok(before >= 2, String(before));
  isOurs = false;
  slack.trouble = null;
  for (let minute = 0; minute < 3; minute++) await world.pass(60_000);
  assert.deepEqual([slack.calls(), slack.messages()], [before, []]);
  assert.equal((await world.view(id)).notices[0]?.state, "owed", "it is the other one's to send");
  isOurs = true;
  await world.chores.takeUp();
  await world.settle();
  await world.pass(60_000);
  assert.equal(slack.messages().length, 1);
});
