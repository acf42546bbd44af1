/** How programs say that something failed. `failing-lines.ts` looks for these. */

/** Lines with a reason: what went wrong, or where. */
const REASONS: readonly RegExp[] = [
  // AssertionError: …, AssertionError [ERR_ASSERTION]: …, java.lang.RuntimeException: …, Uncaught TypeError …
  /^\W*(?:Uncaught |Caused by: )?(?:[\w$]+[.:/]+)*[A-Z][\w$]*(?:Error|Exception|Failure)(?: \[\w+\])?(?::|$| in )/,
  // error: …, error[E0308]: …, a.c:3:5: fatal error: …, a.ts(3,7): error TS2322: …, │ Error: …
  /(?:^|[\s│|:])(?:fatal |syntax |internal |build |compile |linker )?error(?:\[\w+\]| [A-Z]+\d+)?:\s/i,
  /\berror TS\d+\b/,
  // 3:7  error  … (eslint)
  /^\s*\d+:\d+\s+error\s/,
  /^\[(?:ERROR|FATAL)\]\s+\S/,
  /\bpanicked at\b|^panic: |^Traceback \(most recent call last\)|^Bail out!|^fatal: |^Segmentation fault/,
  // cart_test.go:8: got 119, cart.py:3:1: F401 …
  /^\s*[\w./-]+\.\w+:\d+(?::\d+)?:\s(?!.*\b(?:warning|note)\b)/i,
  /^\s*--- FAIL: /,
  /^not ok\b(?!.*# ?(?:todo|skip))/i,
  /^\s*(?:FAIL|FAILED|ERROR)\s+\S*[\w)\]]\.\w+/, // FAIL  src/cart.test.ts, FAILED tests/test_cart.py::test_sum
  /^\s*●\s.*›/,
  /^E\s{2,}\S/,
  /Failure\/Error:|^Failed asserting\b|^\s*Expected: |expect\(received\)/,
  /: (?:command not found|No such file or directory|Permission denied|unbound variable|Is a directory|not found)$/i,
  /: (?:cannot|can't|could not|unable to|failed to) \w+/i,
  /\bundefined reference to\b|\bunresolved import\b/,
];

/** Lines that say that something failed, but not why: lists and sums. */
const FAILURES: readonly RegExp[] = [
  /^\s*(?:✗|✘|✖|×|❌|⨯|✕)\s*\S/,
  /\b(?:FAIL|FAILED|FAILURES?!?)(?:$|[\s:!])/,
  /\b[1-9]\d* (?:[\w-]+ ){0,3}?(?:failing|failed|fail|fails|failures?|errors?|problems?|broken)\b/i,
  /\b(?:failures?|errors?|failed): [1-9]/i,
  /\*\*\* .*\bError \d+/,
  /\b(?:fail(?:s|ed|ure)?|errors?|broken|timed out|killed|aborted|style issues|would be reformatted|mismatch)\b/i,
];

/** Lines that report a success, whatever words they use. */
const PASSED =
  /^\s*(?:✓|✔|√|ok \d|PASS(?:ED)?\b|test .* \.\.\. ok$|--- PASS)|\b(?:no|0) (?:failing|failed|failures?|errors?|problems?)\b(?!.*[1-9]\d* (?:failing|failed|failures?|errors?))/i;

export function isReason(line: string): boolean {
  return !PASSED.test(line) && REASONS.some((it) => it.test(line));
}

export function isFailure(line: string): boolean {
  return !PASSED.test(line) && FAILURES.some((it) => it.test(line));
}
