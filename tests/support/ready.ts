import type { HttpClient } from "./http-client.ts";

export interface ReadyAnswer {
  readonly message: string;
  readonly loops: Readonly<Record<string, { readonly status: string; readonly passes: number }>>;
}

/** How each background loop is doing, by name. */
export async function loopStatuses(client: HttpClient): Promise<Record<string, string>> {
  const { loops } = (await client.get("/api/ready")).json<ReadyAnswer>();
  return Object.fromEntries(Object.entries(loops).map(([name, { status }]) => [name, status]));
}
