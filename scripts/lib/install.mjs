// Keeps node_modules in step with package-lock.json.
import "./node-version.mjs";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { capture, root, showing } from "./run.mjs";

const stampFile = join(root, "node_modules", ".install-stamp.json");
const lockFile = join(root, "package-lock.json");
// Even where the environment says production.
const npmArguments = { runtime: ["ci", "--omit=dev"], full: ["ci", "--include=dev"] };

/** `runtime` is what building and running need, `full` adds what tests and checks need. */
export async function ensureInstalled(kind) {
  if (isInstalled(kind)) return;
  await withLock(async () => {
    if (isInstalled(kind)) return;
    const found = findInstalled();
    if (found === kind || found === "full") return writeStamp(found);
    rmSync(stampFile, { force: true });
    await install(npmArguments[kind]);
    writeStamp(kind);
  });
}

async function install(args) {
  const npm = npmCommand();
  const { result, elapsed } = await showing(`Installing dependencies (npm ${args.join(" ")})`, () =>
    capture(npm.command, [...npm.args, ...args]),
  );
  if (result.code !== 0) {
    console.error(`${result.output}\n`);
    console.error(
      "The dependencies could not be installed; npm says why above. If the npm registry",
    );
    console.error("could not be reached, check the network and run the same command again.");
    process.exit(1);
  }
  console.log(`Installed dependencies in ${elapsed}`);
}

/** Under `npm run` the npm that is already running, otherwise the one on the path. */
function npmCommand() {
  const running = process.env.npm_execpath;
  if (running?.endsWith("npm-cli.js")) return { command: process.execPath, args: [running] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", args: [] };
}

function isInstalled(kind) {
  const stamp = readJson(stampFile);
  return stamp?.lockfile === lockfileHash() && (stamp.kind === kind || stamp.kind === "full");
}

/** What npm itself was asked for by hand: its own record, written when an install has ended. */
function findInstalled() {
  const installed = readJson(join(root, "node_modules", ".package-lock.json"))?.packages ?? {};
  const wanted = Object.entries(readJson(lockFile).packages)
    .filter(([path, entry]) => path.includes("node_modules/") && !entry.optional)
    .filter(([, entry]) => !entry.devOptional);
  const missing = wanted.filter(
    ([path, entry]) =>
      installed[path]?.version !== entry.version || installed[path]?.link !== entry.link,
  );
  if (missing.length === 0) return "full";
  return missing.every(([, entry]) => entry.dev) ? "runtime" : undefined;
}

function writeStamp(kind) {
  writeFileSync(stampFile, JSON.stringify({ lockfile: lockfileHash(), kind }));
}

function lockfileHash() {
  return createHash("sha256").update(readFileSync(lockFile)).digest("hex");
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined; // absent, or cut short by an interruption
  }
}
