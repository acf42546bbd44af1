/** Requests whose second half never comes are not kept forever; a caller that sent a whole one may wait as long as it takes. */
import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { it } from "vitest";
import { call, question, socketOf } from "../specs/support/http.ts";
import { tempProject } from "../specs/support/project.ts";

const half = (to: string) =>
  `POST ${to} HTTP/1.1\r\nhost: oj\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`;

it("a half-sent request is dropped on both ports, and a long wait for an answer is not", async () => {
  const project = await tempProject();
  await project.run("daemon", "start");
  const { id } = (await call(project, "POST", "/decisions", { body: question(project, "Well?") })).json<{
    id: string;
  }>();
  const waits = call(project, "POST", `/decisions/${id}/await`, { body: {} });
  const port = Number(fs.readFileSync(path.join(project.stateDir, "port"), "utf8"));
  const doors = [
    { socket: net.connect(socketOf(project)), to: "/decisions" },
    { socket: net.connect(port, "127.0.0.1"), to: "/hooks/agent" },
  ];
  await Promise.all(
    doors.map(async ({ socket, to }) => {
      socket.resume().on("error", () => {});
      socket.write(half(to));
      await once(socket, "close");
    }),
  );
  await call(project, "POST", `/decisions/${id}/resolve`, { body: { choices: [[1]] } });
  assert.equal((await waits).status, 200);
});
