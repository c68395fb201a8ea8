import type pg from "pg";
import {
  type Confinement,
  isReady,
  type Message,
  makeReady,
  runConfined,
  type Wall,
} from "./confined-query.ts";
import { type Connections, refuseOverload } from "./postgres-pool.ts";

/** Sends a statement; the workspace is null for what belongs to none, or to all. */
export interface Runner {
  readonly query: (message: Message, workspaceId: string | null) => Promise<pg.QueryResult>;
}

const plain = ({ text, values, name }: Message): pg.QueryConfig =>
  name === undefined ? { text, values } : { text, values, name };

/** A connection from the pool, ready for statements. */
export async function connect(pool: Connections, wall: Wall | null): Promise<pg.PoolClient> {
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

/** Statements on one connection: a transaction. */
export function runnerOn(client: pg.PoolClient, wall: Wall | null): Runner {
  return {
    query: (message, workspaceId) =>
      wall === null
        ? client.query(plain(message))
        : runConfined(client, message, { wall, workspaceId }),
  };
}

/** Statements on any connection, each by itself. */
export function runnerOver(pool: Connections, wallNow: () => Wall | null): Runner {
  return {
    query: (message, workspaceId) => {
      refuseOverload(pool);
      const wall = wallNow();
      return wall === null
        ? pool.query(plain(message))
        : readConfined(pool, message, { wall, workspaceId });
    },
  };
}

async function readConfined(
  pool: Connections,
  message: Message,
  confinement: Confinement,
): Promise<pg.QueryResult> {
  const client = await connect(pool, confinement.wall);
  let failure: Error | undefined;
  try {
    return await runConfined(client, message, confinement);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}
