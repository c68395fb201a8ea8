// npm run check: everything that can be said about the code without running it.
import { ensureInstalled } from "./lib/install.mjs";
import { capture, toolPath } from "./lib/run.mjs";

await ensureInstalled("full");

const steps = [
  ["types", toolPath("typescript", "tsc"), "-p", "tsconfig.check.json"],
  ["web types", toolPath("typescript", "tsc"), "-p", "packages/web/tsconfig.json"],
  ["lint", toolPath("oxlint")],
  ["dead code", toolPath("knip"), "--no-config-hints"],
  ["imports", "scripts/check-imports.mjs"],
  ["format", toolPath("@biomejs/biome", "biome"), "check", "."],
  ["documents", "scripts/check-docs.mjs"],
  ["comments", "scripts/check-comments.mjs"],
  ["lockfile", "scripts/complete-lockfile.mjs", "--check"],
];
const AT_ONCE = 2;

const waiting = [...steps];
const failures = [];
await Promise.all(Array.from({ length: AT_ONCE }, worker));
for (const { name, output } of failures) console.error(`\n--- ${name}\n${output}`);
if (failures.length > 0) {
  console.error(`\nFailed: ${failures.map(({ name }) => name).join(", ")}`);
  process.exitCode = 1;
}

async function worker() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const [name, ...args] = step;
    const started = performance.now();
    const { code, output } = await capture(process.execPath, args);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? "ok  " : "FAIL"} ${name.padEnd(10)} ${seconds} s`);
    if (code !== 0) failures.push({ name, output });
  }
}
