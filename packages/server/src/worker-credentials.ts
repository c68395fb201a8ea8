import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureWorkerKey } from "@orchestrator/accounts";
import type { ServiceHost } from "@orchestrator/kernel/scope";
import type { ProgramSettings } from "./settings.ts";

/** What a worker on this machine is let in with. */
export interface WorkerCredentials {
  readonly apiKey?: string;
  readonly authString?: string;
}

const KEY_FILE = "local-worker.key";
const FOR_OWNER_ONLY = 0o600;

/**
 * Whoever can read the data folder has the sealing keys as well, so the key of the worker lies
 * there.
 */
export async function workerCredentials(
  { home, server }: ProgramSettings,
  host: ServiceHost,
): Promise<WorkerCredentials> {
  if (server.authMode === "open") return {};
  if (server.authMode === "password") return { authString: server.authString ?? "" };
  const file = join(home, KEY_FILE);
  const known = await readFile(file, "utf8").catch(() => null);
  const apiKey = await ensureWorkerKey(host, known?.trim() ?? null);
  if (apiKey !== known?.trim()) await writeFile(file, `${apiKey}\n`, { mode: FOR_OWNER_ONLY });
  return { apiKey };
}
