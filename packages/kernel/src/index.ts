export { type Clock, sleep, systemClock, takingTurns } from "./clock/clock.ts";
export { formatMicros, parseMicros, plusSeconds } from "./clock/timestamp.ts";
export { OverBudgetError } from "./compute/compute-budget.ts";
export { computeJob } from "./compute/compute-job.ts";
export { type Compute, type ComputePool, createComputePool } from "./compute/compute-pool.ts";
export { inlineOrOnThread, isNeedsThread } from "./compute/needs-thread.ts";
export { ThreadFailedError } from "./compute/thread-failed.ts";
export { threadModule } from "./compute/thread-module.ts";
export {
  defineSettings,
  type SettingOverride,
  type SettingOverrides,
  type Settings,
  type SettingValues,
} from "./config/define-settings.ts";
export { describeSettings, settingsReference, viewSettings } from "./config/describe-settings.ts";
export { destinations } from "./config/destinations-setting.ts";
export { maskUrl } from "./config/mask.ts";
export { isSecretParameter, mapSecretParameters } from "./config/secret-parameters.ts";
export { listSettings, type Setting, type SettingGroup, setting } from "./config/setting.ts";
export {
  byteSizeBetween,
  choice,
  choices,
  durationBetween,
  type Env,
  flag,
  folder,
  homeFolder,
  integer,
  port,
  text,
  url,
  webOrigins,
} from "./config/setting-types.ts";
export { SettingsError } from "./config/settings-error.ts";
export { findUnknownSettings } from "./config/unknown-settings.ts";
export { type CsvCell, csvLine } from "./csv/csv-line.ts";
export { guardBulkWrites } from "./disk/bulk-writes.ts";
export { ampleDisk, type DiskSpace, DiskWatch } from "./disk/disk-space.ts";
export { AppError, type ErrorCode, isAppError } from "./errors/app-error.ts";
export { StorageAwayError } from "./errors/storage-away.ts";
export { appendEvent, appendEvents, EVENTS_TOPIC, type NewEvent } from "./event-log/append.ts";
export {
  createLogReader,
  type LogConsumer,
  type LogReader,
  readUnreadSince,
} from "./event-log/cursor.ts";
export { EVENT_TEXTS } from "./event-log/event-texts.ts";
export { createLogFeed, type Following, type LogFeed } from "./event-log/feed.ts";
export { findPosition } from "./event-log/find-position.ts";
export { spansByName } from "./event-log/keeping.ts";
export { followLog, type LogFollower, type LoggedEvent, readHead } from "./event-log/read.ts";
export { labelOf, RESOURCE_PREFIXES, type ResourceLabels } from "./event-log/resource-labels.ts";
export { createEventRetention } from "./event-log/retention.ts";
export { type EventSearchSql, eventSearchSql, textCondition } from "./event-log/search-sql.ts";
export { FairShare } from "./fair-share/fair-share.ts";
export { fairShareSettings } from "./fair-share/fair-share-settings.ts";
export { type IsExpensive, installFairShare } from "./fair-share/install-fair-share.ts";
export { TokenBuckets, type TokenRate, type TokensLeft } from "./fair-share/token-buckets.ts";
export {
  createHearing,
  type Extension,
  type Hearing,
  type OwnHearing,
  uninterrupted,
} from "./hearing/hearing.ts";
export { textAnswer } from "./http/answers.ts";
export { takesGzip } from "./http/compression.ts";
export { statusOf } from "./http/error-handler.ts";
export { type HostNames, hostNames } from "./http/host-names.ts";
export { InvalidRequestError, type Problem } from "./http/invalid-request.ts";
export { sendJsonText } from "./http/json-reply.ts";
export { normaliseUuid } from "./http/lax-uuid.ts";
export { MASK, maskSecrets } from "./http/masking.ts";
export { mountMetrics } from "./http/metrics-route.ts";
export { type ApiInstance, type MountedApi, mountApi } from "./http/mount-api.ts";
export { peerGone } from "./http/peer-gone.ts";
export { trustedProxies } from "./http/trusted-proxies.ts";
export { closeHttpApp } from "./http-app/close-http-app.ts";
export { createHttpApp, type HttpApp } from "./http-app/create-http-app.ts";
export { type Ids, systemIds } from "./ids/ids.ts";
export { createLeaseKeeper, type LeaseKeeper, soleHolder } from "./leases/lease-keeper.ts";
export { assertLease } from "./leases/leases.ts";
export type {
  Attributes,
  Filterable,
  ListDefinition,
  Relation,
  Relations,
  Tally,
} from "./lists/definition.ts";
export { listIds } from "./lists/list-ids.ts";
export { type PageResult, pageJson } from "./lists/page-json.ts";
export {
  countRows,
  findPageStretches,
  listBytes,
  listJson,
  type SelectedRows,
  type Selection,
  selectFrom,
} from "./lists/read-list.ts";
export { tallyFor } from "./lists/tallies.ts";
export { createLogger, LOG_FORMATS, LOG_LEVELS, type Logger } from "./log/logger.ts";
export { OutageLog } from "./log/outage-log.ts";
export { isFromElsewhere, refuseForged } from "./login/cross-site.ts";
export { LoginGuard } from "./login/login-guard.ts";
export { type SecretCookie, secretCookie } from "./login/session-cookie.ts";
export type { LoopDefinition, LoopHealth, LoopObserver } from "./loops/loop.ts";
export { createSupervisor, type Supervisor } from "./loops/supervisor.ts";
export { createMetrics, type Metrics } from "./metrics/metrics.ts";
export { observeEventLog } from "./metrics/observe-event-log.ts";
export { observeLoops } from "./metrics/observe-loops.ts";
export { observeWrites } from "./metrics/observe-writes.ts";
export { kernelMigrations } from "./migrations/index.ts";
export { destinations } from "./config/destinations-setting.ts";
export { authModeSetting, hasAccounts } from "./scope/auth-mode-setting.ts";
export { basicText, bearerToken } from "./scope/authorization.ts";
export {
  type ActingService,
  AUTH_MODES,
  type AuthMode,
  asksNobody,
  type Gate,
  openGate,
  serviceCaller,
} from "./scope/gate.ts";
export { passwordGate } from "./scope/password-gate.ts";
export { type Caller, openScope, type Scope } from "./scope/scope.ts";
export { namedWorkspace } from "./scope/workspace-path.ts";
export { secretKeys } from "./secrets/key-setting.ts";
export { type Keyring, openKeyring } from "./secrets/keyring.ts";
export { KeyringError } from "./secrets/keyring-error.ts";
export { reseal } from "./secrets/reseal.ts";
export { type ResealedRow, type Resealing, resealRows } from "./secrets/reseal-rows.ts";
export { safeEqual } from "./secrets/safe-equal.ts";
export { isSealed, sealedKeyId } from "./secrets/sealed-value.ts";
export { countSealedValues } from "./secrets/sealed-values.ts";
export { type Allowance, noQuotas, type Quotas, type UsedUp } from "./service/quotas.ts";
export type { Service, ServiceHost, StartNotice } from "./service/service.ts";
export { CLOSE } from "./sockets/close-codes.ts";
export { createReader, type Reader, type Reading } from "./sockets/json-message.ts";
export type { ServerSocket } from "./sockets/peer-socket.ts";
export { type SocketRouteOptions, socketRoute } from "./sockets/socket-route.ts";
export { unclaimed } from "./storage/claim.ts";
export type {
  Asked,
  Counted,
  Database,
  Queries,
  SystemTransaction,
  Transaction,
  WriteStats,
} from "./storage/database.ts";
export type { ComputedField, Dialect, Fields, LookedUpFields } from "./storage/dialect.ts";
export {
  type BuildHeldRow,
  type ConfirmedVersion,
  type HeldRow,
  heldRowBy,
  isAsRead,
} from "./storage/held-row.ts";
export { rowInsert } from "./storage/insert-rows.ts";
export type { JsonBytes, JsonText } from "./storage/json-text.ts";
export type { LetterIndex, LetterIndexPass } from "./storage/letter-index.ts";
export { idRows, idTable, listedIds } from "./storage/listed-ids.ts";
export {
  isMigrated,
  type Migration,
  type MigrationList,
  migrate,
  NewerDatabaseError,
  sharedTables,
  stampMigrations,
} from "./storage/migrate.ts";
export { isMissingValue } from "./storage/missing-value.ts";
export { openDatabase } from "./storage/open-database.ts";
export { pick } from "./storage/pick.ts";
export { arraySql, recordSql } from "./storage/record-sql.ts";
export { lockForThisProcess } from "./storage/sqlite/process-lock.ts";
export { sqliteTagTriggers } from "./storage/sqlite/sqlite-tags.ts";
export {
  type Placeholders,
  type Query,
  type Statement,
  type Statements,
  type SystemStatement,
  statementsFor,
} from "./storage/statement.ts";
export type { RowTexts } from "./storage/told-rows.ts";
export { createWriteProbe, probeWrite, type WriteProbe } from "./storage/write-probe.ts";
export { BLOCKS_PER_PASS, createTextBlocks, type KeepTextBlocks } from "./text-blocks/keep.ts";
export { BLOCK_AGE_MICROS, noteLateTexts } from "./text-blocks/late-texts.ts";
export { findStretches, type Stretches } from "./text-blocks/stretches.ts";
export type { MarkedSource, Stretch } from "./text-blocks/text-source.ts";
export { parseTextSearch, textMatcher } from "./text-search/text-search.ts";
