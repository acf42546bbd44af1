/** Loaded into the daemon by `npm run soak`: writes once a second what only the process itself can know. */
const fs = require("node:fs");
const { monitorEventLoopDelay, PerformanceObserver } = require("node:perf_hooks");
const { isMainThread } = require("node:worker_threads");

const file = process.env.OJ_SOAK_PROBE;
if (isMainThread && file) {
  delete process.env.NODE_OPTIONS; // for this process alone
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  let gc_ms = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gc_ms = Math.max(gc_ms, duration);
  }).observe({ entryTypes: ["gc"] });
  setInterval(() => {
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    const line = { at: Date.now(), rss, heapUsed, external, arrayBuffers, loop_ms: loop.max / 1e6, gc_ms };
    loop.reset();
    gc_ms = 0;
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
  }, 1000).unref();
}
