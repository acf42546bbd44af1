import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { PushMessage } from "../../api/api.ts";
import type { Fetched, Note, Scope, Tab } from "./scope.ts";
import { work } from "./work.ts";

const ORIGIN = "http://127.0.0.1:4711";

const MESSAGE: PushMessage = {
  decision: "dec-7k3m9x2p4q",
  tag: "dec-7k3m9x2p4q",
  title: "Ship it?",
  body: "npm publish",
  is_urgent: true,
  is_silent: false,
  is_reminder: false,
  actions: [
    { title: "Yes", path: "/a/token-1" },
    { title: "No", path: "/a/token-2" },
  ],
};

/** A worker without a browser: what it showed, opened and sent. */
function stage(given: { tabs?: { url: string; visible?: boolean }[]; reply?: () => Promise<Response> } = {}) {
  const shown: { title: string; note: Note }[] = [];
  const opened: string[] = [];
  const sent: { to: string; init: RequestInit | undefined }[] = [];
  const told: { url: string; message: unknown }[] = [];
  const handlers = new Map<string, (event: never) => void>();
  const tabs = (given.tabs ?? []).map(
    ({ url, visible = false }): Tab => ({
      url,
      visibilityState: visible ? "visible" : "hidden",
      focus: async () => {},
      postMessage: (message) => void told.push({ url, message }),
    }),
  );
  const scope = {
    location: { origin: ORIGIN },
    registration: { showNotification: async (title: string, note: Note) => void shown.push({ title, note }) },
    clients: {
      claim: async () => {},
      matchAll: async () => tabs,
      openWindow: async (url: string) => void opened.push(url),
    },
    skipWaiting: async () => {},
    fetch: async (to: Request | string, init?: RequestInit) => {
      sent.push({ to: String(to), init });
      return (given.reply ?? (async () => Response.json({ message: "taken" })))();
    },
    addEventListener: (type: string, handle: (event: never) => void) => void handlers.set(type, handle),
  } as unknown as Scope;
  work(scope);
  const happen = async (type: string, event: object) => {
    const work: Promise<unknown>[] = [];
    handlers.get(type)?.({ ...event, waitUntil: (it: Promise<unknown>) => work.push(it) } as never);
    await Promise.all(work);
  };
  const push = (message: unknown) =>
    happen("push", {
      data: { text: () => (typeof message === "string" ? message : JSON.stringify(message)) },
    });
  const press = (action: string, data: unknown = shown.at(-1)?.note.data) => {
    const { title = "", note } = shown.at(-1) ?? {};
    return happen("notificationclick", { action, notification: { data, title, tag: note?.tag, close() {} } });
  };
  return { shown, opened, sent, told, push, press, handlers };
}

describe("a push message", () => {
  it("is shown as it says, with its buttons", async () => {
    const { push, shown } = stage();
    await push(MESSAGE);
    assert.equal(shown[0]?.title, "Ship it?");
    const { body, tag, silent, requireInteraction, renotify, actions } = shown[0]?.note ?? {};
    assert.deepEqual([body, tag, silent, requireInteraction], ["npm publish", MESSAGE.tag, false, true]);
    assert.equal(renotify, false);
    assert.deepEqual(actions, [
      { action: "0", title: "Yes" },
      { action: "1", title: "No" },
    ]);
    await push({ ...MESSAGE, is_reminder: true });
    assert.equal(shown[1]?.note.renotify, true, "a reminder sounds again");
  });

  it("that can't be read shows something all the same", async () => {
    const { push, shown } = stage();
    for (const text of ["", "nonsense", "null", "[]", "{}", `{"title":1,"tag":"x","body":""}`])
      await push(text);
    assert.equal(shown.length, 6);
    assert.ok(shown.every((it) => it.title === "A decision waits for you"));
  });

  it("leads nowhere but to this daemon", async () => {
    const { push, shown } = stage();
    const paths = [
      "https://evil.example/a",
      "//evil.example/a",
      "/api/decisions",
      "/a/../api/x",
      "/a/x?y",
      3,
    ];
    await push({ ...MESSAGE, actions: [null, ...paths.map((path) => ({ title: "Yes", path }))] });
    assert.deepEqual(shown[0]?.note.actions, []);
  });
});

