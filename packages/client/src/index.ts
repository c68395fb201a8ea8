export {
  type AccountsClient,
  createAccountsClient,
} from "./create-accounts-client.ts";
export { type ClientOptions, createClient, type OrchestratorClient } from "./create-client.ts";
export { createUptimeClient, type UptimeClient } from "./create-uptime-client.ts";
export type { NewEvent } from "./resources/keys.ts";
export type { FollowEventsOptions } from "./sockets/follow-events.ts";
export type { FollowLogsOptions } from "./sockets/follow-logs.ts";
export type { EventPublisher, PublisherOptions } from "./sockets/publish-events.ts";
export type { TaskSubscriptionWish } from "./sockets/task-subscription.ts";
export type { WebSocketConstructor, WebSocketLike } from "./sockets/web-socket.ts";
export type { WorkerChannel, WorkerFrame } from "./sockets/worker-channel.ts";
export { ApiError, ConnectionError, type Problem, TimeoutError } from "./transport/errors.ts";
export type { CallOptions, Credentials, Retry } from "./transport/request.ts";
