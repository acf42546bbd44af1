import assert from "node:assert/strict";
import { it } from "vitest";
import { slackManifest } from "./manifest.ts";

it("asks for no more than it takes to post and to be clicked, by the socket or at an address", () => {
  const bySocket = JSON.stringify(slackManifest(null));
  assert.match(bySocket, /"socket_mode_enabled":true/);
  assert.doesNotMatch(bySocket, /history|read"|admin|users:|url/);
  const address = "https://oj.example.com/slack/events";
  const byHttps = JSON.stringify(slackManifest(address));
  assert.match(byHttps, /"socket_mode_enabled":false/);
  assert.equal(byHttps.split(address).length, 3);
});
