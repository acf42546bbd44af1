#!/usr/bin/env node
/**
 * Stands between a real client and us, and writes down what each says, a line each: `tap.mjs hook FILE CURL ARGS…` for
 * a hook's command, `acp FILE PROGRAM ARGS…` for a program that speaks ACP, `serve FILE OPENCODE serve ARGS…` for
 * opencode's server. Recordings in `test/fixtures/recorded` are made with it (`OJ_SAVE_RECORDED=1`).
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import readline from "node:readline";

const [, , how, file = "", program = "", ...args] = process.argv;
/** @param {object} line */
const note = (line) => fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
/** @param {string} text */
const read = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
/** @param {NodeJS.ReadableStream} stream @returns {Promise<string>} */
const whole = async (stream) => {
  const parts = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
};

if (how === "hook") {
  const given = await whole(process.stdin);
  // the token comes in by the third descriptor
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit", 3] });
  child.stdin?.end(given);
  const output = await whole(/** @type {NodeJS.ReadableStream} */ (child.stdout));
  note({ hook: read(given), reply: read(output) });
  process.stdout.write(output);
} else if (how === "acp") {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = (
    /** @type {NodeJS.ReadableStream} */ from,
    /** @type {string} */ by,
    /** @type {any} */ to,
  ) =>
    readline.createInterface({ input: from }).on("line", (line) => {
      note({ by, message: read(line) });
      to.write(`${line}\n`);
    });
  lines(process.stdin, "oj", child.stdin);
  lines(/** @type {NodeJS.ReadableStream} */ (child.stdout), "program", process.stdout);
  process.stdin.on("end", () => child.kill());
  child.once("exit", (code) => process.exit(code ?? 1));
} else {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  child.once("exit", (code) => process.exit(code ?? 1));
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part) => {
    text += part;
    const [, url] = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(text) ?? [];
    if (url) proxy(url);
  });
}

/** @param {string} url */
function proxy(url) {
  const server = http.createServer(async (request, response) => {
    const { method, url: path = "", headers } = request;
    const body = await whole(request);
    const onward = http.request(`${url}${path}`, { method, headers, agent: false }, async (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      if (path === "/event") {
        const events = readline.createInterface({ input: answer });
        events.on("line", (line) => line.startsWith("data: ") && note({ event: read(line.slice(6)) }));
        answer.pipe(response);
        return;
      }
      const given = await whole(answer);
      note({ call: `${method} ${path}`, body: read(body), status: answer.statusCode, answer: read(given) });
      response.end(given);
    });
    onward.end(body);
  });
  server.listen(0, "127.0.0.1", () => {
    const address = /** @type {import("node:net").AddressInfo} */ (server.address());
    process.stdout.write(`opencode server listening on http://127.0.0.1:${address.port}\n`);
  });
}
