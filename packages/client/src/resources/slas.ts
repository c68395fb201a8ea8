import type {
  Sla,
  SlaCount,
  SlaCreate,
  SlaList,
  SlaMerge,
  SlaUpdate,
  Static,
} from "@orchestrator/contract";
import { del, each, ensure, get, patch, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof SlaList>>;

export const slas = {
  create: post<(deploymentId: string, sla: SlaCreate) => Sla>("/deployments/{id}/slas"),
  listOfDeployment: get<(deploymentId: string) => Sla[]>("/deployments/{id}/slas"),
  /** Makes these all that a deployment has. */
  apply: ensure<(resourceId: string, slas: readonly SlaCreate[]) => SlaMerge>(
    "/slas/apply-resource-slas/{resource}",
  ),
  read: get<(id: string) => Sla>("/slas/{id}"),
  update: patch<(id: string, changes: SlaUpdate) => void>("/slas/{id}"),
  delete: del<(id: string) => void>("/slas/{id}"),
  list: query<(filter?: List) => Sla[]>("/slas/filter"),
  each: each<(filter?: List) => Sla>("/slas/filter"),
  count: query<(filter?: Static<typeof SlaCount>) => number>("/slas/count"),
};
