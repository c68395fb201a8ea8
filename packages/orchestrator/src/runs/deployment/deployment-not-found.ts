import { AppError } from "@orchestrator/kernel/pure";

export function deploymentNotFound(
  key: { readonly id: string } | { readonly flow_name: string; readonly deployment_name: string },
): AppError {
  const which = "id" in key ? key.id : `${key.flow_name}/${key.deployment_name}`;
  return new AppError("not_found", `Deployment ${which} not found`);
}
