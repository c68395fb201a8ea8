// Builds what the threads of the compute pool load: they cannot load the TypeScript that the tests
// run from.

import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "../..");
const server = join(root, "packages/server");

export async function setup(): Promise<() => Promise<void>> {
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, "threads-"));
  await build({
    root: server,
    configFile: join(server, "vite.threads.config.ts"),
    mode: "test",
    logLevel: "error",
    build: { outDir },
  });
  process.env["TEST_THREAD_MODULES"] = outDir;
  return () => rm(outDir, { recursive: true, force: true });
}
