import type { ApiInstance } from "@orchestrator/kernel/http";

/** For what clients send much of: a text of 8 MiB as JSON, with what is not ASCII in it. */
const LARGE_BODY_BYTES = 16 * 1024 * 1024;

/** Whatever other bodies may hold. */
export function bodyOfAtLeast(api: ApiInstance, bytes: number): number {
  return Math.max(bytes, api.initialConfig.bodyLimit ?? 0);
}

export const largeBody = (api: ApiInstance): number => bodyOfAtLeast(api, LARGE_BODY_BYTES);
