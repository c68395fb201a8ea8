import { ROLES } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import { type ActingService, type Caller, serviceCaller } from "@orchestrator/kernel/scope";
import { mayDo, rightFor } from "./permissions.rules.ts";

/** A service of the program goes as far as its role, by the table that requests are held to. */
export function callerOfService(service: ActingService, operation: string | null): Caller {
  const role = ROLES.find((known) => known === service.role) ?? "viewer";
  const [method = "", route = ""] = operation?.split(" ") ?? [];
  if (operation !== null && !mayDo(role, rightFor(method, route)))
    throw new AppError(
      "forbidden",
      `The service ${service.name} has the role ${role}, which may not do this`,
    );
  return {
    ...serviceCaller(service),
    isKeptFromSecrets: !mayDo(role, "run"),
    isKeptFromChanges: !mayDo(role, "write"),
  };
}
