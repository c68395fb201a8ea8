import { readJson, writeJson } from "@orchestrator/exact-json";
import { clientVersion } from "./client-version.ts";

/** Up to this version the established client refuses a pool that says where results are kept. */
const KNOWS_NOT = [3, 3, 7] as const;

function isOlder(version: readonly number[] | null): boolean {
  if (version === null) return false;
  for (const [index, most] of KNOWS_NOT.entries()) {
    const part = version[index] ?? 0;
    if (part !== most) return part < most;
  }
  return true;
}

interface Pool {
  readonly storage_configuration: Readonly<Record<string, unknown>>;
}

/** A pool, or several, as JSON that whoever asks can read. */
export function poolsFor(
  userAgent: string | undefined,
  json: string | Uint8Array,
): string | Uint8Array {
  if (!isOlder(clientVersion(userAgent))) return json;
  const pools = readJson(Buffer.from(json).toString("utf8")) as Pool | readonly Pool[];
  const without = (pool: Pool): Pool => {
    const { default_result_storage_block_id: _, ...storage } = pool.storage_configuration;
    return { ...pool, storage_configuration: storage };
  };
  return writeJson("storage_configuration" in pools ? without(pools) : pools.map(without));
}
