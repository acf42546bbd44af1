/** All ports as fakes that remember what they were told. Each passes the contract suite that its real adapter passes. */
import type { Ports } from "../../src/ports.ts";
import type { FakeBeads } from "./fake-beads.ts";
import { fakeBeads } from "./fake-beads.ts";
import type { FakeClock } from "./fake-clock.ts";
import { fakeClock } from "./fake-clock.ts";
import type { FakeFiles } from "./fake-files.ts";
import { fakeFiles } from "./fake-files.ts";
import type { FakeIsRunning } from "./fake-is-running.ts";
import { fakeIsRunning } from "./fake-is-running.ts";
import type { FakeJournal } from "./fake-journal.ts";
import { fakeJournal } from "./fake-journal.ts";
import type { FakeLog } from "./fake-log.ts";
import { fakeLog } from "./fake-log.ts";
import type { FakeNotifier } from "./fake-notifier.ts";
import { fakeNotifier } from "./fake-notifier.ts";
import type { FakePrograms } from "./fake-programs.ts";
import { fakePrograms } from "./fake-programs.ts";
import { fakeRandom } from "./fake-random.ts";
import type { FakeReadScripts } from "./fake-read-scripts.ts";
import { fakeReadScripts } from "./fake-read-scripts.ts";
import type { FakeReadSource } from "./fake-read-source.ts";
import { fakeReadSource } from "./fake-read-source.ts";
import type { FakeRealPaths } from "./fake-real-paths.ts";
import { fakeRealPaths } from "./fake-real-paths.ts";
import type { FakeShelf } from "./fake-shelf.ts";
import { fakeShelf } from "./fake-shelf.ts";
import type { FakeShell } from "./fake-shell.ts";
import { fakeShell } from "./fake-shell.ts";
import type { FakeTerminals } from "./fake-terminals.ts";
import { fakeTerminals } from "./fake-terminals.ts";
import type { FakeWorkspaces } from "./fake-workspaces.ts";
import { fakeWorkspaces } from "./fake-workspaces.ts";

export interface FakePorts extends Ports {
  log: FakeLog;
  shell: FakeShell;
  workspaces: FakeWorkspaces;
  files: FakeFiles;
  terminals: FakeTerminals;
  notifier: FakeNotifier;
  programs: FakePrograms;
  readScripts: FakeReadScripts;
  readSource: FakeReadSource;
  realPaths: FakeRealPaths;
  isRunning: FakeIsRunning;
  beads: FakeBeads;
  clock: FakeClock;
  journal: FakeJournal;
  shelf(): FakeShelf;
}

const noMail = () => Promise.reject(new Error("there is no mail server here"));

/** A given port replaces the fake one: `fakePorts({ log })` is the next daemon over the same log. */
export function fakePorts<T extends Partial<Ports> = object>(given?: T): FakePorts & T {
  const clock = (given?.clock as FakeClock | undefined) ?? fakeClock();
  const log = (given?.log as FakeLog | undefined) ?? fakeLog();
  const fakes: FakePorts = {
    log,
    shell: fakeShell(clock),
    workspaces: fakeWorkspaces(),
    files: fakeFiles(clock),
    terminals: fakeTerminals(clock.now),
    notifier: fakeNotifier(),
    programs: fakePrograms(),
    readScripts: fakeReadScripts(),
    readSource: fakeReadSource(),
    realPaths: fakeRealPaths(),
    isRunning: fakeIsRunning(),
    channels: {
      slack: () => Promise.reject(new Error("there is no Slack here")),
      smtp: async () => ({ send: noMail, verify: noMail }),
      imap: noMail,
    },
    beads: fakeBeads(),
    clock,
    journal: fakeJournal(),
    random: fakeRandom(log.committed().length), // the next daemon must not use the same ids again
    shelf: fakeShelf,
  };
  return { ...fakes, ...given } as FakePorts & T;
}
