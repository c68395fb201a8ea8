// Gives every test of the run one real PostgreSQL, named by TEST_POSTGRES_URL.
import { startPostgres } from "../../packages/kernel/src/testing/postgres-server.ts";

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env["TEST_POSTGRES_URL"] !== undefined) return undefined;
  const server = await startPostgres();
  process.env["TEST_POSTGRES_URL"] = server.url;
  return async () => {
    delete process.env["TEST_POSTGRES_URL"];
    await server[Symbol.asyncDispose]();
  };
}
