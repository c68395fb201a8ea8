// For tests of other packages: what the clients can ask for.

import { accountsResources } from "./accounts-resources.ts";
import { orchestratorResources } from "./orchestrator-resources.ts";
import type { ClientResource } from "./transport/operation.ts";
import { uptimeResources } from "./uptime-resources.ts";

export interface DeclaredOperation {
  /** `POST /flows/` */
  readonly name: string;
  readonly takes: string;
}

export const orchestratorOperations = (): DeclaredOperation[] => declared(orchestratorResources);
export const accountsOperations = (): DeclaredOperation[] => declared(accountsResources);
export const uptimeOperations = (): DeclaredOperation[] => declared(uptimeResources);

function declared(resources: Readonly<Record<string, ClientResource>>): DeclaredOperation[] {
  return Object.values(resources)
    .flatMap((resource) => Object.values(resource))
    .flatMap((entry) =>
      entry.kind === "operation"
        ? [{ name: `${entry.method} ${entry.path}`, takes: entry.traits.takes }]
        : [],
    );
}
