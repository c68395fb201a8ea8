import { basename } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Set by vitest, jest, node:test, mocha's workers, ava and tap. */
const VARIABLES = [
  "VITEST",
  "JEST_WORKER_ID",
  "NODE_TEST_CONTEXT",
  "MOCHA_WORKER_ID",
  "AVA_PATH",
  "TAP",
];
/** Mocha without workers sets no variable. */
const PROGRAMS: ReadonlySet<string> = new Set(["mocha", "_mocha", "mocha.js", "mocha.mjs"]);

export function isUnderTestRunner(
  env: Env,
  argv: readonly (string | undefined)[] = process.argv,
): boolean {
  if (VARIABLES.some((name) => env[name] !== undefined && env[name] !== "")) return true;
  return PROGRAMS.has(basename(argv[1] ?? ""));
}
