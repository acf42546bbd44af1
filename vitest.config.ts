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
  "slow",
  "agents",
  "web",
  "contracts",
  "specs",
  "unit",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** The tests with agents in real terminals: `npm run test:agents`. */
const agents = [
  "test/specs/agents/**/*.test.ts",
  "test/contracts/{terminals,tmux-*,scripted-agent*,claude-*}.test.ts",
  "test/slow/agents.test.ts",
];

/**
 * The same for all kinds, so that they share workers in one run. They wait more than they compute, so there are more
 * workers than cores.
 */
const workers = { pool: "forks", maxWorkers: 4 } as const;

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
          pool: "threads",
          maxWorkers: 2,
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
          setupFiles: ["test/seed.ts"],
          exclude: agents,
          ...workers,
          globalSetup: leftovers,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "specs",
          include: ["test/specs/**/*.test.ts"],
          exclude: agents,
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
          exclude: agents,
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
          ...workers,
          globalSetup: leftovers,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "web",
          include: ["test/web/**/*.test.ts"],
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
          ...workers,
          globalSetup: ["test/opencode/setup.ts", ...leftovers],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "gemini",
          include: ["test/gemini/**/*.test.ts"],
          ...workers,
          globalSetup: ["test/gemini/setup.ts", ...leftovers],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
