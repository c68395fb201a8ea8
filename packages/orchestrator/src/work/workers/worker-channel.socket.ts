import {
  WORKER_CHANNEL_CAPABILITIES,
  WORKER_CHANNEL_VERSION,
  WorkerBeat,
  WorkerCleanupAnswer,
  WorkerHello,
  type WorkPool,
  WorkPoolCreate,
} from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import {
  type ApiInstance,
  CLOSE,
  createReader,
  type ServerSocket,
  socketRoute,
} from "@orchestrator/kernel/http";
import { isAppError, sleep } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { poolTopic } from "../../polling/work-topics.rules.ts";
import { API_SOCKET } from "../../sockets.ts";
import {
  findWorkerPool,
  type ShownPool,
  type Welcome,
  welcomeWorker,
} from "./worker-channel.service.ts";
import { type CleanupFeed, createCleanupFeed } from "./worker-cleanups.socket.ts";
import { recordHeartbeat } from "./workers.service.ts";

/**
 * Why a worker is let go, in the words that workers know. After those that failed it comes back.
 */
const REASONS = {
  authorization_failed: CLOSE.refused,
  unsupported_version: CLOSE.refused,
  protocol_error: CLOSE.protocolError,
  heartbeat_persistence_failed: CLOSE.failed,
  transient_server_error: CLOSE.failed,
} as const;
type Reason = keyof typeof REASONS;

/** Several changes of a pool at once are one piece of news. */
const COALESCE_MS = 50;

type Hello = WorkerHello;

/** A worker's own connection: it tells that it lives, and is told when its pool changes. */
export function workerChannelSocket(api: ApiInstance, ctx: OrchestratorContext): void {
  const hellos = createReader(WorkerHello);
  const beats = createReader(WorkerBeat);
  const answers = createReader(WorkerCleanupAnswer);
  const pools = createReader(WorkPoolCreate);

  const take = (bytes: Buffer, poolName: string): Hello | Reason => {
    const reading = hellos.read(bytes);
    if ("problem" in reading) return "protocol_error";
    const { payload } = reading.value;
    if (!payload.supported_channel_versions.includes(WORKER_CHANNEL_VERSION))
      return "unsupported_version";
    const asked = new Set(payload.requested_capabilities);
    if (!WORKER_CHANNEL_CAPABILITIES.every((word) => asked.has(word))) return "protocol_error";
    // The name comes from the address, where anything can stand.
    const isName = !("problem" in pools.check({ name: poolName, type: payload.worker_type }));
    return isName ? payload : "authorization_failed";
  };

  const path = "/work_pools/:work_pool_name/workers/connect";
  socketRoute(api, path, API_SOCKET, async (socket, { params, scope }) => {
    const { work_pool_name: poolName } = params as { readonly work_pool_name: string };
    const refuse = (reason: Reason): void => socket.close(REASONS[reason], reason);
    const first = await socket.receiveFirst(REASONS.protocol_error, "protocol_error");
    if (first === null) return;
    const hello = take(first, poolName);
    if (typeof hello === "string") {
      refuse(hello);
      return;
    }
    let welcome: Welcome;
    try {
      welcome = await welcomeWorker(ctx, scope, { poolName, hello });
    } catch (error) {
      refuse(reasonOf(ctx, error, "transient_server_error"));
      return;
    }
    await socket.send(frame(ctx, "worker.ready.v1", readyJson(hello, welcome)));

    const channel = createChannel(ctx, { socket, scope, poolName, shown: welcome, refuse });
    const cleanups = feedFor(ctx, { socket, scope, welcome, hello });
    try {
      for (let bytes = await socket.receive(); bytes !== null; bytes = await socket.receive()) {
        const answer = cleanups === null ? null : answers.read(bytes);
        if (answer !== null && !("problem" in answer)) {
          await cleanups?.answer(answer.value);
          continue;
        }
        const reading = beats.read(bytes);
        const beat = "problem" in reading ? null : reading.value.payload;
        const isOurs =
          beat?.consumer_id === hello.consumer_id && beat.worker_name === hello.worker_name;
        if (beat === null || !isOurs) {
          refuse("protocol_error");
          return;
        }
        await channel.beat(beat);
        cleanups?.look();
      }
    } catch (error) {
      refuse(reasonOf(ctx, error, "transient_server_error"));
    } finally {
      channel.close();
      cleanups?.close();
    }
  });
}

