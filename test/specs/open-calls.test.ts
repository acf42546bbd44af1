/** A call that is open when its token is taken back ends then, whatever it waits for, and says why. Others go on. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { few } from "../everything.ts";
import type { Forwarder } from "./support/forwarder.ts";
import { forwarder } from "./support/forwarder.ts";
import { call, killDaemon } from "./support/http.ts";
import { atUrl, connected, tokenFor, urlOf } from "./support/mcp.ts";
import type { Project } from "./support/project.ts";
import { startOj, tempProject } from "./support/project.ts";

interface Made {
  id: string;
  token: string;
}

/** Says it at the socket, as `oj token` and `oj role` do. */
async function post<T>(project: Project, to: string, body: object): Promise<T> {
  const reply = await call(project, "POST", to, { body });
  assert.equal(reply.status, 200, reply.text);
  return reply.json<T>();
}

/** How trust ends, and what is said then. */
const LOSSES = {
  "the token is revoked": {
    lose: (project: Project, { id }: Made) => post(project, "/tokens/revoke", { token: id }),
    code: "login.required",
  },
  "it is rotated without an overlap": {
    lose: (project: Project, { id }: Made) => rotate(project, id, 0),
    code: "login.required",
  },
  "it expires": {
    lose: (project: Project, { id }: Made) => rotate(project, id, 500),
    code: "login.required",
  },
  "the role is revoked": {
    lose: (project: Project, _: Made, name: string) =>
      post(project, "/roles/revoke", { name, role: "viewer", project: null }),
    code: "request.forbidden",
  },
} as const;

const rotate = (project: Project, token: string, overlap_ms: number) =>
  post(project, "/tokens/rotate", { token, overlap_ms, lasts_ms: null });

type Loss = keyof typeof LOSSES;

interface Open {
  /** It waits at the daemon. */
  isOpen(): boolean;
  /** The code of the refusal that it ended with. */
  ended: Promise<string>;
  /** Whoever doesn't call again by itself once its call broke, does so now. */
  again(): void;
}

/** How long a call that was made again may take to be there. */
const AGAIN_MS = 3000;

const codeIn = (text: string) => /"code":"([a-z.-]+)"/.exec(text)?.[1] ?? text;

describe("calls that wait", () => {
  for (const isRestarted of few([true, false], 1))
    it(`end with their token${isRestarted ? ", also after the daemon was killed" : ""}; those of others go on`, async () => {
      const project = await tempProject();
      const ask = ["decision", "request", "--prompt", "Deploy?", "--option", "Yes", "--option", "No"];
      const { id } = await project.json<{ id: string }>(...ask);
      const serve = project.start("serve", "--listen", "127.0.0.1:0", "-o", "json");
      const said = await project.until(() => serve.stdout().includes("}") && serve.stdout(), "the door");
      const door = await forwarder((JSON.parse(said) as { url: string }).url);
      const person = async (name: string) => {
        await post(project, "/people", { name });
        await post(project, "/roles/grant", { name, role: "viewer", project: null });
        return post<Made>(project, "/tokens", { person: name, scopes: ["read"], lasts_ms: 3_600_000 });
      };
      const all: { what: string; loss: Loss; name: string; made: Made; open: Open }[] = [];
      for (const [at, loss] of (Object.keys(LOSSES) as Loss[]).entries()) {
        for (const way of ["await", "watch", "stream"] as const) {
          const name = `${way}${at}`;
          const made = await person(name);
          const open = OPENS[way](project, door, made.token, id);
          all.push({ what: `${way}: ${loss}`, loss, name, made, open });
        }
        if (loss === "the role is revoked") continue; // a program has the role that its token was made with
        const name = `program${at}`;
        const { token } = await tokenFor(project, name);
        const made = { id: token.split("_")[1] ?? "", token };
        const open = await mcpCall(project, token);
        all.push({ what: `mcp: ${loss}`, loss, name, made, open });
      }
      const [eve, eva] = [await person("eve"), await person("eva")];
      const waits = OPENS.await(project, door, eve.token, id);
      const streams = OPENS.stream(project, door, eva.token);
      const opened = [
        ...all.map(({ what, open }) => ({ what, ...open })),
        ...[waits, streams].map((open) => ({ what: "somebody else's", ...open })),
      ];
      const allOpen = (when: string) => {
        const closed = () => opened.filter((it) => !it.isOpen());
        let toldAt = Number.NEGATIVE_INFINITY;
        const told = () => {
          if (performance.now() - toldAt > AGAIN_MS) for (const it of closed()) it.again();
          else return closed().length === 0;
          toldAt = performance.now();
          return false;
        };
        return project.until(told, `all calls to be open${when}`).catch((error: Error) => {
          error.message += `: ${closed().map((it) => it.what)}`;
          throw error;
        });
      };
      await allOpen("");
      if (isRestarted) {
        await killDaemon(project);
        await project.json("status"); // at home, this starts it
        await allOpen(" again");
      }
      await project.json("status"); // the daemon takes calls in order: by now it has them

      for (const { what, loss, name, made, open } of all) {
        await LOSSES[loss].lose(project, made, name);
        assert.equal(await open.ended, LOSSES[loss].code, what);
      }
      assert.ok(waits.isOpen() && streams.isOpen(), "somebody else's call was ended");
      await project.json("decision", "resolve", id, "1");
      assert.equal(await waits.ended, "resolved");
    });
});

