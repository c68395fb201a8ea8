// The folder a PostgreSQL server keeps its data in. Making one takes seconds, copying it does not,
// so the first one of a machine is kept, in one file, and the others are copies of it.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, chown, lstat, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PostgresBinaries } from "./postgres-binaries.ts";

const execFileAsync = promisify(execFile);

/**
 * A linguistic collation, as most installations have, so that tests notice where order must not
 * depend on it.
 */
const OPTIONS = [
  "--auth=trust",
  "--encoding=UTF8",
  "--no-sync",
  "--locale=C",
  "--locale-provider=icu",
  "--icu-locale=en-US",
  "--no-instructions",
];

/** Fills the folder, which is made if it is missing. */
export async function makeDataFolder(
  binaries: PostgresBinaries,
  dataDir: string,
  user: string,
): Promise<void> {
  const archive = await archiveOf(binaries, ["-U", user, ...OPTIONS]);
  await mkdir(dataDir, { recursive: true });
  await giveTo(binaries, dataDir);
  // The server refuses a folder that others can look into.
  await chmod(dataDir, 0o700);
  await runAs(binaries, "tar", ["-xpf", archive, "-C", dataDir]);
}

async function archiveOf(binaries: PostgresBinaries, options: string[]): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify(options)).digest("hex");
  const name = `orchestrator-postgres-data-${binaries.version}-${digest.slice(0, 16)}`;
  const target = join(tmpdir(), `${name}.tar`);
  if (await isOurs(binaries, target)) return target;
  const folder = await mkdtemp(join(tmpdir(), `${name}.`));
  try {
    await giveTo(binaries, folder);
    await runAs(binaries, binaries.initdb, ["-D", join(folder, "data"), ...options]);
    const draft = join(folder, "data.tar");
    await runAs(binaries, "tar", ["-cf", draft, "-C", join(folder, "data"), "."]);
    await rename(draft, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return target;
}

async function isOurs({ account }: PostgresBinaries, path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return false;
  if (found.isFile() && found.uid === (account?.uid ?? process.getuid?.())) return true;
  throw new Error(`${path} belongs to somebody else; remove it to run PostgreSQL on a copy of it`);
}

export async function giveTo({ account }: PostgresBinaries, folder: string): Promise<void> {
  if (account !== undefined) await chown(folder, account.uid, account.gid);
}

async function runAs({ account }: PostgresBinaries, command: string, args: string[]) {
  const env = { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
  await execFileAsync(command, args, { ...account, cwd: tmpdir(), env });
}
