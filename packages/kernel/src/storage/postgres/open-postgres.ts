import { maskUrl } from "../../config/mask.ts";
import type { Logger } from "../../log/logger.ts";
import type {
  Database,
  SchemaSession,
  SystemTransaction,
  Transaction,
  WriteStats,
} from "../database.ts";
import { forgetConfinement, type Wall } from "./confined-query.ts";
import { FirstStatistics } from "./first-statistics.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { fromPostgresError, isCollision } from "./postgres-errors.ts";
import { type Connections, createPool, refuseOverload } from "./postgres-pool.ts";
import { PostgresQueries } from "./postgres-queries.ts";
import { acquireConnection, type PostgresRunner, readerOver } from "./postgres-runner.ts";
import { PostgresTransaction, runnerIn } from "./postgres-transaction.ts";
import { maintainPostgresTrigrams } from "./postgres-trigrams.ts";
import { startRemoteWakeUps } from "./remote-wake-ups.ts";
import { raiseWall } from "./row-security.ts";
import { SharedCommits, type Sharing } from "./shared-commits.ts";
import { newStatementBatch, type StatementBatch } from "./statement-batch.ts";

export interface PostgresOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly stats: WriteStats;
  readonly log: Logger;
  /**
   * What a statement's plan goes by is then seen to when the first rows have come; else the server
   * does so when it likes.
   */
  readonly analysesFirstRows?: true;
  /** Takes the place of connections of its own in tests that hand them on to the next. */
  readonly connections?: Connections;
}

const MAX_ATTEMPTS = 5;
const SCHEMA_LOCK = 7_303_014_200;

/** How a write is done. */
interface Way {
  /**
   * Shares its transaction with others so many times at most: one of them may fail each time, and
   * all have to do it again.
   */
  readonly shares: number;
  readonly addsApart: boolean;
}

const TOGETHER: Way = { shares: 3, addsApart: false };
const ALONE: Way = { shares: 0, addsApart: false };

function nextWay(way: Way, outcome: Sharing): Way {
  if (outcome === "again alone") return ALONE;
  return { shares: way.shares - 1, addsApart: way.addsApart || outcome === "again apart" };
}

/** Of these the server's own limit is not waited for. */
const PING = { text: "select 1", query_timeout: 3000 };
const ROLLBACK = { text: "rollback", query_timeout: 3000 };
/** The longest a timer can wait. */
const UNLIMITED_MS = 2 ** 31 - 1;

/**
 * The engine for several replicas: a pool of connections; each write in a transaction of its own,
 * but for those that wait for nothing in it.
 */
