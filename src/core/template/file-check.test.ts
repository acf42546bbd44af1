import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { failureIn, isFileOption } from "./file-check.ts";

const FAILURES = `
The build failed. What now?
3 tests fail on main: fix or skip?
Tests are failing in CI
Deploy failure on staging, roll back?
npm install exits with an error
Got errors from the linter; continue?
The worker crashed twice
App crashes on start
Found a bug in the parser
There are bugs in the date handling
The cache is buggy, replace it?
Login is broken
The migration broke the index
Unhandled exception in the importer
Python traceback in the log
There is a stack trace in the output
Segfault in libfoo: what shall I do?
The request timed out three times
This is a regression from 1.4
Test "adds two" is flaky
The archive is corrupted
Checkout doesn't work on Safari
Search is not working
The tests no longer pass
The branch does not compile
FAILED: 2 of 40 checks
Should I skip the broken test?
Should I ignore this error?
Is this failure expected?
No, the build failed again
The upload fails when the file is empty
No progress: the tests fail
It failed with 'permission denied'
Why did "npm test" fail?
Build failed—retry?
Fix the failing test or delete it?
Keep going despite the errors?
Die Tests: error in line 3
The login failed (again)
I can't go on: a crash in the driver
stuck on an exception
I'm stuck on an exception in the importer
Blocked on an error in the schema
panic: nil pointer
panic: runtime error, index out of range
The server panics on start
Fatal: not a git repository
A fatal problem in the linker
Unable to connect to the database
Unable to
Unable to start the emulator: skip?
I was not able to log in
The endpoint returns 500
GET /users returns a 500 on every call
The API answers with 503
HTTP 502 from the proxy: retry?
Got a 500 from staging
Internal server error on checkout
Can't connect to Postgres
Could not resolve host registry
Couldn't install the package
Cannot find module 'left-pad'
npm: command not found
Permission denied while writing to /var/lib
The process ran out of memory
OOM in the worker
The import hangs
The test suite hung for an hour
Deadlock in the queue
The request times out
The build exits with code 1
It exited with status 2: go on?
exit code 137 from the test run
Segmentation fault in libfoo
Connection refused by redis
ECONNREFUSED from the broker
TypeError: x is not a function
java.lang.NullPointerException: at Foo
The service is down since noon
The pipeline is red. Merge anyway?
No space left on the runner
The server no longer starts
`;

const HARMLESS = `
Use envsubst or sed for the config?
Update profile page first?
no bugs found: ship it?
fail fast?
Should we fail fast or collect all problems?
Which database should we use?
All tests pass without errors. Merge?
0 failures, 212 passed: release?
Zero errors so far; go on?
There were no failing tests. Continue?
The suite has not failed once this week
It never crashes now; close the branch?
No known open bugs; tag 2.0?
Rename src/errors.ts to src/problems.ts?
Which error handling strategy do we want?
Where should error messages go?
Which error codes should the API have?
Keep --fail-on-warnings in CI?
Merge the bug fix?
I fixed the bug in the parser. Merge?
The failing test is fixed; push?
Both errors were resolved. Next?
What should happen if the upload fails?
Retry on failure?
Should the build fail on warnings?
How many retries in case of an error?
Add a failover region?
Make an exception for legacy clients?
Is an exception to the rule fine here?
Add regression tests?
Linear regression or a forest?
Debug output on or off?
Bugfix branch or main?
Use the error-prone plugin?
Close BUG-123 first?
Do bug 123 or the new feature first?
Open https://ci.example/errors?fail=1 to everyone?
Rename ParseError to SyntaxProblem?
Which timeout should the client have?
Is the crash reporter allowed to phone home?
Defaults or custom settings?
Sort failures.csv by date?
Pass/fail or grades?
The errand list: keep it?
What to do next?
Terror movies category: keep?
Should we handle failures in X?
How should we handle errors in the API?
Should we catch exceptions in the worker?
Should we log errors as JSON?
Return errors or null?
Do we want to surface failures to the user?
Should it return an error or null?
Should it panic or return an error?
Retry on a 500?
Should the proxy retry on errors?
Which status should it return: 200 or 204?
Return 500 or 503 when the queue is full?
The query returns 500 rows; page it?
Limit to 500 items?
Is 500 ms enough?
A panic button or a menu entry?
Use fatal or warn as the level?
Is the fatal log level needed?
I'm unable to decide between A and B: which?
I can't decide: tabs or spaces?
We can't use both: which one?
Scroll down or up?
Is the price down to 3 euros in all shops?
Timeout of 30 s or 60 s?
Exit code 0 or 1 when nothing was found?
Use exit code 2 for usage errors?
Should access be denied by default?
Is the red or the blue theme better?
Add deadlock detection?
Write to the error log?
What should happen if the API returns 500?
What if the import hangs?
Which error kinds do we have?
Should we prevent crashes by a watchdog?
Nothing hangs any more. Merge?
It never times out now; ship it?
`;

