// Running other programs from the root of the repository.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where an installed package keeps a command, so that no shell is needed to run it. */
export function toolPath(name, command = name) {
  const folder = join(root, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[command]);
}

/** Runs `node` with the given arguments on this terminal; answers its exit code. */
export function runNode(args) {
  return untilEnded(spawn(process.execPath, args, { cwd: root, stdio: "inherit" }));
}

/** Runs a program silently; answers its exit code and everything it printed. */
export async function capture(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  const code = await untilEnded(child);
  return { code, output: Buffer.concat(chunks).toString().trim() };
}

/** This process outlives the child, so that what comes after it is done or given up in order. */
function untilEnded(child) {
  let stopped = false;
  const stop = (signal) => {
    stopped = true;
    // The terminal sends its interrupt to the child as well.
    if (signal === "SIGTERM") child.kill(signal);
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("SIGINT", stop).off("SIGTERM", stop);
      if (stopped) process.exit(130);
      resolve(code ?? 1);
    });
  });
}

/**
 * Says that a piece of work goes on until it has ended; answers its result and how long it took.
 */
export async function showing(title, work) {
  const started = performance.now();
  const elapsed = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const { isTTY } = process.stdout;
  if (!isTTY) console.log(`${title} ...`);
  const tick = () =>
    isTTY ? process.stdout.write(`\r${title} ... ${elapsed()}`) : console.log(`  ${elapsed()}`);
  const timer = setInterval(tick, isTTY ? 100 : 10_000);
  try {
    return { result: await work(), elapsed: elapsed() };
  } finally {
    clearInterval(timer);
    if (isTTY) process.stdout.write("\r\x1b[K");
  }
}
