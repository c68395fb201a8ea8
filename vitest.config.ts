import { join } from "node:path";
import { defineConfig } from "vitest/config";

// `source` lets packages be tested as they are written, with no build before; the rest is the
// default.
const conditions = ["source", "module", "node", "development|production"];
// Threads load what `tests/setup/thread-modules.ts` has built of their modules.
const alias = [
  {
    find: /^.*\/thread-module\.ts$/,
    replacement: join(import.meta.dirname, "tests/setup/built-thread-module.ts"),
  },
];
const fromSource = { resolve: { conditions, alias }, ssr: { resolve: { conditions } } };

// Hundreds of commands, one after another: in `npm run test:long`, or when they are named.
const isNamed = process.argv.some((argument) => argument.includes(".long"));
const LONG = process.env["TEST_LONG"] === "1" || isNamed ? [] : ["**/*.long.test.ts"];

/** Tests of the SDK are about what it reports, which it does not under a test runner. */
const env = { ORCHESTRATOR_REPORT: "true" };

/** What people do with the web UI. */
const BROWSER = "tests/browser/**/*.test.ts";
/** What people do with the built program, from a terminal or a program of theirs. */
const JOURNEYS = ["cli", "client", "examples", "sdk", "tutorials", "worker"].map(
  (folder) => `tests/${folder}/**/*.test.ts`,
);

export default defineConfig({
  ...fromSource,
  test: {
    globalSetup: ["tests/setup/postgres.ts", "tests/setup/thread-modules.ts"],
    maxWorkers: 2,
    // Half of a short run is reading the sources; those that did not change are kept. `npx vitest
    // --clearCache` forgets them.
    experimental: { fsModuleCache: true },
    projects: [
      {
        ...fromSource,
        test: {
          env,
          name: "packages",
          include: ["packages/*/src/**/*.test.ts"],
          // One process for many files is several times faster; no test may leave anything behind.
          isolate: false,
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...fromSource,
        test: {
          env,
          name: "journeys",
          include: JOURNEYS,
          exclude: LONG,
          // They wait for processes more than they work, and bear company.
          maxWorkers: 2,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...fromSource,
        test: {
          env,
          name: "browser",
          include: [BROWSER],
          // The files of a worker process share a browser, and the data that servers begin with.
          isolate: false,
          maxWorkers: 2,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...fromSource,
        test: {
          env,
          name: "processes",
          include: ["tests/**/*.test.ts"],
          exclude: [BROWSER, ...JOURNEYS],
          // Each file starts servers of its own and wants the machine to itself.
          maxWorkers: 1,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
