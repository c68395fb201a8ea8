import {
  ById,
  Deleted,
  Deployment,
  DeploymentBulkDelete,
  DeploymentCount,
  DeploymentCreate,
  DeploymentList,
  DeploymentNames,
  DeploymentPages,
  DeploymentUpdate,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { DEPLOYMENT_LIST } from "../../lists/deployments.filter.ts";
import { listRoutes } from "../../lists/list-routes.ts";
import { DEPLOYMENT_RELATIONS } from "../../lists/relations.ts";
import { createDeployment } from "./create-deployment.service.ts";
import { deleteDeployment, deleteDeployments, readDeployment } from "./deployments.service.ts";
import { updateDeployment } from "./update-deployment.service.ts";

const tags = ["Deployments"];

export function deploymentRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  listRoutes(api, ctx, {
    key: "deployments",
    plural: "Deployments",
    words: "deployments",
    tags,
    record: Deployment,
    list: DEPLOYMENT_LIST,
    relations: DEPLOYMENT_RELATIONS,
    bodies: { list: DeploymentList, count: DeploymentCount, pages: DeploymentPages },
  });

  api.post(
    "/deployments/",
    {
      schema: {
        tags,
        operationId: "createDeployment",
        summary: "Create a deployment of a flow",
        body: DeploymentCreate,
        response: { 200: Deployment, 201: Deployment },
      },
    },
    async (request, reply) => {
      const { json, isNew } = await createDeployment(ctx, request.scope, request.body);
      return sendJsonText(reply.code(isNew ? 201 : 200), json);
    },
  );

  api.get(
    "/deployments/:id",
    {
      schema: {
        tags,
        operationId: "readDeployment",
        summary: "Read a deployment by id",
        params: ById,
        response: { 200: Deployment },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readDeployment(ctx, request.scope, request.params)),
  );

  api.get(
    "/deployments/name/:flow_name/:deployment_name",
    {
      schema: {
        tags,
        operationId: "readDeploymentByName",
        summary: "Read a deployment by the name of its flow and its own",
        params: DeploymentNames,
        response: { 200: Deployment },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readDeployment(ctx, request.scope, request.params)),
  );

  api.patch(
    "/deployments/:id",
    {
      schema: {
        tags,
        operationId: "updateDeployment",
        summary: "Change the given fields of a deployment",
        description:
          "Schedules are merged by their slug when all of them have one; otherwise the list that is given takes their place.",
        params: ById,
        body: DeploymentUpdate,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await updateDeployment(ctx, request.scope, { id, changes: request.body });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/deployments/:id",
    {
      schema: {
        tags,
        operationId: "deleteDeployment",
        summary: "Delete a deployment with its schedules and the runs that have not begun",
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteDeployment(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );

  api.post(
    "/deployments/bulk_delete",
    {
      schema: {
        tags,
        operationId: "deleteDeployments",
        summary: "Delete the deployments that match",
        body: DeploymentBulkDelete,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { deployments: filter, limit = 0 } = request.body;
      return { deleted: await deleteDeployments(ctx, request.scope, { filter, limit }) };
    },
  );
}
