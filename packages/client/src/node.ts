export type { OrchestratorClient } from "./create-client.ts";
export type { UptimeClient } from "./create-uptime-client.ts";
export {
  CLIENT_SETTINGS,
  type ClientSetting,
  type ClientSettingName,
  type ClientSettingValues,
  isClientSetting,
} from "./node/client-settings.ts";
export { createClient, createUptimeClient, type NodeClientOptions } from "./node/node-clients.ts";
export {
  DEFAULT_PROFILE,
  dataFolder,
  type Profiles,
  ProfilesError,
  profilesPath,
  profilesProblem,
  readProfiles,
  writeProfiles,
} from "./node/profiles.ts";
export {
  type ClientConfig,
  type ConfigOptions,
  resolveConfig,
  type SettingInUse,
} from "./node/resolve-config.ts";
export type { FollowEventsOptions } from "./resources/follow-events.ts";
export type { FollowLogsOptions } from "./resources/follow-logs.ts";
export type { NewEvent } from "./resources/keys.ts";
export type { EventPublisher, PublisherOptions } from "./resources/publish-events.ts";
export type { TaskSubscriptionWish } from "./resources/task-subscription.ts";
export type { WorkerChannel, WorkerFrame } from "./resources/worker-channel.ts";
export { ApiError, ConnectionError, type Problem, TimeoutError } from "./transport/errors.ts";
export type { CallOptions, Credentials, JsonFormat, Retry } from "./transport/request.ts";
export type { WebSocketConstructor, WebSocketLike } from "./transport/web-socket.ts";
