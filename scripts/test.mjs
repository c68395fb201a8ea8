// npm test: every check, a build and every test; with arguments only the tests they name.
// npm run test:long: the tests that repeat something, with all of their rounds.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { ensureInstalled } from "./lib/install.mjs";
import { repeatingTests } from "./lib/repeating-tests.mjs";
import { root, runNode, toolPath } from "./lib/run.mjs";

const REPORT = ".cache/test-report.json";
const SLOWEST = 10;
const started = performance.now();
const isLong = process.argv[2] === "--long";
const args = isLong ? repeatingTests() : process.argv.slice(2);
const everything = args.length === 0;
if (isLong) process.env.TEST_LONG = "1";

await ensureInstalled("full");
const checked = everything ? await runNode(["scripts/check.mjs"]) : 0;
// Tests under tests/ run the built command; the others run from the sources.
const needsBuild = everything || args.some((arg) => arg.startsWith("tests"));
const built = needsBuild ? await runNode(["scripts/build.mjs"]) : 0;
const { code, passed, failed, slowest } =
  built === 0 ? await runTests() : { code: 1, passed: 0, failed: 0, slowest: [] };

if (checked !== 0) console.log("\nThe checks failed; what they found stands above the tests.");
if (built !== 0) console.log("\nThe build failed, so no test ran.");
else if (passed + failed === 0) console.log("\nNo test ran.");
if (slowest.length > 1) console.log(`\nThe slowest files:\n${slowest.join("\n")}`);
const minutes = (performance.now() - started) / 60_000;
console.log(`\n${passed} passed, ${failed} failed in ${minutes.toFixed(1)} minutes`);
process.exitCode = checked || built || code || (passed > 0 && failed === 0 ? 0 : 1);

async function runTests() {
  const report = join(root, REPORT);
  mkdirSync(join(root, ".cache"), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`];
  // A forgotten `.only` would silently leave out the rest of its file.
  const strict = everything ? ["--allowOnly=false"] : [];
  const code = await runNode([toolPath("vitest"), "run", ...reporters, ...strict, ...args]);
  const { passed, failed, slowest } = readReport(report);
  // Something outside of any test may have gone wrong, such as an error nobody waited for.
  const atLeast = code !== 0 && passed > 0 ? Math.max(failed, 1) : failed;
  return { code, passed, failed: atLeast, slowest };
}

function readReport(path) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, "utf8"));
    const brokenFiles = testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed"),
    );
    const failed = numFailedTests + brokenFiles.length;
    return { passed: numPassedTests, failed, slowest: slowestOf(testResults) };
  } catch {
    return { passed: 0, failed: 0, slowest: [] }; // it ended before it could report
  }
}

function slowestOf(files) {
  return files
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${relative(root, name)}`);
}
