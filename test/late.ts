/**
 * A test may start something, do something else, and await the first only then. If it fails meanwhile, Node calls that
 * unhandled, and the whole run would fail once more, for nothing: whoever awaits it gets the error. So what failed is
 * reported at the end of the file, and only if nobody ever awaited it. A test that failed did not get to await what it
 * had started: what that leaves behind is printed, and the test is the failure.
 */
import { afterAll, afterEach } from "vitest";

const unawaited = new Map<Promise<unknown>, unknown>();
const theirs = process.listeners("unhandledRejection");
const note = (reason: unknown, promise: Promise<unknown>) => void unawaited.set(promise, reason);
const forget = (promise: Promise<unknown>) => void unawaited.delete(promise);
let hasFailed = false;

process.removeAllListeners("unhandledRejection");
process.on("unhandledRejection", note).on("rejectionHandled", forget);

afterEach(({ task: { result } }) => {
  hasFailed ||= result?.state === "fail" || (result?.retryCount ?? 0) > 0;
});

afterAll(() => {
  process.off("unhandledRejection", note).off("rejectionHandled", forget);
  for (const it of theirs) process.on("unhandledRejection", it);
  for (const [promise, reason] of unawaited)
    if (hasFailed) process.stderr.write(`left behind by a test that failed: ${reason}\n`);
    else for (const it of theirs) it(reason, promise);
  unawaited.clear();
});
