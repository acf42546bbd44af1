/**
 * A reporter of vitest for what passed only at its second go: at the end it prints each such test with what went wrong
 * the first time. Without it a retry would hide a fault of the test or of oj.
 */

const LINES = 12;

export default class SecondGo {
  /** @param {readonly import("vitest/node").TestModule[]} modules */
  onTestRunEnd(modules) {
    for (const module of modules)
      for (const test of module.children.allTests("passed")) {
        if (!test.diagnostic()?.retryCount) continue;
        process.stdout.write(`\n↻ passed at its second go: ${module.relativeModuleId} > ${test.fullName}\n`);
        for (const error of test.result().errors ?? [])
          process.stdout.write(`${(error.stack ?? error.message).split("\n").slice(0, LINES).join("\n")}\n`);
      }
  }
}