/** Null for a worker that takes nothing down. */
function feedFor(
  ctx: OrchestratorContext,
  {
    socket,
    scope,
    welcome,
    hello,
  }: Pick<ChannelOptions, "socket" | "scope"> & {
    readonly welcome: Welcome;
    readonly hello: Hello;
  },
): CleanupFeed | null {
  if (welcome.cleanups === 0) return null;
  const isWhole = (hello.work_queue_names ?? []).length === 0;
  return createCleanupFeed(ctx, scope, {
    poolId: welcome.pool.id,
    queueIds: isWhole ? null : new Set(welcome.queues.map(({ id }) => id)),
    limit: welcome.cleanups,
    signal: socket.signal,
    send: (type, payload) => socket.send(frame(ctx, type, payload)),
  });
}

interface ChannelOptions {
  readonly socket: ServerSocket;
  readonly scope: Scope;
  readonly poolName: string;
  readonly shown: ShownPool;
  readonly refuse: (reason: Reason) => void;
}

interface Channel {
  readonly beat: (beat: {
    readonly worker_name: string;
    readonly heartbeat_interval_seconds: number;
  }) => Promise<void>;
  readonly close: () => void;
}

function createChannel(
  ctx: OrchestratorContext,
  { socket, scope, poolName, shown, refuse }: ChannelOptions,
): Channel {
  let last = shown.pool;
  let sequence = 1;
  let isComing = false;

  /** Shows the pool if it is another than the one that was shown. */
  const refresh = async (isOther: (pool: WorkPool) => boolean): Promise<void> => {
    const found = await findWorkerPool(ctx, scope, poolName);
    if (found === null || found.pool.id !== last.id) {
      refuse("authorization_failed");
      return;
    }
    if (!isOther(found.pool)) return;
    last = found.pool;
    sequence += 1;
    const payload = snapshotJson({ sequence, reason: "work_pool_updated", json: found.json });
    await socket.send(frame(ctx, "work_pool.snapshot.v1", payload));
  };

  const news = async (): Promise<void> => {
    if (isComing) return;
    isComing = true;
    await sleep(COALESCE_MS, socket.signal);
    isComing = false;
    if (socket.signal.aborted) return;
    await refresh((pool) => essence(pool) !== essence(last)).catch((error: unknown) => {
      refuse(reasonOf(ctx, error, "transient_server_error"));
    });
  };
  const close = ctx.db.wakeUps.on(poolTopic(last.id), () => void news());
  // What came before the first nudge that could be heard.
  void news();

  return {
    close,
    async beat({ worker_name: name, heartbeat_interval_seconds }) {
      try {
        const heartbeat = { name, heartbeat_interval_seconds };
        await recordHeartbeat(ctx, scope, { poolName, heartbeat });
        await refresh(({ updated }) => updated !== last.updated);
      } catch (error) {
        refuse(reasonOf(ctx, error, "heartbeat_persistence_failed"));
      }
    },
  };
}

/** What a worker goes by. */
function essence(pool: WorkPool): string {
  const { base_job_template, concurrency_limit, is_paused, storage_configuration } = pool;
  return writeJson([base_job_template, concurrency_limit, is_paused, storage_configuration]);
}

function reasonOf({ log }: OrchestratorContext, error: unknown, otherwise: Reason): Reason {
  if (isAppError(error, "not_found") || isAppError(error, "forbidden"))
    return "authorization_failed";
  if (isAppError(error, "invalid") || isAppError(error, "bad_request")) return "protocol_error";
  log.warn({ err: error }, "A worker was let go because the database could not be asked");
  return otherwise;
}

function frame({ ids, clock }: OrchestratorContext, type: string, payload: string): string {
  return `{"type":"${type}","id":"${ids.uuid7()}","sent_at":"${clock.now()}","payload":${payload}}`;
}

function snapshotJson(snapshot: {
  readonly sequence: number;
  readonly reason: string;
  readonly json: string;
}): string {
  const { sequence, reason, json } = snapshot;
  return `{"snapshot_sequence":${sequence},"reason":"${reason}","work_pool":${json}}`;
}

function readyJson(hello: Hello, welcome: Welcome): string {
  const { json, queues, accepted, rejected, cleanups } = welcome;
  const ready = JSON.stringify({
    consumer_id: hello.consumer_id,
    worker_id: null,
    selected_channel_version: WORKER_CHANNEL_VERSION,
    effective_heartbeat_interval_seconds: hello.heartbeat_interval_seconds,
    accepted_capabilities: accepted,
    rejected_capabilities: rejected,
    effective_max_cleanup_concurrency: cleanups,
    resolved_work_queues: queues,
  });
  const snapshot = snapshotJson({ sequence: 1, reason: "initial", json });
  return `${ready.slice(0, -1)},"initial_snapshot":${snapshot}}`;
}
