import type { WorkQueue } from "@orchestrator/contract";
import type { Command } from "commander";
import { found, isUuid } from "../../io/find.ts";
import type { CliSession } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { findPool } from "../work-pool/find-pool.ts";

export interface PoolOption {
  readonly pool?: string;
}

export const withQueue = (command: Command): Command =>
  command
    .argument("<queue>", "its name or its id")
    .option("--pool <name>", "its work pool, where several have a queue of that name");

/** A queue by its id, or by its name and where needed its pool. */
export async function findQueue(
  session: CliSession,
  name: string,
  { pool }: PoolOption,
): Promise<WorkQueue> {
  const { workQueues } = session.client;
  const notFound = { what: "work queue", name, names: () => workQueues.each() };
  if (pool !== undefined) {
    await findPool(session, pool);
    const names = () => workQueues.eachInPool(pool);
    return found(workQueues.readInPool(pool, name), { ...notFound, names });
  }
  if (isUuid(name)) return found(workQueues.read(name), notFound);
  const [queue, ...others] = await workQueues.list({ work_queues: { name: { any_: [name] } } });
  if (queue === undefined) return found(workQueues.readByName(name), notFound);
  if (others.length === 0) return queue;
  const pools = [queue, ...others].map(({ work_pool_name }) => work_pool_name).join(", ");
  throw new UsageError(`Several pools have a queue ${name}: say which with --pool (${pools})`);
}
