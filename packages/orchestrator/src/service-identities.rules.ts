import type { Action, Role } from "@orchestrator/contract";

/**
 * What each action of an automation comes to, as an operation of the API; null for what does
 * nothing.
 */
export const ACTION_OPERATIONS = {
  "run-deployment": "POST /api/deployments/{id}/create_flow_run",
  "pause-deployment": "POST /api/deployments/{id}/pause_deployment",
  "resume-deployment": "POST /api/deployments/{id}/resume_deployment",
  "pause-work-pool": "PATCH /api/work_pools/{name}",
  "resume-work-pool": "PATCH /api/work_pools/{name}",
  "pause-work-queue": "PATCH /api/work_queues/{id}",
  "resume-work-queue": "PATCH /api/work_queues/{id}",
  "pause-automation": "PATCH /api/automations/{id}",
  "resume-automation": "PATCH /api/automations/{id}",
  "run-check": "POST /uptime/api/monitors/{id}/check",
  "pause-monitor": "PATCH /uptime/api/monitors/{id}",
  "resume-monitor": "PATCH /uptime/api/monitors/{id}",
  "delete-flow-run": "DELETE /api/flow_runs/{id}",
  "cancel-flow-run": "POST /api/flow_runs/{id}/set_state",
  "suspend-flow-run": "POST /api/flow_runs/{id}/set_state",
  "change-flow-run-state": "POST /api/flow_runs/{id}/set_state",
  "resume-flow-run": "POST /api/flow_runs/{id}/resume",
  "send-notification": "GET /api/block_documents/{id}",
  "call-webhook": "GET /api/block_documents/{id}",
  "do-nothing": null,
} as const satisfies Readonly<Record<Action["type"], string | null>>;

const SET_STATE = "POST /api/flow_runs/{id}/set_state";
const CREATE_RUN = "POST /api/deployments/{id}/create_flow_run";
const SEND_EVENTS = "POST /api/events";

interface ServiceIdentity {
  /** The least role of accounts that may do the same by requests. */
  readonly role: Role;
  readonly does: string;
  /**
   * The operations of the API that what it does comes to: before it does one, its role is asked
   * whether it may.
   */
  readonly operations: readonly string[];
}

/**
 * Who acts where nobody asks. Each acts inside the workspace of the row it acts for and in no
 * other: an automation, a schedule, a backfill, a message, an SLA, the address of a webhook.
 */
export const SERVICE_IDENTITIES = {
  automations: {
    role: "developer",
    does: "executes the actions of automations",
    operations: Object.values(ACTION_OPERATIONS).filter((operation) => operation !== null),
  },
  scheduler: {
    role: "runner",
    does: "creates the runs of schedules",
    operations: [CREATE_RUN],
  },
  backfills: {
    role: "runner",
    does: "creates and cancels the runs of backfills",
    operations: [CREATE_RUN, SET_STATE],
  },
  deadlines: {
    role: "runner",
    does: "marks late runs, ends overdue ones, and cancels what cancelled runs started",
    operations: [SET_STATE, "POST /api/task_runs/{id}/set_state"],
  },
  deliveries: {
    role: "runner",
    does: "reads the blocks of messages, and sends them",
    // With its secrets, which a viewer is not shown.
    operations: ["GET /api/block_documents/{id}"],
  },
  slas: { role: "runner", does: "publishes violations", operations: [SEND_EVENTS] },
  webhooks: {
    role: "runner",
    does: "writes the events of incoming requests",
    operations: [SEND_EVENTS],
  },
} as const satisfies Readonly<Record<string, ServiceIdentity>>;

export type ServiceName = keyof typeof SERVICE_IDENTITIES;

/** What a service does, as an operation of the API. */
export type OperationOf<Name extends ServiceName> =
  (typeof SERVICE_IDENTITIES)[Name]["operations"][number];

/** The service as events name it: who has done it, and how far it may go. */
export const serviceActor = (name: ServiceName) => ({
  kind: "service",
  id: name,
  role: "actor",
  name,
  labels: { "service.role": SERVICE_IDENTITIES[name].role },
});
