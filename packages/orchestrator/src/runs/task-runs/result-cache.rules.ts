/** A remembered result, as far as it matters which others it replaces. */
interface Remembered {
  readonly id: string;
  readonly workspace_id: string;
  readonly cache_key: string;
  readonly expiration: string | null;
}

/**
 * Those of some results, the oldest first, that can have replaced others: the newest of each key,
 * and the newest that never expires, for it outlives whatever came before it.
 */
export function replacing(results: readonly Remembered[]): string[] {
  const newest = new Map<string, string>();
  for (const { id, workspace_id, cache_key, expiration } of results) {
    newest.set(JSON.stringify([workspace_id, cache_key]), id);
    if (expiration === null) newest.set(JSON.stringify([workspace_id, cache_key, null]), id);
  }
  return [...new Set(newest.values())];
}
