/** Push messages in real browsers: received, decrypted, shown, replaced, and answered by a button. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { CDPSession } from "playwright-core";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import { pushService } from "../fakes/servers/push.ts";
import type { Project } from "../specs/support/project.ts";
import { answer, ask, decisionOf, webProject } from "./support/asking.ts";
import { DESK, inboxOf, noBrowser, workerOf } from "./support/browser.ts";
import { firefox, noFirefox } from "./support/firefox.ts";

const CONFIG = `
[undo]
web_s = 0
[person.ana]
[[route]]
notify = ["ana"]
via    = ["push"]
[channel.push]
subject = "mailto:ana@example.com"
`;

async function pushProject(): Promise<Project> {
  const project = await webProject();
  fs.writeFileSync(path.join(project.env.XDG_CONFIG_HOME ?? "", "oj/config.toml"), CONFIG);
  return project;
}

interface Seen {
  title: string;
  body: string;
  tag: string;
  silent: boolean | null;
  actions: string[];
}

/** In the page: the notifications that the browser shows for it. */
async function notifications(): Promise<Seen[]> {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map((it) => ({
    title: it.title,
    body: it.body,
    tag: it.tag,
    silent: it.silent,
    actions: (it as Notification & { actions?: { title: string }[] }).actions?.map((one) => one.title) ?? [],
  }));
}

if (noFirefox) process.stdout.write(`skipped: push messages in Firefox (${noFirefox})\n`);

describe.skipIf(noFirefox !== null)("Firefox", () => {
  also(
    "receives, decrypts and shows a push message; the answer replaces it; 410 ends the subscription",
    async () => {
      const service = await pushService();
      onTestFinished(() => service.close());
      const project = await pushProject();
      const browser = await firefox(service.socketUrl);
      const page = await browser.newPage();
      const { url } = await project.json<{ url: string }>("web");
      await page.goto(url);
      await (await page.waitForSelector(".bell"))?.click();
      await page.waitForFunction(() => localStorage.getItem("oj-push") !== null);

      const { id } = await ask(project, { prompt: "Ship?", urgency: "high" });
      const seen = async (is: (it: Seen) => boolean) => {
        const shown = await page.evaluate(notifications);
        return shown.length === 1 && shown.find(is);
      };
      const asked = await project.until(() => seen((it) => it.title === "Ship?"), "the notification");
      assert.deepEqual([asked.tag, asked.silent, asked.actions], [id, false, ["Yes", "No"]]);
      await project.until(() => service.acked() >= 1, "the browser's receipt");
      await answer(project, id, 2);
      const settled = await project.until(() => seen((it) => /^Answered by \w+: No/.test(it.body)));
      assert.deepEqual([settled.tag, settled.silent], [id, true]);

      const [subscription] = service.posts;
      service.expire(subscription?.endpoint ?? "");
      await ask(project, { prompt: "Anybody there?" });
      await project.until(async () => (await project.json<unknown[]>("web", "--devices")).length === 0);
      assert.equal(service.posts.at(-1)?.status, 410);
    },
  );
});

describe.skipIf(noBrowser)("Chromium", () => {
  it("shows a push message, answers by its button with the token alone, and says what became of it", async () => {
    const project = await pushProject();
    const service = await pushService();
    onTestFinished(() => service.close());
    const page = await inboxOf(project, { ...DESK, permissions: ["notifications"] });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    // without Google's keys it can't subscribe, so another browser does, whose messages are handed on
    const phone = await page.evaluate(() => localStorage.getItem("oj-key"));
    assert.ok(phone);
    const { public_key } = await api<{ public_key: string }>("GET", "/push/subscriptions");
    const other = service.browser(public_key);
    await api("POST", "/push/subscriptions", { endpoint: other.endpoint, keys: other.keys });

    const { id } = await ask(project, { prompt: "Ship?", urgency: "high" }); // others vanish after some seconds
    const message = await project.until(() => other.shown[0], "the message");
    const devtools = await page.context().newCDPSession(page);
    const registrationId = await registrationIn(devtools);
    const [asked] = await delivered(JSON.stringify(message), (shown) => shown.length > 0, "the question");
    assert.deepEqual([asked?.title, asked?.actions], ["Ship?", ["Yes", "No"]]);

    const worker = await workerOf(page);
    await worker.evaluate(async () => {
      const scope = self as unknown as {
        registration: ServiceWorkerRegistration;
        NotificationEvent: new (type: string, init: object) => Event;
      };
      const [notification] = await scope.registration.getNotifications();
      dispatchEvent(new scope.NotificationEvent("notificationclick", { notification, action: "1" }));
    });
    await project.until(
      async () => (await page.evaluate(notifications))[0]?.body === "You answered: No",
      "the words about the answer",
    );
    const { answer: given } = await project.until(async () => {
      const decision = await decisionOf(project, id);
      return decision.answer && decision;
    });
    assert.deepEqual([given?.labels, given?.by, given?.via], [["No"], "ana", "push"]);
    const settled = await project.until(() => other.shown.find((it) => /^Answered by ana/.test(it.body)));
    const isOutcome = ({ body }: Seen) => /^Answered by ana: No/.test(body);
    await delivered(JSON.stringify(settled), (it) => it.length === 1 && it.some(isOutcome), "the outcome");
    const isVague = ({ title }: Seen) => title === "A decision waits for you";
    await delivered("nonsense", (shown) => shown.some(isVague), "something for every message");
    page.troubles.length = 0; // an event that a script dispatches can't be waited for, and the browser says so

    async function api<T>(method: string, to: string, body?: object): Promise<T> {
      return page.evaluate(
        async ([method, to, body]) => {
          const headers = {
            "content-type": "application/json",
            "x-oj-web-key": localStorage.getItem("oj-key") ?? "",
          };
          const response = await fetch(`/api${to}`, { method, headers, ...(body === null ? {} : { body }) });
          return response.json();
        },
        [method, to, body ? JSON.stringify(body) : null] as const,
      );
    }

    /** On a busy machine Chromium loses a message now and then, or what it showed has vanished before we looked. */
    async function delivered(data: string, is: (shown: Seen[]) => boolean, what: string): Promise<Seen[]> {
      const origin = new URL(page.url()).origin;
      let sentAt = 0;
      return project.until(async () => {
        const shown = await page.evaluate(notifications);
        if (is(shown)) return shown;
        if (Date.now() - sentAt < AGAIN_MS) return null;
        sentAt = Date.now();
        await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
        return null;
      }, what);
    }
  });
});

const AGAIN_MS = 10_000;

/** Of the page's service worker, for the browser's tools. */
async function registrationIn(devtools: CDPSession): Promise<string> {
  const registered = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find((it) => !it.isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  return registered;
}
