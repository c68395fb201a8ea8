// What a worker says over its own websocket. Every frame has a type, an id, a time and a payload.

import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  JsonObject,
  Model,
  Nullable,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";

export const WORKER_CHANNEL_VERSION = "work_pool_worker_channel.v1";
/** What a worker must ask for, because without it the connection is of no use. */
export const WORKER_CHANNEL_CAPABILITIES = [
  "worker_heartbeat.v1",
  "work_pool_snapshot.v1",
] as const;

/** What a worker may ask for besides: to be told of infrastructure that is to be taken down. */
export const CLEANUP_CAPABILITY = "cleanup_delivery.v1";
export const CLEANUP_KIND = "cancelling_timeout_teardown.v1";

const MAX_NAME = 255;
const MAX_REASON = 2000;
const MAX_WORDS = 1000;
const MAX_INTERVAL_SECONDS = 86_400;

const word = () => Type.String({ minLength: 1, maxLength: MAX_NAME });
const words = (minItems = 0) => Type.Array(word(), { minItems, maxItems: MAX_WORDS });
const interval = () => Int({ minimum: 1, maximum: MAX_INTERVAL_SECONDS });

/** Said once, to begin with: who the worker is and what it wants. */
export const WorkerHello = Model({
  type: StringEnum(["worker.hello.v1"]),
  id: Uuid(),
  sent_at: Timestamp(),
  payload: Model({
    consumer_id: Uuid(),
    worker_name: word(),
    worker_type: word(),
    heartbeat_interval_seconds: interval(),
    supported_channel_versions: words(1),
    requested_capabilities: words(1),
    work_queue_names: Type.Optional(words()),
    handled_cleanup_kinds: Type.Optional(words()),
    max_cleanup_concurrency: Type.Optional(Int({ minimum: 0 })),
    create_pool_if_not_found: Type.Optional(Flag()),
    default_base_job_template: Type.Optional(JsonObject()),
    worker_metadata: Type.Optional(Nullable(JsonObject())),
  }),
});
export type WorkerHello = Static<typeof WorkerHello>["payload"];

/** Said from then on: that the worker lives. */
export const WorkerBeat = Model({
  type: StringEnum(["worker.heartbeat.v1"]),
  id: Uuid(),
  sent_at: Timestamp(),
  payload: Model({
    consumer_id: Uuid(),
    worker_name: word(),
    heartbeat_interval_seconds: interval(),
  }),
});

/**
 * Said of infrastructure that the worker was told to take down: it is done, it takes longer, or
 * somebody else may try.
 */
export const WorkerCleanupAnswer = Model({
  type: StringEnum(["cleanup.ack.v1", "cleanup.renew.v1", "cleanup.release.v1"]),
  id: Uuid(),
  sent_at: Timestamp(),
  payload: Model({
    message_id: Uuid(),
    reservation_token: word(),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_REASON })),
  }),
});
export type WorkerCleanupAnswer = Static<typeof WorkerCleanupAnswer>;
