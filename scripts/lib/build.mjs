// Keeps the built files in step with the sources.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { capture, root, showing, toolPath } from "./run.mjs";

const stampFile = join(root, ".cache", "build-stamp");
const web = join(root, "packages", "web");
const server = join(root, "packages", "server");
const threads = join(server, "vite.threads.config.ts");
const cli = join(root, "packages", "cli");
const sdk = join(root, "packages", "sdk");
const outputsOf = (folder) => {
  if (folder === web) return ["index.html"];
  if (folder === server) return [".tsbuildinfo", "server.js", "compute-thread.js"];
  if (folder === cli) return [".tsbuildinfo", "bundle/main.js"];
  return folder === sdk ? [".tsbuildinfo", "bundle/index.js"] : [".tsbuildinfo"];
};

export async function ensureBuilt() {
  if (isBuilt()) return;
  await withLock(async () => {
    if (isBuilt()) return;
    rmSync(stampFile, { force: true });
    // Taken before: a file saved during the build is built the next time.
    const fingerprint = fingerprintSources();
    const { result: results, elapsed } = await showing("Building (tsc -b, vite build)", () =>
      Promise.all([
        capture(process.execPath, [toolPath("typescript", "tsc"), "-b"]),
        ...[[web], [cli], [sdk], [server], [server, "--config", threads]].map((of) =>
          capture(process.execPath, [toolPath("vite"), "build", ...of, "--logLevel", "error"]),
        ),
      ]),
    );
    const failed = results.filter(({ code }) => code !== 0);
    if (failed.length > 0) {
      for (const { output } of failed) console.error(output);
      console.error("\nThe build failed; the compiler says why above.");
      process.exit(1);
    }
    mkdirSync(join(root, ".cache"), { recursive: true });
    writeFileSync(stampFile, fingerprint);
    console.log(`Built in ${elapsed}`);
  });
}

function isBuilt() {
  return (
    existsSync(stampFile) &&
    packageFolders().every((folder) =>
      outputsOf(folder).every((name) => existsSync(join(folder, "dist", name))),
    ) &&
    readFileSync(stampFile, "utf8") === fingerprintSources()
  );
}

/** Names, sizes and times of change instead of contents: quick enough for every start. */
function fingerprintSources() {
  const hash = createHash("sha256");
  for (const path of sources()) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest("hex");
}

function sources() {
  const inRoot = ["package-lock.json", "package.json", "tsconfig.json", "tsconfig.base.json"];
  const ofVite = [
    join(web, "index.html"),
    ...[web, cli, sdk, server].map((at) => join(at, "vite.config.ts")),
    threads,
  ];
  const inPackages = packageFolders().flatMap((folder) => [
    join(folder, "package.json"),
    join(folder, "tsconfig.json"),
    ...filesIn(join(folder, "src")),
  ]);
  return [...inRoot.map((name) => join(root, name)), ...ofVite, ...inPackages];
}

function packageFolders() {
  return readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name))
    .filter((folder) => existsSync(join(folder, "tsconfig.json")));
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
