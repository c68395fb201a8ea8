import {
  MaintenanceCreate,
  MaintenanceId,
  MaintenanceList,
  MaintenanceUpdate,
  MaintenanceWindow,
} from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import { requestedPath } from "../addresses.ts";
import {
  changeWindow,
  createWindow,
  deleteWindow,
  finishWindow,
  readWindow,
  readWindows,
} from "./maintenance.service.ts";
import type { MaintenanceContext } from "./maintenance-context.ts";

/** Both take any subset of the fields. */
const UPDATES = [
  { method: "put", operationId: "updateMaintenance" },
  { method: "patch", operationId: "changeMaintenance" },
] as const;

export function maintenanceRoutes(api: ApiInstance, ctx: MaintenanceContext): void {
  const tags = ["Maintenance"];

  api.get(
    "/maintenance",
    {
      schema: {
        tags,
        operationId: "listMaintenance",
        summary: "List maintenance windows, the oldest first",
        querystring: MaintenanceList,
        response: { 200: Type.Array(MaintenanceWindow) },
      },
    },
    async (request) => readWindows(ctx, request.scope, request.query),
  );

  api.post(
    "/maintenance",
    {
      schema: {
        tags,
        operationId: "createMaintenance",
        summary: "Plan a maintenance",
        body: MaintenanceCreate,
        response: { 201: MaintenanceWindow },
      },
    },
    async (request, reply) => {
      const window = await createWindow(ctx, request.scope, request.body);
      return reply
        .code(201)
        .header("location", `${requestedPath(request)}/${window.id}`)
        .send(window);
    },
  );

  api.get(
    "/maintenance/:id",
    {
      schema: {
        tags,
        operationId: "readMaintenance",
        summary: "Read a maintenance window",
        params: MaintenanceId,
        response: { 200: MaintenanceWindow },
      },
    },
    async (request) => readWindow(ctx, request.scope, request.params.id),
  );

  for (const { method, operationId } of UPDATES) {
    api[method](
      "/maintenance/:id",
      {
        schema: {
          tags,
          operationId,
          summary: "Change the given fields of a maintenance window",
          params: MaintenanceId,
          body: MaintenanceUpdate,
          response: { 200: MaintenanceWindow },
        },
      },
      async (request) => {
        const { id } = request.params;
        return changeWindow(ctx, request.scope, { id, changes: request.body });
      },
    );
  }

  api.post(
    "/maintenance/:id/finish",
    {
      schema: {
        tags,
        operationId: "finishMaintenance",
        summary: "End the present period of a maintenance now",
        params: MaintenanceId,
        response: { 200: MaintenanceWindow },
      },
    },
    async (request) => finishWindow(ctx, request.scope, request.params.id),
  );

  api.delete(
    "/maintenance/:id",
    {
      schema: {
        tags,
        operationId: "deleteMaintenance",
        summary: "Delete a maintenance window",
        params: MaintenanceId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteWindow(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );
}
