// Gives every test of the run one real PostgreSQL, named by TEST_POSTGRES_URL.
import { randomUUID } from "node:crypto";
import { startPostgres } from "../../packages/kernel/src/testing/postgres-server.ts";

export async function setup(): Promise<() => Promise<void>> {
  process.env["TEST_POSTGRES_RUN"] = randomUUID().slice(0, 8);
  if (process.env["TEST_POSTGRES_URL"] !== undefined) return leaveNothing;
  const server = await startPostgres();
  process.env["TEST_POSTGRES_URL"] = server.url;
  return async () => {
    delete process.env["TEST_POSTGRES_URL"];
    await server[Symbol.asyncDispose]();
  };
}

/**
 * Databases are used again and again, so on a server that is not ours they are dropped at the end.
 */
async function leaveNothing(): Promise<void> {
  const { dropTestDatabases } = await import(
    "../../packages/kernel/src/testing/postgres-databases.ts"
  );
  await dropTestDatabases();
}
