/** The kinds of tests and how they run. Timeouts allow for a loaded machine with two cores. */
import { defineConfig } from "vitest/config";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** Kinds with the longest files come first, so that no worker is left alone with one at the end. */
const ORDER = [
  "beads",
  "claude",
  "codex",
  "opencode",
  "gemini",
  "acp",
  "slow",
  "team",
  "agents",
  "web",
  "contracts",
  "specs",
  "unit",
];

/** Real clients take whole cores to start. One of their files goes between so many others, the longest first. */
const HEAVY = ["claude", "codex", "opencode", "gemini", "acp"];
const APART = 6;
const LONGEST = ["unreported", "cells-keys", "cells-gone", "codex", "calls", "cells-restart", "cells-usual"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    const length = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((it) => moduleId.endsWith(`/${it}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    const sorted = (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
    const heavy = sorted
      .filter((it) => HEAVY.includes(it.project.name))
      .sort((a, b) => length(a) - length(b));
    const others = sorted.filter((it) => !HEAVY.includes(it.project.name));
    const spread = heavy.flatMap((it, n) => [it, ...others.slice(n * APART, (n + 1) * APART)]);
    return [...spread, ...others.slice(heavy.length * APART)];
  }
}

/** What `npm test` leaves out (test/everything.ts says why). */
const thorough = process.env.OJ_TEST_EVERYTHING === "1" ? [] : ["**/*.thorough.test.ts"];

/** The tests with agents in real terminals: `npm run test:agents`. */
const agents = [
  "test/specs/agents/**/*.test.ts",
  "test/contracts/{terminals,tmux-*,scripted-agent*,claude-*}.test.ts",
  "test/slow/agents.test.ts",
];

/**
 * The same for all kinds, so that they share workers in one run. They wait more than they compute, so there are more
 * workers than cores. No test gets a second go: that once hid a login that lost its token.
 */
const workers = {
  pool: "forks",
  maxWorkers: 6,
  setupFiles: ["test/late.ts"] as string[],
} as const;

/** Fails a run that leaves processes, sockets or files behind. */
const leftovers = ["test/leftovers.ts"];

export default defineConfig({
  test: {
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/unit/**/*.test.ts", "test/layers.test.ts"],
          exclude: thorough,
          pool: "threads",
          maxWorkers: 3,
          globalSetup: leftovers,
          setupFiles: ["test/seed.ts"],
          isolate: false, // they share only modules, which take longer to load than to test
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "contracts",
          include: ["test/contracts/**/*.test.ts"],
          exclude: [...agents, ...thorough],
          ...workers,
          setupFiles: ["test/seed.ts", ...workers.setupFiles],
          globalSetup: leftovers,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "specs",
          include: ["test/specs/**/*.test.ts"],
          exclude: [...agents, ...thorough],
          ...workers,
          globalSetup: leftovers,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "slow",
          include: ["test/slow/**/*.test.ts"],
          exclude: [...agents, ...thorough],
          ...workers,
          globalSetup: leftovers,
          testTimeout: 900_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "agents",
          include: agents,
          exclude: thorough,
          ...workers,
          globalSetup: leftovers,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "team",
          include: ["test/team/**/*.test.ts"],
          exclude: thorough,
          ...workers,
          ...(process.env.OJ_TEAM === "full" ? { maxWorkers: 1 } : {}), // its limits on time are for a quiet machine
          globalSetup: leftovers,
          testTimeout: process.env.OJ_TEAM === "full" ? 3_600_000 : 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "web",
          include: ["test/web/**/*.test.ts"],
          exclude: thorough,
          ...workers,
          globalSetup: leftovers,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "claude",
          include: ["test/claude/**/*.test.ts"],
          exclude: thorough,
          ...workers,
          globalSetup: ["test/claude/setup.ts", ...leftovers],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "beads",
          include: ["test/beads/**/*.test.ts"],
          exclude: thorough,
          ...workers,
          globalSetup: leftovers,
          testTimeout: 3_600_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "codex",
          include: ["test/codex/**/*.test.ts"],
          exclude: thorough,
          ...workers,
          globalSetup: ["test/codex/setup.ts", ...leftovers],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "opencode",
          include: ["test/opencode/**/*.test.ts"],
          exclude: thorough,
          ...workers,
          globalSetup: ["test/opencode/setup.ts", ...leftovers],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "acp",
          include: ["test/acp/**/*.test.ts"],
          exclude: thorough,
          ...workers,
          globalSetup: ["test/acp/setup.ts", ...leftovers],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "gemini",
          include: ["test/gemini/**/*.test.ts"],
          exclude: thorough,
          ...workers,
          globalSetup: ["test/gemini/setup.ts", ...leftovers],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