const FILES = `
File a bug
File it
File bug and go on
file
Fix it and file an issue
Create an issue
Open a new GitHub issue
Log a ticket for later
New ticket
Raise a bug
Report it upstream
Report bug
Track it
Track in Jira
Add to the backlog
Bug filed, go on
Skip and file
Ticket
Continue, filing a bug
FILE THIS
`;

const FILES_NOT = `
Update profile
Delete the file
Restore the config file
File upload first
Fix the bug
Ignore the issue
Retry
Skip the test
Generate a report
Don't file a bug
Continue without filing
Debug it
Open the file
Defile the shrine
Misfiled papers
File system check
Write to the file and retry
Look at the issue
Stop
`;

describe("the tables of sentences", () => {
  it("have more than 60 each way", () => {
    for (const table of [FAILURES, HARMLESS]) assert.ok(lines(table).length >= 60);
  });
});

describe("a request about a failure", () => {
  for (const prompt of lines(FAILURES)) it(`is "${prompt}"`, () => assert.notEqual(failureIn(prompt), null));
  for (const prompt of lines(HARMLESS)) it(`is not "${prompt}"`, () => assert.equal(failureIn(prompt), null));

  it("is told from the others across a corpus worth the name", () => {
    assert.ok(lines(FAILURES).length >= 30 && lines(HARMLESS).length >= 30);
  });

  it("is recognized by the word that gives it away", () => {
    assert.equal(failureIn("Hm. The request Timed Out"), "timed out");
    assert.equal(failureIn("Der Login doesn’t work"), "doesn't work");
  });

  it("can be defined by the project", () => {
    const words = { failure: ["boom", "rote Ampel", "Störung"] };
    assert.equal(failureIn("The build failed", words), null);
    assert.equal(failureIn("It went BOOM", words), "boom");
    assert.equal(failureIn("Boomerang or stick?", words), null);
    assert.equal(failureIn("Wieder rote Ampel", words), "rote ampel");
    assert.equal(failureIn("Eine STÖRUNG", words), "störung");
    assert.equal(failureIn("no boom today", words), null);
    assert.equal(failureIn("The build failed", { file: ["ticket"] }), "failed");
    assert.equal(failureIn("The build failed", { failure: [] }), null);
  });

  it("is recognized quickly, whatever is written", () => {
    const started = performance.now();
    for (const piece of ["no ", "fixed ", "if a b ", "fail ", "a-", "should fail "])
      failureIn(piece.repeat(10_000 / piece.length));
    assert.ok(performance.now() - started < 20_000); // what backtracks takes hours
  });
});

describe("an option to file it", () => {
  for (const text of lines(FILES)) {
    it(`is "${text}"`, () => assert.equal(isFileOption({ label: text, description: null }), true));
    it(`is recognized by its description "${text}"`, () =>
      assert.equal(isFileOption({ label: "Later", description: text }), true));
  }
  for (const text of lines(FILES_NOT))
    it(`is not "${text}"`, () => assert.equal(isFileOption({ label: text, description: text }), false));

  it("can be defined by the project", () => {
    const words = { file: ["Zettel"] };
    assert.equal(isFileOption({ label: "Zettel schreiben", description: null }, words), true);
    assert.equal(isFileOption({ label: "File a bug", description: null }, words), false);
    assert.equal(isFileOption({ label: "File a bug", description: null }, { failure: ["boom"] }), true);
  });
});

function lines(text: string): string[] {
  return text.trim().split("\n");
}
