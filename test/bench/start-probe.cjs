/**
 * Starts one of our programs and notes when each part of its start was over, in ms since OJ_PROBE_FROM (an epoch), and
 * how much processor time it had taken by then: `node start-probe.cjs PROGRAM [args]`. The notes go to OJ_PROBE_OUT at the exit, or when the daemon has said that it is
 * ready. The program runs as ever: no flag for Node, which would give it another code cache.
 */
const from = Number(process.env.OJ_PROBE_FROM);
const { timeOrigin } = performance;
const now = () => {
  const { user, system } = process.cpuUsage();
  return { at: timeOrigin + performance.now() - from, cpu: (user + system) / 1000 };
};

/** @type {Record<string, { at: number, cpu: number }>} the first and the last time that each was seen */
const notes = { node: now() };
/** @param {string} name */
const first = (name) => {
  notes[name] ??= now();
};
/** @param {string} name */
const last = (name) => {
  notes[name] = now();
};

const fs = require("node:fs");
const net = require("node:net");
const vm = require("node:vm");
const workers = require("node:worker_threads");

const { Script } = vm;
vm.Script = class extends Script {
  /** @param {ConstructorParameters<typeof Script>} given */
  constructor(...given) {
    super(...given);
    first("compiled");
  }
};
const { Worker } = workers;
workers.Worker = class extends Worker {
  /** @param {ConstructorParameters<typeof Worker>} given */
  constructor(...given) {
    first("thread");
    super(...given);
    this.once("online", () => first("online"));
    this.once("message", () => first("opened"));
  }
};
const { connect } = net.Socket.prototype;
/** @this {import("node:net").Socket} @param {any[]} given */
net.Socket.prototype.connect = function (...given) {
  first("connect");
  this.on("data", () => last("answered"));
  return Reflect.apply(connect, this, given);
};
const { listen } = net.Server.prototype;
/** @this {import("node:net").Server} @param {any[]} given */
net.Server.prototype.listen = function (...given) {
  first("listen");
  return Reflect.apply(listen, this, given);
};
const { writeSync } = fs;
const keep = () => fs.writeFileSync(process.env.OJ_PROBE_OUT ?? "", JSON.stringify(notes));
/** @param {any[]} given */
fs.writeSync = (...given) => {
  if (given[0] === 3) last("ready");
  const written = Reflect.apply(writeSync, fs, given);
  if (given[0] === 3) keep();
  return written;
};
process.once("exit", () => {
  last("exit");
  keep();
});

process.argv.splice(1, 1);
last("probe");
require(process.argv[1] ?? "");
last("ran");