export function openPostgres({
  url,
  maxConnections,
  stats,
  log,
  analysesFirstRows,
  connections,
}: PostgresOptions): Database {
  const onIdleError = (error: Error): void => {
    log.warn({ err: fromPostgresError(error) }, "A database connection was lost");
  };
  const pool = connections ?? createPool({ url, maxConnections, onIdleError });
  const nudges = startRemoteWakeUps(url, pool, log);
  let wall: Wall | null = null;
  const reader = readerOver(pool, () => wall);
  const refusing: PostgresRunner = {
    query(message, workspaceId) {
      refuse();
      return reader.query(message, workspaceId);
    },
  };
  const system = new PostgresQueries(refusing, null);

  const connectNow = () => acquireConnection(pool, wall);
  const statistics = analysesFirstRows === true ? new FirstStatistics(reader, log) : null;
  const onCommit: WriteStats["onCommit"] = (writes, seconds) => {
    stats.onCommit(writes, seconds);
    statistics?.onCommit();
  };
  const told = new SharedCommits(connectNow, { onCommit });
  const refuse = (): void => refuseOverload(reader.waiting() + told.waiting);

  /** Of one that is tried again nothing is left. */
  const attempt = async <T>(work: Work<T>, way: Way): Promise<T> => {
    refuse();
    const { shares, addsApart } = way;
    const mayShare = shares > 0;
    const beside = mayShare ? reader : null;
    const turn = newStatementBatch({ connect: connectNow, beside, addsApart });
    const tx = new PostgresTransaction(runnerIn(turn, wall), turn);
    let result: T;
    try {
      result = await work(tx);
      await tx.haveRead();
    } catch (error) {
      await takeBack(turn);
      throw error;
    }
    try {
      if (!mayShare || !tx.waitedForNothing) await commitAlone(tx, turn);
      else {
        const outcome = await told.commit(tx);
        if (outcome !== "committed") return await attempt(work, nextWay(way, outcome));
      }
    } finally {
      // Also where nobody knows whether it was committed.
      nudges.announce(tx.topics);
    }
    return result;
  };

  const commitAlone = async (tx: PostgresTransaction, turn: StatementBatch): Promise<void> => {
    const started = performance.now();
    try {
      // The server answers `commit` with a rollback, and no error, when a statement had failed.
      if (!(await tx.commit()))
        throw tx.failure ?? new Error("A statement of this write failed and nobody awaited it");
    } catch (error) {
      await takeBack(turn);
      throw error;
    }
    turn.client?.release();
    onCommit(1, (performance.now() - started) / 1000);
  };

  const persist = async <T>(work: Work<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(work, tries === 1 ? TOGETHER : ALONE);
      } catch (error) {
        if (!isCollision(error) || tries === MAX_ATTEMPTS) throw fromPostgresError(error);
      }
    }
  };

  const underWay = new Set<Promise<unknown>>();
  const write = async <T>(work: Work<T>): Promise<T> => {
    if (closing !== undefined) throw new Error("The database is closed");
    const done = nudges.joined.then(() => persist(work));
    underWay.add(done);
    try {
      return await done;
    } finally {
      underWay.delete(done);
    }
  };

  const exclusively = <T>(work: (session: SchemaSession) => Promise<T>): Promise<T> =>
    write(async (tx) => {
      const patiently = (text: string) => tx.execute(text, UNLIMITED_MS);
      // A replica waits here for the one that migrates, and a large table may take its time. As a
      // statement of the system, it takes the connection out of the workspace that it may be
      // confined to.
      await tx.select({ sql: "set local statement_timeout = 0", values: [] });
      await patiently(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
      return work({
        dialect: postgresDialect,
        execute: async (sql) => {
          await patiently(sql);
        },
        rows: async <R>(sql: string) => (await patiently(sql)).rows as R[],
      });
    });

  const close = async (): Promise<void> => {
    // A pool that is ending leaves those who wait for a connection without an answer.
    await Promise.allSettled(underWay);
    statistics?.stop();
    await nudges.stop();
    await pool.end();
  };
  let closing: Promise<void> | undefined;

  return {
    dialect: postgresDialect,
    wakeUps: nudges,
    location: maskUrl(url),
    system,
    in: (workspaceId) => new PostgresQueries(refusing, workspaceId),
    write: <T>(workspaceId: string, work: (tx: Transaction) => Promise<T>) =>
      write((tx) => work(tx.inWorkspace(workspaceId))),
    writeSystem: <T>(work: (tx: SystemTransaction) => Promise<T>) => write(work),
    exclusively,
    async confineRows(shared = []) {
      const raised = await exclusively((session) => raiseWall(session, shared));
      if ("reason" in raised) return { state: "refused", ...raised };
      wall = raised;
      return { state: "on" };
    },
    updateTrigramIndex: (index, signal) => maintainPostgresTrigrams(url, index, signal),
    async ping() {
      refuse();
      await pool.query(PING).catch((error: unknown) => {
        throw fromPostgresError(error);
      });
    },
    close: () => (closing ??= close()),
  };
}

type Work<T> = (tx: PostgresTransaction) => Promise<T>;

/** Gives back the connection of a write that failed, if it has one. */
async function takeBack(turn: StatementBatch): Promise<void> {
  turn.over = true;
  turn.isTakenBack = true;
  const client = await turn.connecting?.catch(() => null);
  if (!client) return;
  forgetConfinement(client);
  const broken = await client.query(ROLLBACK).then(
    () => undefined,
    (lost: Error) => lost,
  );
  client.release(broken);
}
