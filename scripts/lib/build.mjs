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

export async function ensureBuilt() {
  if (isBuilt()) return;
  await withLock(async () => {
    if (isBuilt()) return;
    rmSync(stampFile, { force: true });
    // Taken before: a file saved during the build is built the next time.
    const fingerprint = fingerprintSources();
    const { result, elapsed } = await showing("Building (tsc -b)", () =>
      capture(process.execPath, [toolPath("typescript", "tsc"), "-b"]),
    );
    if (result.code !== 0) {
      console.error(`${result.output}\n\nThe build failed; the compiler says why above.`);
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
    packageFolders().every((folder) => existsSync(join(folder, "dist", ".tsbuildinfo"))) &&
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
  const inPackages = packageFolders().flatMap((folder) => [
    join(folder, "package.json"),
    join(folder, "tsconfig.json"),
    ...filesIn(join(folder, "src")),
  ]);
  return [...inRoot.map((name) => join(root, name)), ...inPackages];
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