describe("a click", () => {
  it("opens the decision in a tab that is there, the one in view first", async () => {
    const { push, press, told, opened } = stage({
      tabs: [
        { url: `${ORIGIN}/#/history` },
        { url: `${ORIGIN}/a/some-link`, visible: true },
        { url: `${ORIGIN}/#/`, visible: true },
      ],
    });
    await push(MESSAGE);
    await press("");
    assert.deepEqual(told, [{ url: `${ORIGIN}/#/`, message: { type: "open", decision: MESSAGE.decision } }]);
    assert.deepEqual(opened, []);
  });

  it("opens a window if there is none", async () => {
    const { push, press, opened } = stage({ tabs: [{ url: `${ORIGIN}/a/some-link` }] });
    await push(MESSAGE);
    await press("");
    await push({ ...MESSAGE, decision: null });
    await press("");
    await press("", null);
    assert.deepEqual(opened, [`/#/decision/${MESSAGE.decision}`, "/", "/"]);
  });
});

describe("a button", () => {
  it("sends its token and nothing else, and says that the answer was taken", async () => {
    const { push, press, sent, shown, opened } = stage();
    await push(MESSAGE);
    await press("1");
    assert.deepEqual(sent, [
      { to: "/a/token-2", init: { method: "POST", headers: { accept: "application/json" } } },
    ]);
    const { title, note } = shown[1] ?? {};
    assert.deepEqual(
      [title, note?.body, note?.tag, note?.silent],
      ["Ship it?", "You answered: No", MESSAGE.tag, true],
    );
    assert.deepEqual([note?.actions, opened], [undefined, []]);
  });

  it("that says I'm on it is told that it was heard", async () => {
    const message = "You are on it.";
    const { push, press, shown } = stage({ reply: async () => Response.json({ answered: false, message }) });
    await push(MESSAGE);
    await press("0");
    assert.deepEqual([shown[1]?.note.body, shown[1]?.note.silent], [message, true]);
  });

  it("that comes too late says who was first", async () => {
    const words = "Your answer was not taken: ben answered at 14:02.";
    const { push, press, shown } = stage({
      reply: async () => Response.json({ message: words }, { status: 409 }),
    });
    await push(MESSAGE);
    await press("0");
    assert.deepEqual([shown[1]?.note.body, shown[1]?.note.silent], [words, false]);
  });

  it("says so if the daemon can't be reached, or answers nonsense", async () => {
    for (const reply of [
      async () => Promise.reject(new TypeError("failed")),
      async () => new Response("<html>"),
    ]) {
      const { push, press, shown } = stage({ reply });
      await push(MESSAGE);
      await press("0");
      assert.match(String(shown[1]?.note.body), /^Your answer was not sent/);
    }
  });
});

describe("the page", () => {
  const asked = (url: string, more: object = {}) =>
    ({ request: { url: `${ORIGIN}${url}`, mode: "navigate", method: "GET", ...more } }) as unknown as Fetched;

  async function responseTo(event: Fetched): Promise<Response | null> {
    const { handlers } = stage({ reply: async () => Promise.reject(new TypeError("failed")) });
    let response: Promise<Response> | null = null;
    handlers.get("fetch")?.({ ...event, respondWith: (it: Promise<Response>) => (response = it) } as never);
    return response;
  }

  it("says plainly that the daemon can't be reached, under a policy that allows its style alone", async () => {
    const response = await responseTo(asked("/"));
    assert.match((await response?.text()) ?? "", /Oddjobs can’t be reached/);
    const policy = response?.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/]+=*';/);
    assert.equal(response?.headers.get("cache-control"), "no-store");
  });

  it("is all that goes through the worker: no call, no link, no script", async () => {
    for (const event of [
      asked("/api/decisions", { mode: "cors" }),
      asked("/api/decisions"),
      asked("/a/token"),
      asked("/assets/index.js", { mode: "no-cors" }),
      asked("/", { method: "POST" }),
    ])
      assert.equal(await responseTo(event), null, event.request.url);
  });
});
