import type pg from "pg";
import { isReady, makeReady, runConfined, type Wall, type Where } from "./confined-query.ts";
import type { Connections } from "./postgres-pool.ts";
import { type Message, PreparedQuery, type QuerySender } from "./prepared-query.ts";
import { SharedReads } from "./shared-reads.ts";

/** Sends a statement; the workspace is null for what belongs to none, or to all. */
export interface PostgresRunner {
  readonly query: (message: Message, workspaceId: string | null) => Promise<pg.QueryResult>;
}

/** A connection from the pool, ready for statements. */
export async function acquireConnection(
  pool: Connections,
  wall: Wall | null,
): Promise<pg.PoolClient> {
  const client = await pool.connect();
  if (wall === null || isReady(client)) return client;
  try {
    await makeReady(client, wall);
    return client;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/** A statement on one connection, held to its workspace where the database does that. */
export function queryOn(
  line: QuerySender,
  message: Message,
  { wall, ...where }: Where & { readonly wall: Wall | null },
): Promise<pg.QueryResult> {
  return wall === null
    ? new PreparedQuery(message).run(line)
    : runConfined(line, message, { wall, ...where });
}

export interface PostgresReader extends PostgresRunner {
  /** How many wait for a connection. */
  readonly waiting: () => number;
}

/**
 * Statements on any connection: quick ones on one that they share, the others each on one of its
 * own.
 */
export function readerOver(pool: Connections, wallNow: () => Wall | null): PostgresReader {
  const quick = new SharedReads({
    connect: () => acquireConnection(pool, wallNow()),
    isAwaited: () => pool.waitingCount > 0,
  });
  return {
    waiting: () => pool.waitingCount + quick.waiting,
    query: (message, workspaceId) => {
      const wall = wallNow();
      const confinement = { wall, workspaceId, isInTransaction: false };
      const send = (client: pg.PoolClient) => queryOn(client, message, confinement);
      return message.isQuick
        ? quick.run(send)
        : onItsOwn(() => acquireConnection(pool, wall), send);
    },
  };
}

async function onItsOwn(
  connectTo: () => Promise<pg.PoolClient>,
  send: (client: pg.PoolClient) => Promise<pg.QueryResult>,
): Promise<pg.QueryResult> {
  const client = await connectTo();
  let failure: Error | undefined;
  try {
    return await send(client);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}
