import type {
  ReportUpdateChange,
  ReportUpdateCreate,
  Static,
  StatusPage,
  StatusPageCreate,
  StatusPageList,
  StatusPageUpdate,
  StatusPageView,
  StatusReport,
  StatusReportChange,
  StatusReportCreate,
  StatusReportList,
} from "@orchestrator/contract";
import { del, eachGot, get, getWith, patch, post, put } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof StatusPageList>>;
type Reports = OptionalDefaults<StatusReportList>;

export const statusPages = {
  create: post<(page: StatusPageCreate) => StatusPage>("/status-pages"),
  read: get<(id: string) => StatusPage>("/status-pages/{id}"),
  /** Changes the given fields. */
  update: patch<(id: string, changes: StatusPageUpdate) => StatusPage>("/status-pages/{id}"),
  /** The same by PUT. */
  put: put<(id: string, changes: StatusPageUpdate) => StatusPage>("/status-pages/{id}"),
  delete: del<(id: string) => void>("/status-pages/{id}"),
  list: getWith<(query?: List) => StatusPage[]>("/status-pages"),
  each: eachGot<(query?: List) => StatusPage>("/status-pages"),
  /** What everybody may see of it. */
  readPublic: get<(slug: string) => StatusPageView>("/status-pages/{slug}/public"),
};

/** What is written on a status page about an incident. */
export const statusReports = {
  create: post<(pageId: string, report: StatusReportCreate) => StatusReport>(
    "/status-pages/{id}/reports",
  ),
  read: get<(pageId: string, id: string) => StatusReport>("/status-pages/{id}/reports/{report}"),
  update: patch<(pageId: string, id: string, changes: StatusReportChange) => StatusReport>(
    "/status-pages/{id}/reports/{report}",
  ),
  delete: del<(pageId: string, id: string) => void>("/status-pages/{id}/reports/{report}"),
  list: getWith<(pageId: string, query?: Reports) => StatusReport[]>("/status-pages/{id}/reports"),
  each: eachGot<(pageId: string, query?: Reports) => StatusReport>("/status-pages/{id}/reports"),
  createUpdate: post<(pageId: string, id: string, update: ReportUpdateCreate) => StatusReport>(
    "/status-pages/{id}/reports/{report}/updates",
  ),
  changeUpdate: patch<
    (
      pageId: string,
      id: string,
      updateId: string,
      change: Static<typeof ReportUpdateChange>,
    ) => StatusReport
  >("/status-pages/{id}/reports/{report}/updates/{update}"),
};
