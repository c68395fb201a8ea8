import type { Role } from "@orchestrator/contract";
import type { Scope } from "@orchestrator/kernel";

interface ServiceIdentity {
  /** The least role of accounts that may do the same by requests. */
  readonly role: Role;
  readonly does: string;
}

/**
 * Who acts where nobody asks. Each acts inside the workspace of the row it acts for and in no other: an automation, a
 * schedule, a backfill, a message, an SLA, the address of a webhook.
 */
export const SERVICE_IDENTITIES = {
  automations: { role: "developer", does: "carries out the actions of automations" },
  scheduler: { role: "runner", does: "creates the runs of schedules" },
  backfills: { role: "runner", does: "creates and cancels the runs of backfills" },
  deadlines: { role: "runner", does: "ends runs that are overdue, and what cancelled runs left" },
  deliveries: { role: "runner", does: "opens the blocks of messages, and sends them" },
  slas: { role: "runner", does: "tells of violations" },
  webhooks: { role: "runner", does: "writes the events of requests that come in" },
} as const satisfies Readonly<Record<string, ServiceIdentity>>;

export type ServiceName = keyof typeof SERVICE_IDENTITIES;

/** The scope of what a service does by itself in one workspace. */
export function serviceScope(
  name: ServiceName,
  { workspaceId, requestId }: Pick<Scope, "workspaceId" | "requestId">,
): Scope {
  return { workspaceId, caller: { kind: "service", id: name, name }, requestId };
}

/** The service as events name it: who has done it, and how far it may go. */
export const serviceActor = (name: ServiceName) => ({
  kind: "service",
  id: name,
  role: "actor",
  name,
  labels: { "service.role": SERVICE_IDENTITIES[name].role },
});
