/** The channels that are called by HTTP, against servers of our own, and a program. */
import fs from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { make as makeExec } from "../../src/daemon/reach/channels/exec.ts";
import { make as makeNtfy } from "../../src/daemon/reach/channels/ntfy.ts";
import { make as makeTelegram } from "../../src/daemon/reach/channels/telegram.ts";
import { make as makeWebhook } from "../../src/daemon/reach/channels/webhook.ts";
import { person } from "../fakes/fake-door.ts";
import { given } from "../fakes/outgoing.ts";
import { hookServer } from "../fakes/servers/hook.ts";
import { ntfyServer } from "../fakes/servers/ntfy.ts";
import { telegramServer } from "../fakes/servers/telegram.ts";
import { channelContract } from "./channel.contract.ts";

channelContract("ntfy", async () => {
  const server = await ntfyServer();
  onTestFinished(() => server.close());
  return {
    channel: await makeNtfy(given("ntfy", { url: server.url })),
    person: person("ana", { ntfy: "oj-ana" }),
    seen: async () =>
      server.published.map((it) => ({ text: `${it.title}\n${it.message}`, isOpen: isShown(it) })),
    fail: async (how) => {
      if (how === "away") return server.close();
      const headers = { "retry-after": "3" };
      server.fails = [how === "busy" ? { status: 429, headers } : { status: 403 }];
    },
  };

  function isShown({ sequence_id }: { sequence_id: string }): boolean {
    return server.shown("oj-ana").some((it) => it.sequence_id === sequence_id);
  }
});

channelContract("telegram", async () => {
  const server = await telegramServer();
  onTestFinished(() => server.close());
  const settings = { bot_token_file: "token", api_url: server.url };
  return {
    channel: await makeTelegram(given("telegram", settings, { files: { token: server.token } })),
    person: person("ana", { telegram: "42" }),
    seen: async () => server.messages.map((it) => ({ text: it.text, isOpen: it.buttons.length > 0 })),
    fail: async (how) => {
      if (how === "away") return server.close();
      if (how === "busy") server.fail("sendMessage", 429, { retryAfter: 3 });
      else server.fail("sendMessage", 403);
    },
  };
});

channelContract("webhook", async () => {
  const server = await hookServer();
  onTestFinished(() => server.close());
  const settings = { url: server.url, secret_file: "key", allow_private: true };
  const files = { key: `whsec_${Buffer.alloc(32, 7).toString("base64")}` };
  return {
    channel: await makeWebhook(given("webhook", settings, { files, name: "webhook.audit" })),
    person: null,
    seen: async () => server.got.map((it) => ({ text: it.body, isOpen: false })),
    fail: async (how) => {
      if (how === "away") return server.close();
      const headers = { "retry-after": "3" };
      server.answers = [how === "busy" ? { status: 429, headers } : { status: 410, headers: {} }];
    },
  };
});

channelContract("exec", async () => {
  const from = given("exec", {}, { name: "exec.pager" });
  const program = path.join(from.dir, "pager");
  const write = (script: string) => fs.writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  write(`cat >> "${from.dir}/got"`);
  const config = { ...from.config, settings: { command: program } };
  return {
    channel: await makeExec({ ...from, config }),
    person: null,
    seen: async () => [{ text: fs.readFileSync(path.join(from.dir, "got"), "utf8"), isOpen: false }],
  };
});
