// npm test: every check, a build and every test; with arguments only the tests they name.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runNode, toolPath } from "./lib/run.mjs";

const REPORT = ".cache/test-report.json";
const args = process.argv.slice(2);
const everything = args.length === 0;

await ensureInstalled("full");
const checked = everything ? await runNode(["scripts/check.mjs"]) : 0;
// Tests under tests/ run the built command; the others run from the sources.
const needsBuild = everything || args.some((arg) => arg.startsWith("tests"));
const built = needsBuild ? await runNode(["scripts/build.mjs"]) : 0;
const { code, passed, failed } = built === 0 ? await runTests() : { code: 1, passed: 0, failed: 0 };

if (checked !== 0) console.log("\nThe checks failed; what they found stands above the tests.");
if (built !== 0) console.log("\nThe build failed, so no test ran.");
else if (passed + failed === 0) console.log("\nNo test ran.");
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = checked || built || code || (passed > 0 && failed === 0 ? 0 : 1);

async function runTests() {
  const report = join(root, REPORT);
  mkdirSync(join(root, ".cache"), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`];
  // A forgotten `.only` would silently leave out the rest of its file.
  const strict = everything ? ["--allowOnly=false"] : [];
  const code = await runNode([toolPath("vitest"), "run", ...reporters, ...strict, ...args]);
  const { passed, failed } = readReport(report);
  // Something outside of any test may have gone wrong, such as an error nobody waited for.
  return { code, passed, failed: code !== 0 && passed > 0 ? Math.max(failed, 1) : failed };
}

function readReport(path) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, "utf8"));
    const brokenFiles = testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed"),
    );
    return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length };
  } catch {
    return { passed: 0, failed: 0 }; // it ended before it could report
  }
}
