// Adds to package-lock.json the builds for other platforms that the registry in use did not offer.
//
// npm leaves out an optional package it cannot fetch, and `npm ci` then refuses the lockfile
// everywhere. Which version it is and which platform it is for follow from the package that asks
// for it and from its name. With --check nothing is written: what is missing is an error.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/run.mjs";

const SYSTEMS = {
  aix: "aix",
  android: "android",
  darwin: "darwin",
  freebsd: "freebsd",
  linux: "linux",
  netbsd: "netbsd",
  openbsd: "openbsd",
  openharmony: "openharmony",
  sunos: "sunos",
  win32: "win32",
  windows: "win32",
};
const PROCESSORS = /^(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)$/;

const file = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));
const missing = findMissing(lock.packages);

if (missing.length === 0) {
  console.log("package-lock.json names every platform");
} else if (process.argv.includes("--check")) {
  for (const { name, parent } of missing)
    console.error(`${parent} asks for ${name}: not in the lockfile`);
  console.error(
    "package-lock.json would be refused by npm ci; run node scripts/complete-lockfile.mjs",
  );
  process.exitCode = 1;
} else {
  for (const { path, entry } of missing) lock.packages[path] = entry;
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  lock.packages = Object.fromEntries(sorted);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`Added ${missing.length} platform packages to package-lock.json`);
}

function findMissing(packages) {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => lookUp(packages, parent, name) === undefined)
      .map(([name, range]) => ({
        name,
        parent,
        path: `node_modules/${name}`,
        entry: describe(name, range, dev),
      })),
  );
}

/** As Node does: beside the package that asks, then further and further out. */
function lookUp(packages, from, name) {
  const folders = [from];
  for (let at = from; at.includes("node_modules/"); folders.push(at))
    at = at.slice(0, at.lastIndexOf("node_modules/")).replace(/\/$/, "");
  if (!folders.includes("")) folders.push("");
  return folders.map((folder) => packages[join(folder, "node_modules", name)]).find(Boolean);
}

function describe(name, range, dev) {
  const parts = name.replace(/^.*\//, "").split("-");
  const os = parts.map((part) => SYSTEMS[part]).find(Boolean);
  const cpu = parts.find((part) => PROCESSORS.test(part));
  if (os === undefined || cpu === undefined) throw new Error(`Which platform is ${name} for?`);
  const libc = parts.some((part) => part.startsWith("musl")) ? "musl" : "glibc";
  const hasLibc = os === "linux" && parts.some((part) => /^(gnu|musl)/.test(part));
  return {
    version: range.replace(/^[\^~]/, ""),
    cpu: [cpu],
    ...(dev ? { dev } : {}),
    ...(hasLibc ? { libc: [libc] } : {}),
    optional: true,
    os: [os],
  };
}