const OPENS = {
  await: (project: Project, door: Forwarder, token: string, id: string): Open => {
    const running = cli(project, door, token, "decision", "await", id);
    const ended = running.ended.then(({ code, stdout }) => {
      if (code === 0) return (JSON.parse(stdout) as { state: string }).state;
      return code === 1 ? codeIn(stdout) : `exit ${code}: ${stdout}`;
    });
    return { isOpen: isOpen(door, token, "/await"), ended, again: () => {} };
  },
  watch: (project: Project, door: Forwarder, token: string): Open => {
    const running = cli(project, door, token, "decision", "watch", "--headless");
    const ended = running.ended.then(({ code, stdout }) => {
      return code === 1 ? codeIn(stdout) : `exit ${code}: ${stdout}`;
    });
    return { isOpen: isOpen(door, token, "/events"), ended, again: () => {} };
  },
  /** Any program that reads the stream; it calls again only when it is told to. */
  stream: (_: Project, door: Forwarder, token: string): Open => {
    const read = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const reply = await fetch(`${door.url}/api/events`, { headers });
      return reply.text();
    };
    let again = () => {};
    const toldTo = () => new Promise<void>((resolve) => (again = resolve));
    const ended = (async () => {
      for (;;) {
        const told = toldTo();
        const text = await read().catch(() => null); // the daemon was killed
        if (text?.includes("event: refused\n")) return codeIn(text);
        await told;
      }
    })();
    return { isOpen: isOpen(door, token, "/events"), ended, again: () => again() };
  },
};

function cli(project: Project, door: Forwarder, token: string, ...args: string[]) {
  const env = { ...project.env, OJ_TOKEN: token };
  return startOj(["--server", door.url, ...args, "-o", "json"], project.dir, env);
}

const isOpen = (door: Forwarder, token: string, path: string) => () =>
  door.open().some((it) => it.includes(path) && it.endsWith(token.slice(-6)));

async function mcpCall(project: Project, token: string): Promise<Open> {
  const url = new URL(await urlOf(project));
  const door = await forwarder(url.origin);
  const headers = { authorization: `Bearer ${token}` };
  const { client } = await connected(atUrl(`${door.url}${url.pathname}`, headers));
  const say = async (name: string, input: object, signal?: AbortSignal) => {
    const how = { timeout: 600_000, ...(signal ? { signal } : {}) };
    const result = await client.callTool({ name, arguments: { ...input } }, how);
    return (result.content as { text: string }[])[0]?.text ?? "";
  };
  const options = [{ label: "Yes" }, { label: "No" }];
  const asked = await say("request_decision", { prompt: "Delete it?", options });
  const decision = /dec-\w+/.exec(asked)?.[0];
  let again = () => {};
  const ended = (async () => {
    for (;;) {
      // a client does not notice that a stream broke, only that its time is up
      const timeIsUp = new AbortController();
      const told = new Promise<void>((resolve) => {
        again = () => {
          timeIsUp.abort();
          resolve();
        };
      });
      const wait = say("await_decision", { id: decision, wait_seconds: 600 }, timeIsUp.signal);
      const text = await wait.catch(() => null); // the daemon was killed
      if (text !== null && /revoked|expired/.test(text)) return "login.required";
      await told;
    }
  })();
  return { isOpen: () => door.open().length > 0, ended, again: () => again() };
}
