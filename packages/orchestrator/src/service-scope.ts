import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "./context.ts";
import {
  type OperationOf,
  SERVICE_IDENTITIES,
  type ServiceName,
} from "./service-identities.rules.ts";

/**
 * The scope of what a service does by itself in one workspace, for one kind of thing. Throws
 * `forbidden` where its role may not do the same by a request.
 */
export function scopeOfService<Name extends ServiceName>(
  { gate }: Pick<OrchestratorContext, "gate">,
  name: Name,
  {
    operation,
    workspaceId,
    requestId,
  }: Pick<Scope, "workspaceId" | "requestId"> & { readonly operation: OperationOf<Name> | null },
): Scope {
  const { role } = SERVICE_IDENTITIES[name];
  return { workspaceId, requestId, caller: gate.actAs({ name, role }, operation) };
}
