import type {
  Deleted,
  Deployment,
  DeploymentBulkDelete,
  DeploymentCount,
  DeploymentCreate,
  DeploymentFlowRunCreate,
  DeploymentList,
  DeploymentPages,
  DeploymentPoll,
  DeploymentSchedule,
  DeploymentScheduleCreate,
  DeploymentScheduleRequest,
  DeploymentScheduleUpdate,
  DeploymentUpdate,
  FlowRun,
  FlowRunBulkCreated,
  SchedulePreview,
  SchedulePreviewRequest,
  ServedFlowRun,
  Static,
} from "@orchestrator/contract";
import {
  del,
  each,
  ensure,
  get,
  keyed,
  patch,
  post,
  query,
  trigger,
} from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import { withIdempotencyKey } from "./keys.ts";
import type { PageOf } from "./page.ts";

type List = OptionalDefaults<Static<typeof DeploymentList>>;
type NewRun = DeploymentFlowRunCreate;

const everyKey = (runs: readonly NewRun[]) => runs.map(withIdempotencyKey);

export const deployments = {
  /** Creates a deployment, or changes the one of the flow that has the name. */
  create: ensure<(deployment: DeploymentCreate) => Deployment>("/deployments/"),
  read: get<(id: string) => Deployment>("/deployments/{id}"),
  readByName: get<(flowName: string, deploymentName: string) => Deployment>(
    "/deployments/name/{flow_name}/{deployment_name}",
  ),
  update: patch<(id: string, changes: DeploymentUpdate) => void>("/deployments/{id}"),
  delete: del<(id: string) => void>("/deployments/{id}"),
  /** Deletes the first of those that match. */
  deleteMany: post<(filter?: Static<typeof DeploymentBulkDelete>) => Static<typeof Deleted>>(
    "/deployments/bulk_delete",
  ),
  list: query<(filter?: List) => Deployment[]>("/deployments/filter"),
  each: each<(filter?: List) => Deployment>("/deployments/filter"),
  paginate:
    query<(filter?: OptionalDefaults<Static<typeof DeploymentPages>>) => PageOf<Deployment>>(
      "/deployments/paginate",
    ),
  count: query<(filter?: Static<typeof DeploymentCount>) => number>("/deployments/count"),
  /** Creates a run; without a state it is due at once. */
  createFlowRun: post<(id: string, run?: NewRun) => FlowRun>(
    "/deployments/{id}/create_flow_run",
    keyed<NewRun>(withIdempotencyKey),
  ),
  createFlowRuns: post<(id: string, runs: readonly NewRun[]) => FlowRunBulkCreated>(
    "/deployments/{id}/create_flow_run/bulk",
    keyed<readonly NewRun[]>(everyKey),
  ),
  /** The runs of some deployments that are due. */
  poll: query<(poll: Static<typeof DeploymentPoll>) => FlowRun[]>(
    "/deployments/get_scheduled_flow_runs",
  ),
  /** The same, and claims the runs: they are PENDING when the answer comes. */
  claim: post<(poll: Static<typeof DeploymentPoll>) => ServedFlowRun[]>(
    "/deployments/claim_flow_runs",
  ),
  pause: trigger<(id: string) => void>("/deployments/{id}/pause_deployment"),
  resume: trigger<(id: string) => void>("/deployments/{id}/resume_deployment"),
  setScheduleInactive: trigger<(id: string) => void>("/deployments/{id}/set_schedule_inactive"),
  setScheduleActive: trigger<(id: string) => void>("/deployments/{id}/set_schedule_active"),
  /** Creates the runs of its schedules now, or gives it a schedule. */
  schedule: ensure<(id: string, request?: DeploymentScheduleRequest) => void>(
    "/deployments/{id}/schedule",
  ),
  checkQueues: get<(id: string) => null[]>("/deployments/{id}/work_queue_check"),
  listSchedules: get<(id: string) => DeploymentSchedule[]>("/deployments/{id}/schedules"),
  createSchedules: post<
    (id: string, schedules: readonly DeploymentScheduleCreate[]) => DeploymentSchedule[]
  >("/deployments/{id}/schedules"),
  /** The times that schedules, stored or not, would make runs for. */
  previewSchedules: query<(id: string, request?: SchedulePreviewRequest) => SchedulePreview>(
    "/deployments/{id}/schedules/preview",
  ),
  updateSchedule: patch<
    (id: string, scheduleId: string, changes: DeploymentScheduleUpdate) => void
  >("/deployments/{id}/schedules/{schedule_id}"),
  deleteSchedule: del<(id: string, scheduleId: string) => void>(
    "/deployments/{id}/schedules/{schedule_id}",
  ),
};
