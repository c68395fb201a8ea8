import type {
  CheckAll,
  CheckAllBody,
  CheckKind,
  CheckResult,
  CheckTrial,
  CheckTrialResult,
  CronTimes,
  CronTimesQuery,
  InstanceVersion,
  Monitor,
  MonitorCreate,
  MonitorList,
  MonitorStats,
  MonitorsOverview,
  MonitorUpdate,
  OverviewQuery,
  Static,
  StatsQuery,
  VersionList,
} from "@orchestrator/contract";
import { del, eachGot, get, getWith, patch, post, put, trigger } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof MonitorList>>;

const MAX_PAGE = 1000;

export const monitors = {
  create: post<(monitor: MonitorCreate) => Monitor>("/monitors"),
  read: get<(id: string) => Monitor>("/monitors/{id}"),
  /** Changes the given fields. */
  update: patch<(id: string, changes: MonitorUpdate) => Monitor>("/monitors/{id}"),
  /** The same by PUT. */
  put: put<(id: string, changes: MonitorUpdate) => Monitor>("/monitors/{id}"),
  delete: del<(id: string) => void>("/monitors/{id}"),
  list: getWith<(query?: List) => Monitor[]>("/monitors"),
  each: eachGot<(query?: List) => Monitor>("/monitors", MAX_PAGE),
  /** With their last results and uptime, what is wrong first. */
  overview:
    getWith<(query?: OptionalDefaults<OverviewQuery>) => MonitorsOverview>("/monitors/overview"),
  /** Checks it now. */
  check: trigger<(id: string) => CheckResult>("/monitors/{id}/check", { repeat: "unsent" }),
  /** Checks all that are enabled, or those with a tag, now. */
  checkAll: post<
    (those?: Static<typeof CheckAllBody>, query?: Static<typeof CheckAll>) => CheckResult[]
  >("/monitors/check-all", { takes: "both" }),
  /** The types of checks, with their options, defaults and forms. */
  checkKinds: get<() => CheckKind[]>("/checks"),
  /** Runs checks once, of a monitor that need not be, and keeps nothing of it. */
  tryChecks: post<(trial: CheckTrial) => CheckTrialResult>("/checks/try"),
  /** The next times of a schedule. */
  previewSchedule:
    getWith<(query: OptionalDefaults<CronTimesQuery>) => CronTimes>("/schedules/preview"),
  /** The versions that its instance checks have seen, newest first. */
  versions:
    getWith<(id: string, query?: OptionalDefaults<VersionList>) => InstanceVersion[]>(
      "/monitors/{id}/versions",
    ),
  stats: getWith<(id: string, query?: StatsQuery) => MonitorStats>("/monitors/{id}/stats"),
  /** The tags of all monitors. */
  listTags: get<() => string[]>("/tags"),
  /** The same at its other address. */
  listMonitorTags: get<() => string[]>("/monitors/tags"),
};
