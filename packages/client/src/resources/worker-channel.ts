import type { JsonObject, WorkerHello } from "@orchestrator/contract";
import { connectSocket } from "../sockets/connection.ts";
import { fillPath } from "../transport/address.ts";
import { extension } from "../transport/operation.ts";
import { uuid } from "../transport/uuid.ts";

/** A frame of the worker's channel. */
export interface WorkerFrame {
  readonly type: string;
  readonly id: string;
  readonly sent_at: string;
  readonly payload: JsonObject;
}

/** A worker's own connection to its pool. */
export interface WorkerChannel extends AsyncIterable<WorkerFrame> {
  /** Says something; `worker.heartbeat.v1` that it lives. */
  readonly send: (type: string, payload: JsonObject) => Promise<void>;
  readonly close: () => void;
}

/**
 * Connects a worker to a pool: the frames that come tell of the pool and its changes. It is not
 * made again when it breaks.
 */
export const connectWorker = extension(
  (transport) =>
    async (
      pool: string,
      hello: WorkerHello,
      { signal }: { readonly signal?: AbortSignal | undefined } = {},
    ): Promise<WorkerChannel> => {
      const path = fillPath("/work_pools/{work_pool_name}/workers/connect", [pool]);
      const connection = await connectSocket(transport, path, { signal });
      const send = (type: string, payload: unknown): Promise<void> =>
        connection.send({
          type,
          id: uuid(),
          sent_at: new Date().toISOString(),
          payload,
        });
      await send("worker.hello.v1", hello);
      return {
        send,
        close: connection.close,
        async *[Symbol.asyncIterator]() {
          for (;;) {
            const frame = (await connection.receive()) as WorkerFrame | null;
            if (frame === null) return;
            yield frame;
          }
        },
      };
    },
);
